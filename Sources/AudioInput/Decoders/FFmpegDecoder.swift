internal import Glibc
internal import Processes
internal import RealTime
internal import Synchronization
internal import SystemPackage

/// A decoder by an ffmpeg process of a file: of formats that nobody here reads, and of what others refuse. ffmpeg writes
/// the first sound track to a pipe as WAV of floats, at the track's own rate and channels.
///
/// There is no shell. The child has its own process group, so that Ctrl-C does not reach it directly; its owner ends it.
/// The owner always waits for it.
///
/// Threads: one at a time, except for ``stop()``; a thread of its own reads ffmpeg's messages. `@unchecked Sendable` is
/// safe because ``stop()`` uses only the constant `child`, whose state has a lock, the stream, and an atomic.
final class FFmpegDecoder: SoundDecoder, @unchecked Sendable {
  var stream: ByteStream { region.stream }

  private let format: AudioFormat?
  private let region: Region
  /// Whether the file is cut off, which ffmpeg does not report.
  private let isTorn: Bool
  /// The region as ffmpeg calls it.
  private let url: String
  private let output: ByteStream
  private let child: ChildProcess
  private let listener: JoinableThread
  private let messages: FFmpegMessages
  private var sound: PCMDecoder?
  private var silentFrames: Int64 = 0
  private var framesRead: Int64 = 0
  private(set) var info = SoundInfo(name: "", format: SoundFormat(sampleRate: 0, channelCount: 0))
  private var hasEnded = false
  /// Relaxed, because no other memory depends on it.
  private let stopped = Atomic(false)

  /// The formats that ffmpeg may read, unless one is certain. They hold their sound themselves, whereas playlists
  /// (concat, HLS, DASH) name other files, which an input must not make us read.
  private static let formats = Set(AudioFormat.all.flatMap(\.demuxers)).sorted().joined(
    separator: ",")

  /// Starts ffmpeg on a region of a file.
  ///
  /// - Parameters:
  ///   - format: The format, as far as it is known.
  ///   - isCertain: Whether ffmpeg need not find out the format.
  ///   - isTorn: Whether the file is cut off.
  /// - Throws: ``Refusal`` if there is no ffmpeg.
  init(
    _ region: Region, _ format: AudioFormat?, isCertain: Bool, isTorn: Bool
  ) throws(Refusal) {
    (self.region, self.format, self.isTorn) = (region, format, isTorn)
    url = "subfile,,start,\(region.start),end,\(region.end ?? 0),,:file:/dev/stdin"
    let demuxer = isCertain ? format?.demuxers.first : nil
    // Without a check of the checksums, damage within a WavPack is played.
    let options = """
      -nostdin -hide_banner \(FFmpegMessages.options) -err_detect crccheck \
      -protocol_whitelist file,subfile -format_whitelist \(demuxer ?? Self.formats) \
      \(demuxer.map { "-f \($0)" } ?? "") -i \(url)
      """
    // Map the whole first sound track and nothing else: no pictures, subtitles, chapters or tags. Replace what is missing
    // or cannot be decoded by silence of the same length, so that times stay those of the recording. Silence before the
    // first sound is added by the reader: ffmpeg would hold it in memory, 1.6 GB for an hour.
    let repair = format?.isWithoutTimes == true ? "anull" : "aresample=async=1"
    let results = """
      -map 0:a:0 -af \(FFmpegMessages.filter),\(repair) -map_metadata -1 -c:a pcm_f32le -f wav pipe:1
      """
    let words = (options + " " + results).split(separator: " ").map { Array($0.utf8) }
    do {
      let started = try Self.start(words, region.stream.descriptor)
      (child, messages, listener) = (started.child, started.messages, started.listener)
      output = try ByteStream(started.output, name: region.stream.name, closing: true)
    } catch {
      let isMissing = (error as? Errno).map(ChildProcess.notFound.contains) ?? false
      throw Refusal(decoder: "ffmpeg", reason: isMissing ? Refusal.isMissing : "\(error)")
    }
  }

  /// Starts ffmpeg and the thread that reads its messages, or neither.
  private static func start(
    _ arguments: [[UInt8]], _ input: FileDescriptor
  ) throws(Errno) -> (
    child: ChildProcess, output: FileDescriptor, messages: FFmpegMessages, listener: JoinableThread
  ) {
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
      let messages = FFmpegMessages()
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

  deinit { if !hasEnded { kill() } }

  /// Kills ffmpeg and waits for it.
  private func kill() {
    hasEnded = true
    child.kill()
    _ = child.wait(endingGroup: true)
    listener.join()
  }

  /// The object that ``begin()`` waits for.
  var awaited: AnyObject { output }

  /// Waits until ffmpeg has decoded the first sound.
  ///
  /// - Throws: ``Refusal`` if it decodes none.
  func begin() throws(Refusal) {
    if let description = AudioFormat.wave.pcm?(Region(output)) {
      let decoder = PCMDecoder(description, Region(output), note: { _ in })
      sound = decoder
      info.name = (format.map { "\($0.name), " } ?? "") + "decoded by ffmpeg"
      info.format = decoder.info.format
      silentFrames = Int64((silenceBeforeSound * Double(info.format.sampleRate)).rounded())
    } else {
      let message = end()
      if stopped.load(ordering: .relaxed) {
        throw Refusal(decoder: "ffmpeg", reason: "it was stopped")
      }
      let report = messages.atEnd()
      if report.foundNoSound { throw Refusal(decoder: "ffmpeg", reason: Refusal.noSound) }
      if report.refusedFormat { throw Refusal(decoder: "ffmpeg", reason: Refusal.isPlaylist) }
      throw Refusal(decoder: "ffmpeg", reason: message ?? "it found no sound")
    }
  }

  /// The longest delay of the first sound that is left out, in seconds. Encoders of WMA and others have up to 0.13 s at
  /// 8 kHz, which decoders drop.
  private static let encoderDelay = 0.15
  /// The longest delay that is believed, in seconds. A damaged time may be of any size.
  private static let longestDelay = 86_400.0

  /// How much later than the recording the first sound begins, in seconds, as in a video whose sound is switched on late.
  private var silenceBeforeSound: Double {
    let start = messages.atFirstSound().start
    return Self.encoderDelay...Self.longestDelay ~= start ? start : 0
  }

  func next(_ wanted: Int) -> SoundBlock? {
    var block = SoundBlock(format: info.format, samples: [])
    if silentFrames > 0 {
      let count = min(Int64(wanted), silentFrames)
      silentFrames -= count
      block.samples = Array(repeating: 0, count: Int(count) * info.format.channelCount)
    } else if let decoded = sound?.next(wanted) {
      block = decoded
    } else {
      return nil
    }
    framesRead += Int64(block.frameCount)
    return block
  }

  /// The least difference from the stated duration that counts, in seconds. Encoders' padding is shorter.
  private static let durationTolerance = 0.5

  func finish() -> [AudioInputWarning] {
    output.stop()
    let complaint = end()
    guard !stopped.load(ordering: .relaxed) else { return [] }
    if let end = region.end { region.stream.move(to: end) }
    let report = messages.atEnd()
    var warnings: [AudioInputWarning] = []
    if report.trackCount > 1 { warnings.append(.otherTracks(count: report.trackCount)) }
    if report.start > Self.longestDelay {
      warnings.append(.implausibleStart(seconds: report.start))
    }
    let missing = report.statedDuration.map { $0 - info.format.seconds(framesRead) } ?? 0
    if missing >= Self.durationTolerance || isTorn {
      warnings.append(
        .endedEarly(missingSeconds: missing >= Self.durationTolerance ? missing : nil))
    } else if report.rateChanges, format?.isWithoutTimes != true {
      // aresample=async then follows false times.
      warnings.append(
        .decoder(message: "its sample rate changes, and times behind that may be wrong"))
    } else if let complaint {
      warnings.append(.decoder(message: complaint))
    }
    return warnings
  }

  /// Waits until ffmpeg has ended. Returns its last message, or its exit status if that is not 0; `nil` if all went well.
  private func end() -> String? {
    if hasEnded { return nil }
    hasEnded = true
    let end = child.wait(endingGroup: true)
    listener.join()
    let message = messages.atEnd().complaint?.replacing("\(url): ", with: "")
    return message ?? end.complaint.map { "it \($0)" }
  }

  var stopper: @Sendable () -> Void { { self.stop() } }

  /// Ends ffmpeg early, even while another thread waits for it. Any thread may call it.
  func stop() {
    stopped.store(true, ordering: .relaxed)
    output.stop()
    child.kill()
  }
}
