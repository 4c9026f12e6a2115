internal import Glibc
internal import SystemPackage
internal import VoiceActivity

/// An ffmpeg process that decodes one recording, for formats that libsndfile does not read. It writes the first audio
/// stream to a pipe as WAV of floats, at the stream's own rate and channels.
///
/// There is no shell. The child has its own process group, so that Ctrl-C does not reach it directly; its owner ends
/// it. The owner always waits for it.
///
/// Threads: one at a time; a thread of its own reads ffmpeg's messages. `@unchecked Sendable` is safe because one
/// thread at a time uses it: the one that opens the recording, then the one that reads, then its owner's deinit.
final class MediaDecoder: @unchecked Sendable {
  /// The usual name of the format that it decodes.
  let format: String
  /// The descriptor of its output, which the reader closes.
  let output: FileDescriptor

  private let child: ChildProcess
  private let listener: JoinableThread
  private let complaints: LastLine
  private var hasEnded = false

  /// Decodes a file by name.
  convenience init(_ path: FilePath, format: String) throws(AudioInputError) {
    let name = path.withPlatformString { Array(UnsafeBufferPointer(start: $0, count: strlen($0))) }
    try self.init(
      path.string, format, input: nil, url: "file:".utf8.map(CChar.init(bitPattern:)) + name + [0])
  }

  /// Decodes an open file, which stays the caller's to close.
  convenience init(
    _ file: FileDescriptor, name: String, format: String
  ) throws(AudioInputError) {
    try self.init(name, format, input: file, url: Array("file:/dev/stdin".utf8CString))
  }

  private init(
    _ name: String, _ format: String, input: FileDescriptor?, url: [CChar]
  ) throws(AudioInputError) {
    let options = "-nostdin -hide_banner -loglevel error -protocol_whitelist file -i"
    // Map the whole first audio stream and nothing else: no pictures, subtitles, chapters or tags. Replace what cannot
    // be decoded by silence of the same length, so that times stay those of the recording.
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

  /// Waits until ffmpeg has ended.
  ///
  /// - Returns: Its last message, or its exit status if that is not 0; `nil` if all went well.
  func finish() -> String? {
    if hasEnded { return nil }
    hasEnded = true
    let status = child.wait()
    listener.join()
    return complaints.text ?? (status == 0 ? nil : "it ended with status \(status)")
  }

  /// Whether ffmpeg ended because there is no sound. Valid after ``finish()``. The two wordings are those of ffmpeg 4
  /// to 7.
  var foundNoSound: Bool {
    complaints.contains("matches no streams") || complaints.contains("not contain any stream")
  }

  /// Kills ffmpeg and waits for it.
  private func end() {
    hasEnded = true
    child.kill()
    _ = child.wait()
    listener.join()
  }
}

/// The last line of a text stream, as a program's last message.
///
/// `@unchecked Sendable` is safe because only the reading thread touches `tail`, until its owner has joined it.
private final class LastLine: @unchecked Sendable {
  /// The newest bytes. They belong to the reading thread until it has ended.
  private var tail: [UInt8] = []

  private static let limit = 400

  /// Reads to the end and closes `input`.
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
