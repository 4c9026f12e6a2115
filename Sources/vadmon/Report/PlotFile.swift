import Annotations
import AudioInput
import Charts
import Processes
import RealTime
import SystemPackage

/// The file of `--plot`: SVG, or PNG, which rsvg-convert makes of it.
struct PlotFile {
  private let file: OutputFile
  private let interruption: Interruption?
  /// The name of a PNG in messages; `nil` for SVG.
  private let nameOfPNG: String?

  init(_ path: FilePath, interruption: Interruption? = nil) throws(OutputError) {
    file = try OutputFile(path: path, interruption: interruption)
    self.interruption = interruption
    nameOfPNG = path.extension?.lowercased() == "png" ? printable(path) : nil
  }

  func write(_ svg: String) throws(OutputError) {
    guard let nameOfPNG else { return try file.write(svg.utf8) }
    try file.write(png(of: svg, name: nameOfPNG))
  }

  func finish() throws(OutputError) { try file.commit() }

  /// Writes a complete picture.
  static func deliver(_ svg: String, to path: FilePath) throws(RunError) {
    try RunError.writing { () throws(OutputError) in
      let plot = try PlotFile(path)
      try plot.write(svg)
      try plot.finish()
    }
  }

  /// Returns the path of `--plot`, whose extension says what to write. It finds out before the work whether that can be
  /// written.
  static func name(_ argument: PathArgument?) throws(RunError) -> FilePath? {
    guard let path = try argument?.file(for: "--plot", ending: ".svg or .png") else { return nil }
    let ending = path.extension?.lowercased()
    guard ["svg", "png"].contains(ending) else {
      throw RunError("--plot \(path.nameAsInput): end the name with .svg or .png")
    }
    if ending == "png", !ProgramSearch.finds(converter) {
      throw RunError(OutputError.noConverter(name: printable(path)))
    }
    return path
  }

  private static let converter = "rsvg-convert"

  /// The picture has twice as many pixels as the SVG, for paper.
  private func png(of svg: String, name: String) throws(OutputError) -> [UInt8] {
    var files: [FileDescriptor] = []
    defer { for file in files { try? file.close() } }
    do {
      for _ in 0..<2 { files.append(try Spool.makeFile()) }
      try files[0].writeAll(svg.utf8)
      try files[0].seek(offset: 0, from: .start)
    } catch {
      throw .noTemporaryFile(name: name, error as? Errno ?? .ioError)
    }
    let arguments = ["--zoom", "2", "--format", "png"].map { Array($0.utf8) }
    var command = ChildProcess.Command(FilePath(Self.converter), arguments)
    (command.input, command.output) = (files[0], files[1])
    let complaint: String
    do throws(Errno) {
      let child = try ChildProcess(command)
      interruption?.watch(file, ending: child)
      defer { interruption?.forget(file) }
      guard let failure = child.wait(endingGroup: true).complaint else {
        return try files[1].readWhole()
      }
      complaint = failure
    } catch {
      throw ChildProcess.notFound.contains(error)
        ? .noConverter(name: name) : .noTemporaryFile(name: name, error)
    }
    throw .converterFailed(name: name, complaint)
  }
}

extension FileDescriptor {
  /// Returns all bytes of a file.
  func readWhole() throws(Errno) -> [UInt8] {
    try catching {
      let length = try seek(offset: 0, from: .end)
      return try [UInt8](unsafeUninitializedCapacity: Int(length)) { buffer, count in
        while count < buffer.count {
          let room = UnsafeMutableRawBufferPointer(
            rebasing: UnsafeMutableRawBufferPointer(buffer)[count...])
          let read = try read(fromAbsoluteOffset: Int64(count), into: room)
          if read == 0 { break }
          count += read
        }
      }
    }
  }
}
