internal import Glibc
internal import SystemPackage
internal import VoiceActivity

/// ffmpeg at work on one recording, for formats that libsndfile does not read: writes the first stream of sound to a pipe
/// as WAV of floats, at the rate and with the channels that it has.
///
/// There is no shell. The child is in a process group of its own, so that Ctrl-C reaches it through its user alone, and it
/// is always waited for.
///
/// Threads: one at a time; what ffmpeg says is read by a thread of its own.
final class MediaDecoder: @unchecked Sendable {
  /// What it decodes, by the name that people know.
  let format: String
  /// What it writes. Whoever reads it closes it.
  let output: FileDescriptor

  private let child: ChildProcess
  private let listener: JoinableThread
  private let complaints: LastLine
  private var hasEnded = false

  /// Decodes a file with a name.
  convenience init(_ path: FilePath, format: String) throws(AudioInputError) {
    let name = path.withPlatformString { Array(UnsafeBufferPointer(start: $0, count: strlen($0))) }
    try self.init(
      path.string, format, input: nil, url: "file:".utf8.map(CChar.init(bitPattern:)) + name + [0])
  }

  /// Decodes an open file, which stays the caller's.
  convenience init(
    _ file: FileDescriptor, name: String, format: String
  ) throws(AudioInputError) {
    try self.init(name, format, input: file, url: Array("file:/dev/stdin".utf8CString))
  }

  private init(
    _ name: String, _ format: String, input: FileDescriptor?, url: [CChar]
  ) throws(AudioInputError) {
    let options = "-nostdin -hide_banner -loglevel error -protocol_whitelist file -i"
    // All of the first stream of sound, and nothing else: pictures, subtitles, chapters, tags.
    // What cannot be decoded is silence of that length, so that times stay those of the recording.
    let results = "-map 0:a:0 -af aresample=async=1 -map_metadata -1 -c:a pcm_f32le -f wav pipe:1"
    func words(_ text: String) -> [[CChar]] {
      text.split(separator: " ").map { Array(String($0).utf8CString) }
    }
    self.format = format
    do {
      let started = try ChildProcess.start(
        [Array("ffmpeg".utf8CString)] + words(options) + [url] + words(results), input: input)
      (child, output) = (started.child, started.output)
      let complaints = LastLine()
      self.complaints = complaints
      let errors = started.errors
      listener = try JoinableThread(running: { complaints.read(errors) })
    } catch {
      guard error == .noSuchFileOrDirectory else { throw .readFailed(name: name, error) }
      throw .decoderMissing(name: name, format: format)
    }
  }

  deinit { if !hasEnded { end() } }

  /// Waits until it has ended.
  ///
  /// - Returns: What it said last, or how it ended if not well; `nil` if there is nothing to complain about.
  func finish() -> String? {
    if hasEnded { return nil }
    hasEnded = true
    let status = child.wait()
    listener.join()
    return complaints.text ?? (status == 0 ? nil : "it ended with status \(status)")
  }

  /// Whether it ended because there is no sound; ask after ``finish()``. The two wordings are those of ffmpeg 4 to 7.
  var foundNoSound: Bool {
    complaints.contains("matches no streams") || complaints.contains("not contain any stream")
  }

  /// Ends it, whatever it does.
  private func end() {
    hasEnded = true
    child.kill()
    _ = child.wait()
    listener.join()
  }
}

/// The last line of a stream of text, as a program's last message.
private final class LastLine: @unchecked Sendable {
  /// Belongs to the thread that reads, until that has ended.
  private var tail: [UInt8] = []

  private static let limit = 400

  /// Reads to the end and closes.
  func read(_ input: FileDescriptor) {
    var buffer = [UInt8](repeating: 0, count: 4096)
    while let count = try? buffer.withUnsafeMutableBytes({ try input.read(into: $0) }), count > 0 {
      tail = (tail + buffer[..<count]).suffix(Self.limit)
    }
    try? input.close()
  }

  func contains(_ words: String) -> Bool {
    String(decoding: tail, as: UTF8.self).contains(words)
  }

  var text: String? {
    tail.split(separator: UInt8(ascii: "\n")).last.map { String(decoding: $0, as: UTF8.self) }
  }
}
