internal import Processes
internal import RealTime
internal import SystemPackage

/// A decoder by an ffmpeg process of a file: of formats that nobody here reads, and of what others refuse. ffmpeg
/// writes the first sound track to a pipe as WAV of floats, at the track's own rate and channels.
///
/// There is no shell. The child has its own process group, so that Ctrl-C does not reach it directly; its owner ends
/// it. The owner always waits for it.
///
/// Threads: one at a time, except for ``stop()``; a thread of its own reads ffmpeg's messages. `@unchecked Sendable` is
/// safe because ``stop()`` uses only the constant `child`, whose state has a lock, and the stream, which any thread may
/// stop.
final class FFmpegDecoder: SoundDecoder, @unchecked Sendable {
  var stream: ByteStream { region.stream }

  private let format: AudioFormat?
  private let region: Region
  /// What ffmpeg does not report.
  private let flaws: AudioFormat.Flaws
  /// The region as ffmpeg calls it.
  private let url: String
  private let child: ChildProcess
  /// Our ends of ffmpeg's output and of its messages.
  private let pipes: [FileDescriptor]
  private let output: ByteStream
  private let messages = FFmpegMessages()
  private let listener: JoinableThread
  private var sound: PCMDecoder?
  private var silentFrames: Int64 = 0
  private var framesRead: Int64 = 0
  private(set) var info: SoundInfo
  private var hasEnded = false

  /// The formats that ffmpeg may read, unless one is certain. They hold their sound themselves, whereas playlists
  /// (concat, HLS, DASH) name other files, which an input must not make us read.
  private static let formats = Set(
    AudioFormat.all.flatMap(\.demuxers) + AudioFormat.otherDemuxers
  ).sorted().joined(separator: ",")

  /// Starts ffmpeg on a region of a file.
  ///
  /// - Parameters:
  ///   - format: The format, as far as it is known.
  ///   - isCertain: Whether ffmpeg need not find out the format.
  /// - Throws: ``Refusal`` if there is no ffmpeg.
  init(
    _ region: Region, _ format: AudioFormat?, isCertain: Bool, _ flaws: AudioFormat.Flaws
  ) throws(Refusal) {
    (self.region, self.format, self.flaws) = (region, format, flaws)
    info = SoundInfo((format.map { "\($0.name), " } ?? "") + "decoded by ffmpeg")
    url = "subfile,,start,\(region.start),end,\(region.end ?? 0),,:file:/dev/stdin"
    let demuxer = isCertain ? format?.demuxers.first : nil
    // Without a check of the checksums, damage within a WavPack is played.
    let options = """
      -nostdin -hide_banner \(FFmpegMessages.options) -err_detect crccheck \
      -protocol_whitelist file,subfile -format_whitelist \(demuxer ?? Self.formats) \
      \(demuxer.map { "-f \($0)" } ?? "") -i \(url)
      """
    // Map the whole first sound track and nothing else: no pictures, subtitles, chapters or tags. Replace what is
    // missing or cannot be decoded by silence of the same length, so that times stay those of the recording. Silence
    // before the first sound is added by the reader: ffmpeg would hold it in memory, 1.6 GB for an hour. A time that
    // does not advance is none; sound would be dropped.
    let repair =
      format?.isWithoutTimes == true
      ? "anull" : "asetpts=if(lte(PTS\\,PREV_INPTS)\\,NAN\\,PTS),aresample=async=1"
    let results = """
      -map 0:a:0 -af \(FFmpegMessages.filter),\(repair) -map_metadata -1 -c:a pcm_f32le -f wav pipe:1
      """
    let words = (options + " " + results).split(separator: " ").map { Array($0.utf8) }
    var command = ChildProcess.Command("ffmpeg", words)
    command.input = region.stream.descriptor
    do {
      (child, pipes) = try command.start(piping: \.output, \.errors)
    } catch {
      throw ChildProcess.notFound.contains(error)
        ? Refusal.noFFmpeg : .cannotStartFFmpeg(error)
    }
    do {
      output = try ByteStream(pipes[0], name: region.stream.name)
      listener = try JoinableThread { [messages, pipes] in messages.read(pipes[1]) }
    } catch {
      child.kill()
      _ = child.wait(endingGroup: true)
      for pipe in pipes { try? pipe.close() }
      throw Refusal.cannotStartFFmpeg(error)
    }
  }

  deinit {
    if !hasEnded { child.kill() }
    _ = end()
    for pipe in pipes { try? pipe.close() }
  }

  /// The object that ``begin()`` waits for.
  var awaited: AnyObject { output }

  /// The longest delay of the first sound that is left out, in seconds. Encoders of WMA and others have up to 0.13 s at
  /// 8 kHz, which decoders drop.
  private static let encoderDelay = 0.15
  /// The longest delay that is believed, in seconds. A damaged time may be of any size.
  private static let longestDelay = 86_400.0

  /// Waits until ffmpeg has decoded the first sound. Where it begins later than the recording, as in a video whose
  /// sound is switched on late, silence comes first.
  ///
  /// - Throws: ``Refusal`` if it decodes none.
  func begin() throws(Refusal) {
    if let description = AudioFormat.wave.pcm?(Region(output)) {
      let decoder = PCMDecoder(description, Region(output))
      sound = decoder
      info.format = decoder.info.format
      let report = messages.atFirstSound()
      let start = report.start
      info.containerStart = report.containerStart
      let isLate = Self.encoderDelay...Self.longestDelay ~= start
      silentFrames = isLate ? Int64((start * Double(info.format.sampleRate)).rounded()) : 0
      return
    }
    let complaint = end()
    if output.isStopped { throw .says("ffmpeg", "it was stopped") }
    throw messages.atEnd().refusal ?? .says("ffmpeg", complaint ?? "it found no sound")
  }

  func next(_ wanted: Int) -> SoundBlock? {
    guard var block = sound?.next(wanted) else { return nil }
    (block.silentFrames, silentFrames) = (silentFrames, 0)
    framesRead += block.silentFrames + Int64(block.frameCount)
    return block
  }

  /// The least difference from the stated duration that counts, in seconds. Encoders' padding is shorter.
  private static let durationTolerance = 0.5

  func finish() -> [AudioInputWarning] {
    let complaint = end()
    guard !output.isStopped else { return [] }
    if let end = region.end { region.stream.move(to: end) }
    let report = messages.atEnd()
    var warnings: [AudioInputWarning] = []
    if report.trackCount > 1 { warnings.append(.otherTracks(count: report.trackCount)) }
    if report.start > Self.longestDelay {
      warnings.append(.implausibleStart(seconds: report.start))
    }
    let missing = report.statedDuration.map { $0 - info.format.seconds(framesRead) } ?? 0
    let silence = info.format.seconds(report.silentFrames)
    let isStated = missing >= Self.durationTolerance
    let hasEndedEarly = isStated || flaws.isCutOff
    if hasEndedEarly {
      warnings.append(.endedEarly(missingSeconds: isStated ? missing : nil))
    }
    // Without damage, the recording itself may have a pause there.
    if silence > 0, flaws.isDamaged {
      warnings.append(.gaps(seconds: silence))
    } else if !hasEndedEarly, let flaw = flaw(report, complaint) {
      warnings.append(flaw)
    }
    return warnings
  }

  /// The most telling flaw of a recording that is neither too short nor has gaps.
  private func flaw(
    _ report: FFmpegMessages.Evaluation, _ complaint: String?
  ) -> AudioInputWarning? {
    if report.rateChanges, format?.isWithoutTimes != true {
      // aresample=async then follows false times.
      return .decoder(message: "its sample rate changes, and later times may be wrong")
    }
    if let complaint { return .decoder(message: complaint) }
    return flaws.isDamaged ? .endedEarly(missingSeconds: nil) : nil
  }

  /// Waits until ffmpeg has ended. Returns its last message, or its exit status if that is not 0; `nil` if all went
  /// well.
  private func end() -> String? {
    guard !hasEnded else { return nil }
    hasEnded = true
    let end = child.wait(endingGroup: true)
    listener.join()
    let message = messages.atEnd().complaint?.replacing("\(url): ", with: "")
    return message ?? end.complaint.map { "it \($0)" }
  }

  var stopper: @Sendable () -> Void { { self.stop() } }

  /// Ends ffmpeg early, even while another thread waits for it. Any thread may call it.
  func stop() {
    output.stop()
    child.kill()
  }
}
