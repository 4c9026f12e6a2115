internal import Glibc
internal import Processes
internal import RealTime
internal import Synchronization
internal import SystemPackage

/// An ffmpeg process that decodes one recording, for formats that libsndfile does not read. It writes the first sound
/// track to a pipe as WAV of floats, at the track's own rate and channels.
///
/// There is no shell. The child has its own process group, so that Ctrl-C does not reach it directly; its owner ends
/// it. The owner always waits for it.
///
/// Threads: one at a time, except for ``stop()``; a thread of its own reads ffmpeg's messages. `@unchecked Sendable` is
/// safe because one thread at a time uses it: the one that opens the recording, then the one that reads, then its
/// owner's deinit. ``stop()`` uses only the constant `child`, whose state has a lock, and an atomic.
final class MediaDecoder: @unchecked Sendable {
  /// The usual name of the format that it decodes.
  let format: String
  /// How the recording ends, if it does not simply end with the file. What begins behind it is not decoded.
  let end: RecordingEnd?
  /// The descriptor of its output, which the reader closes.
  let output: FileDescriptor

  private let child: ChildProcess
  private let listener: JoinableThread
  private let messages: DecoderMessages
  private var hasEnded = false
  /// Relaxed, because no other memory depends on it.
  private let stopped = Atomic(false)

  /// Decodes a file by name, up to `end` if another recording follows.
  convenience init(
    _ path: FilePath, format: String, demuxer: String?, end: RecordingEnd?
  ) throws(AudioInputError) {
    let name = path.withPlatformString { name in
      UnsafeBufferPointer(start: name, count: strlen(name)).map { UInt8(bitPattern: $0) }
    }
    try self.init(path.string, format, demuxer, input: nil, file: name, end: end)
  }

  /// Decodes an open file, which stays the caller's to close, up to `end` if another recording follows.
  convenience init(
    _ file: FileDescriptor, name: String, format: String, demuxer: String?, end: RecordingEnd?
  ) throws(AudioInputError) {
    try self.init(name, format, demuxer, input: file, file: Array("/dev/stdin".utf8), end: end)
  }

  /// The formats that ffmpeg may read, unless one is certain. They hold their sound themselves, whereas playlists
  /// (concat, HLS, DASH) name other files, which an input must not make us read.
  private static let formats = """
    aac,ac3,amr,amrnb,amrwb,ape,asf,asf_o,avi,dts,dtshd,eac3,flac,flv,gsm,loas,matroska,mov,mp3,\
    mpeg,mpegts,nut,ogg,rm,tta,wav,wv
    """

  private init(
    _ name: String, _ format: String, _ demuxer: String?, input: FileDescriptor?, file: [UInt8],
    end: RecordingEnd?
  ) throws(AudioInputError) {
    // Without a check of the checksums, damage within a WavPack is played.
    let options = """
      -nostdin -hide_banner \(DecoderMessages.options) -err_detect crccheck \
      -protocol_whitelist file,subfile -format_whitelist \(demuxer ?? Self.formats) \
      \(demuxer.map { "-f \($0)" } ?? "") -i
      """
    var protocols = "file:"
    if case .before(_, let offset)? = end {
      protocols = "subfile,,start,0,end,\(offset),,:" + protocols
    }
    let url = Array(protocols.utf8) + file
    // Map the whole first sound track and nothing else: no pictures, subtitles, chapters or tags. Replace what is missing
    // or cannot be decoded by silence of the same length, so that times stay those of the recording. Silence before the
    // first sound is added by the reader: ffmpeg would hold it in memory, 1.6 GB for an hour.
    let results = """
      -map 0:a:0 -af \(DecoderMessages.filter),aresample=async=1 -map_metadata -1 -c:a pcm_f32le \
      -f wav pipe:1
      """
    func words(_ text: String) -> [[UInt8]] { text.split(separator: " ").map { Array($0.utf8) } }
    self.format = format
    self.end = end
    do {
      (child, output, messages, listener) = try Self.start(
        words(options) + [url] + words(results), input)
    } catch {
      guard ChildProcess.notFound.contains(error) else { throw .readFailed(name: name, error) }
      throw .decoderMissing(name: name, format: format)
    }
  }

  /// Starts ffmpeg and the thread that reads its messages, or neither.
  private static func start(
    _ arguments: [[UInt8]], _ input: FileDescriptor?
  ) throws(Errno) -> (ChildProcess, FileDescriptor, DecoderMessages, JoinableThread) {
    var (own, childs): ([FileDescriptor], [FileDescriptor]) = ([], [])
    defer { for descriptor in childs { try? descriptor.close() } }
    do throws(Errno) {
      for _ in 0..<2 {
        let pipe = try FileDescriptor.pipe(options: .closeOnExec)
        own.append(pipe.readEnd)
        childs.append(pipe.writeEnd)
      }
      var command = ChildProcess.Command("ffmpeg", arguments)
      (command.input, command.output, command.errors) = (input, childs[0], childs[1])
      let child = try ChildProcess(command)
      let messages = DecoderMessages()
      do throws(Errno) {
        let listener = try JoinableThread(running: { [errors = own[1]] in messages.read(errors) })
        return (child, own[0], messages, listener)
      } catch {
        child.kill()
        _ = child.wait(endingGroup: true)
        throw error
      }
    } catch {
      for descriptor in own { try? descriptor.close() }
      throw error
    }
  }

  /// The longest delay of the first sound that is left out, in seconds. Encoders of WMA and others have up to 0.13 s at
  /// 8 kHz, which decoders drop.
  private static let encoderDelay = 0.15
  /// The longest delay that is believed, in seconds. A damaged time may be of any size.
  private static let longestDelay = 86_400.0

  /// Waits until ffmpeg has decoded the first sound, or has ended.
  ///
  /// - Returns: How much later than the recording the first sound begins, in seconds, as in a video whose sound is
  ///   switched on late.
  func silenceBeforeSound() -> Double {
    let start = messages.atFirstSound().start
    return Self.encoderDelay...Self.longestDelay ~= start ? start : 0
  }

  /// The warnings about tracks that are not decoded, and about a time of the first sound that is not believed. Waits as
  /// ``silenceBeforeSound()`` does.
  var warningsAtStart: [AudioInputWarning] {
    let report = messages.atFirstSound()
    var warnings: [AudioInputWarning] = []
    if report.trackCount > 1 { warnings.append(.otherTracks(count: report.trackCount)) }
    if report.start > Self.longestDelay {
      warnings.append(.implausibleStart(seconds: report.start))
    }
    return warnings
  }

  /// Ends ffmpeg early, even while another thread waits for it in ``finish()``. Any thread may call it.
  func stop() {
    stopped.store(true, ordering: .relaxed)
    child.kill()
  }

  deinit { if !hasEnded { kill() } }

  /// Waits until ffmpeg has ended.
  ///
  /// - Returns: Its last message, or its exit status if that is not 0; `nil` if all went well or it was stopped.
  func finish() -> String? {
    if hasEnded { return nil }
    hasEnded = true
    let end = child.wait(endingGroup: true)
    listener.join()
    if stopped.load(ordering: .relaxed) { return nil }
    return messages.atEnd().complaint ?? end.complaint.map { "it \($0)" }
  }

  /// The least difference from the stated duration that counts, in seconds. Encoders' padding is shorter.
  private static let durationTolerance = 0.5

  /// Returns how many seconds of the duration that the recording states were not decoded; `nil` if none, or if it states
  /// no duration. Valid after ``finish()``.
  func missingSeconds(decoded: Double) -> Double? {
    messages.atEnd().statedDuration.map { $0 - decoded }.flatMap { missing in
      missing < Self.durationTolerance ? nil : missing
    }
  }

  /// Whether ffmpeg ended because there is no sound. Valid after ``finish()``. The two wordings are those of ffmpeg 4
  /// to 7.
  var foundNoSound: Bool {
    let report = messages.atEnd()
    return report.hasError("matches no streams") || report.hasError("not contain any stream")
  }

  /// Whether ffmpeg refused the input because its format is not one that it may read. Valid after ``finish()``.
  var refusedFormat: Bool { messages.atEnd().hasError("not on whitelist") }

  /// Kills ffmpeg and waits for it.
  private func kill() {
    hasEnded = true
    child.kill()
    _ = child.wait(endingGroup: true)
    listener.join()
  }
}
