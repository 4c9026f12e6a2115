internal import RealTime
internal import SystemPackage

/// What ffmpeg reports about a recording on its standard error while it decodes the first sound track.
///
/// ffmpeg has to run with ``options`` and ``filter``. It then describes the recording, reports when the first sound
/// begins, and only then writes the first sample. It reports missing packets of a transport stream at the level
/// `debug`, which adds some fifty lines for a recording.
///
/// Threads: one reads, and any may ask.
final class FFmpegMessages: Sendable {
  /// Makes ffmpeg report everything that is evaluated here, with the level in front of each message.
  static let options = "-nostats -loglevel level+debug"
  /// Makes ffmpeg report the time of the first decoded frame.
  static let filter =
    "ametadata=add:key=first:value=1:enable=not(n),ametadata=print:key=first"

  private let state = Guarded((evaluation: Evaluation(), hasEnded: false))

  /// More than the longest message that matters, which has a list of formats and a path of up to 4096 bytes.
  private static let longestLine = 1 << 14

  /// Reads to the end.
  func read(_ input: FileDescriptor) {
    var buffer = [UInt8](repeating: 0, count: 4096)
    var text: ArraySlice<UInt8> = []
    while let count = try? buffer.withUnsafeMutableBytes({ try input.read(into: $0) }), count > 0 {
      text = text.prefix(Self.longestLine) + buffer[..<count]
      while let end = text.firstIndex(of: UInt8(ascii: "\n")) {
        take(text[..<end])
        text = text[(end + 1)...]
      }
    }
    take(text)
    state.change { $0.hasEnded = true }
  }

  private func take(_ line: ArraySlice<UInt8>) {
    guard let message = FFmpegMessage(String(decoding: line, as: UTF8.self)) else { return }
    state.change { $0.evaluation.take(message) }
  }

  /// Waits until ffmpeg has decoded the first sound or has ended. Returns what it has reported so far.
  func atFirstSound() -> Evaluation {
    state.wait { $0.hasEnded || $0.evaluation.firstTime != nil ? $0.evaluation : nil }
  }

  /// Waits until ffmpeg has closed its standard error. Returns all that it has reported.
  func atEnd() -> Evaluation { state.wait { $0.hasEnded ? $0.evaluation : nil } }
}

extension FFmpegMessages {
  /// What the messages say. The wordings are those of ffmpeg 4 to 7.
  struct Evaluation {
    /// The newest errors.
    private var errors: [FFmpegMessage] = []
    /// The newest report of damaged data for each stream.
    private var damage: [Int: FFmpegMessage] = [:]
    /// The newest report of a missing packet for each PID of an MPEG transport stream.
    private var losses: [Int: FFmpegMessage] = [:]
    /// Whether the last report of a missing packet is about a PID whose count begins again.
    private var isAtJoint = false
    /// Who reads the file, as errors call it.
    private var demuxer: Substring = ""
    /// The descriptions of the streams of sound, by their numbers from 0 among all streams.
    private var tracks: [Int: Substring] = [:]
    /// The number of streams, apart from cover pictures.
    private var streamCount = 0
    private var isDescribed = false
    private var duration: Double?
    private var durationIsEstimated = false
    /// The time in seconds that the container gives to the beginning of the earliest stream.
    private(set) var containerStart = 0.0
    /// How much later than the recording the first track begins, in seconds, where ffmpeg lets the times begin with
    /// the track: in MPEG program and transport streams.
    private var shift = 0.0
    /// The time of the first decoded frame in seconds.
    fileprivate private(set) var firstTime: Double?
    /// How much silence has taken the place of what is missing.
    private(set) var silentFrames: Int64 = 0
    /// The rate of the sound that was decoded first, and whether another one came.
    private var rate: Double?
    private(set) var rateChanges = false

    private static let mostErrors = 8
    /// A longer duration, in seconds, is a placeholder.
    private static let longest = 1e6

    var trackCount: Int { tracks.count }

    /// The time of the first sound in seconds, from the beginning of the earliest stream. It may be a little below 0. A
    /// stream that is alone begins where it begins: what decoders drop there is no silence.
    var start: Double { streamCount > 1 ? (firstTime ?? 0) + shift : 0 }

    /// How long the recording says the sound is, in seconds; `nil` if it does not say so, or if it may mean another
    /// stream.
    var statedDuration: Double? {
      guard streamCount == 1, !durationIsEstimated, let duration, duration < Self.longest else {
        return nil
      }
      return duration
    }

    /// The last error or, without one, the last report of damage in the first track.
    var complaint: String? { (errors.last ?? trackDamage)?.text }

    private var trackDamage: FFmpegMessage? {
      guard let (number, track) = tracks.min(by: { $0.key < $1.key }) else { return nil }
      return damage[number]
        ?? losses.first { track.contains("[0x\(String($0.key, radix: 16))]") }?.value
    }

    /// Why ffmpeg ended at once, if a user can do something about it.
    var refusal: Refusal? {
      func says(_ words: String) -> Bool { errors.contains { $0.text.contains(words) } }
      if says("matches no streams") || says("not contain any stream") { return .noSound }
      if says("moov atom not found") { return .noIndex }
      return says("not on whitelist") ? .playlist : nil
    }
  }
}

// MARK: - Evaluating messages

extension FFmpegMessages.Evaluation {
  fileprivate mutating func take(_ message: FFmpegMessage) {
    let body = message.body
    if message.isError {
      errors = errors.suffix(Self.mostErrors - 1) + [message]
    } else if body.hasPrefix("Packet corrupt"), let stream = body.integer(behind: "stream =") {
      damage[stream] = message
    } else if body.hasPrefix("Continuity check failed") {
      takeLoss(message)
    } else if body.hasPrefix("Correcting start time") {
      // In microseconds.
      shift = body.number(behind: "by").map { $0 / 1e6 } ?? shift
    } else if body.hasPrefix("Setting 'sample_rate' to value") {
      let next = body.number(behind: "value '")
      rateChanges = rateChanges || rate != nil && rate != next
      rate = next
    } else if let frames = body.integer(behind: "adding"), body.hasSuffix("samples of silence") {
      silentFrames += Int64(frames)
    } else if body.hasPrefix("frame:0 ") {
      firstTime = firstTime ?? body.number(behind: "pts_time:") ?? 0
    } else if !isDescribed {
      takeDescription(body)
    }
  }

  /// Where another stream was appended, which loses nothing, the counts of several PIDs begin again at 0.
  private mutating func takeLoss(_ message: FFmpegMessage) {
    let beginsAgain = message.body.number(behind: "got") == 0
    if let packetID = message.body.integer(behind: "pid"), !(beginsAgain && isAtJoint) {
      losses[packetID] = message
    }
    isAtJoint = beginsAgain
  }

  private mutating func takeDescription(_ body: Substring) {
    if let rest = body.behind("Input #0, ") {
      demuxer = rest.firstRange(of: ", from").map { rest[..<$0.lowerBound] } ?? rest
    } else if let rest = body.behind("Duration:") {
      // Some containers count what precedes the first sound, which ffmpeg leaves out. Others do not.
      containerStart = rest.number(behind: "start:") ?? 0
      duration = Self.seconds(rest).map { $0 - max(0, containerStart) }
    } else if body.hasPrefix("Estimating duration") {
      durationIsEstimated = true
    } else if body.hasPrefix("Stream #0:") {
      if body.contains(": Audio:"), let number = body.integer(behind: "#0:") {
        tracks[number] = body
      }
      if !body.contains("(attached pic)") { streamCount += 1 }
    } else if body.hasPrefix("Stream mapping") {
      isDescribed = true
      // So far ffmpeg has tried the decoders of all streams. The one of the track will report its errors again.
      errors.removeAll { !$0.text.hasPrefix("[\(demuxer)]") }
    }
  }

  /// Returns the seconds of "hours:minutes:seconds, start: seconds".
  private static func seconds(_ duration: Substring) -> Double? {
    let parts = duration.prefix { $0 != "," }.split { ": ".contains($0) }.compactMap { Double($0) }
    guard parts.count == 3 else { return nil }
    return parts.reduce(0) { $0 * 60 + $1 }
  }
}

/// A line of ffmpeg's messages: `[part of ffmpeg @ address] [level] body`.
struct FFmpegMessage {
  let level: Substring
  /// What follows the level, without leading spaces.
  let body: Substring
  /// The line without its level and without addresses, which differ in every run.
  let text: String

  var isError: Bool { Self.errors.contains(level) }

  private static let errors: Set<Substring> = ["panic", "fatal", "error"]
  private static let levels = errors.union(["warning", "info", "verbose", "debug"])

  /// Returns `nil` for a line without a level, which continues a message.
  init?(_ line: String) {
    var (rest, head) = (line[...], "")
    while rest.first == "[", let end = rest.firstIndex(of: "]") {
      let name = rest[..<end].dropFirst()
      rest = rest[end...].dropFirst().drop { $0 == " " }
      if Self.levels.contains(name) {
        (level, body, text) = (name, rest, head + rest)
        return
      }
      head += "[\(name.firstRange(of: " @ 0x").map { name[..<$0.lowerBound] } ?? name)] "
    }
    return nil
  }
}

extension Substring {
  /// Returns what follows `head`, if the text begins so.
  fileprivate func behind(_ head: String) -> Substring? {
    hasPrefix(head) ? dropFirst(head.count) : nil
  }

  /// Returns the number behind the first occurrence of `words` and any spaces.
  fileprivate func number(behind words: String) -> Double? {
    firstRange(of: words).flatMap { found in
      Double(
        self[found.upperBound...].drop { $0 == " " }
          .prefix { $0.isASCII && ($0.isNumber || $0 == "." || $0 == "-") })
    }
  }
  fileprivate func integer(behind words: String) -> Int? {
    number(behind: words).flatMap { Int(exactly: $0) }
  }
}
