internal import RealTime
internal import SystemPackage

/// What ffmpeg reports about a recording on its standard error while it decodes the first sound track.
///
/// ffmpeg has to run with ``options`` and ``filter``. It then describes the recording, reports when the first sound
/// begins, and only then writes the first sample. It reports missing packets of a transport stream at the level `debug`,
/// which adds some fifty lines for a recording.
///
/// Threads: one reads, and any may ask.
final class FFmpegMessages: Sendable {
  /// Makes ffmpeg report everything that is evaluated here, with the level in front of each message.
  static let options = "-nostats -loglevel level+debug"
  /// Makes ffmpeg report the time of the first decoded frame.
  static let filter =
    "ametadata=add:key=first:value=1:enable=not(n),ametadata=print:key=first"

  private struct State {
    var evaluation = Evaluation()
    var hasEnded = false
  }

  private let state = Guarded(State())

  /// More than the longest message that matters, which has a list of formats and a path of up to 4096 bytes.
  private static let longestLine = 1 << 14

  /// Reads to the end and closes `input`.
  func read(_ input: FileDescriptor) {
    var buffer = [UInt8](repeating: 0, count: 4096)
    var line: [UInt8] = []
    while let count = try? buffer.withUnsafeMutableBytes({ try input.read(into: $0) }), count > 0 {
      for byte in buffer[..<count] {
        if byte == UInt8(ascii: "\n") {
          take(line)
          line = []
        } else if line.count < Self.longestLine {
          line.append(byte)
        }
      }
    }
    take(line)
    state.change { $0.hasEnded = true }
    try? input.close()
  }

  private func take(_ line: [UInt8]) {
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
    /// The newest report of damaged data in each stream; `nil` is the one that is decoded.
    private var damage: [Int?: FFmpegMessage] = [:]
    /// The newest report of a missing packet for each PID of an MPEG transport stream.
    private var losses: [Int: FFmpegMessage] = [:]
    /// Whether the last report of a missing packet is about a PID whose count begins again.
    private var isAtJoint = false
    /// The streams of sound, by their numbers from 0 among all streams, with the PID that a transport stream has.
    private var tracks: [Int: Int?] = [:]
    /// The number of other streams, apart from cover pictures.
    private var otherStreamCount = 0
    private var isDescribed = false
    private var duration: Double?
    private var durationIsEstimated = false
    /// How much later than the recording the first track begins, in seconds, where ffmpeg lets the times begin with
    /// the track: in MPEG program and transport streams.
    private var shift = 0.0
    /// The time of the first decoded frame in seconds.
    fileprivate private(set) var firstTime: Double?
    /// The rate of the sound that was decoded first, and whether another one came.
    private var rate: Int?
    private(set) var rateChanges = false

    private static let mostErrors = 8
    /// A longer duration, in seconds, is a placeholder.
    private static let longest = 1e6
    /// The decoders of cover pictures, whose faults do not matter.
    private static let pictureDecoders = ["[mjpeg]", "[png]", "[gif]", "[webp]", "[bmp]", "[tiff]"]

    var trackCount: Int { tracks.count }

    /// The time of the first sound in seconds, from the beginning of the earliest stream. It may be a little below 0. A
    /// stream that is alone begins where it begins: what decoders drop there is no silence.
    var start: Double { trackCount + otherStreamCount > 1 ? (firstTime ?? 0) + shift : 0 }

    /// How long the recording says the sound is, in seconds; `nil` if it does not say so, or if it may mean another
    /// stream.
    var statedDuration: Double? {
      tracks.count + otherStreamCount == 1 && !durationIsEstimated && (duration ?? 0) < Self.longest
        ? duration : nil
    }

    /// The last error or, without one, the last report of damage in the first track.
    var complaint: String? { (errors.last ?? trackDamage)?.text }

    private var trackDamage: FFmpegMessage? {
      guard let first = tracks.min(by: { $0.key < $1.key }) else { return nil }
      return damage[first.key] ?? damage[nil] ?? first.value.flatMap { losses[$0] }
    }

    /// Whether ffmpeg ended because there is no sound.
    var foundNoSound: Bool {
      hasError("matches no streams") || hasError("not contain any stream")
    }

    /// Whether ffmpeg refused the input because its format is not one that it may read.
    var refusedFormat: Bool { hasError("not on whitelist") }

    private func hasError(_ words: String) -> Bool { errors.contains { $0.text.contains(words) } }

    fileprivate mutating func take(_ message: FFmpegMessage) {
      switch message.level {
      case .error where Self.pictureDecoders.contains { message.text.hasPrefix($0) }: break
      case .error: errors = errors.suffix(Self.mostErrors - 1) + [message]
      case .warning: takeDamage(message)
      case .note: takeNote(message)
      }
    }

    private mutating func takeDamage(_ message: FFmpegMessage) {
      if message.body.hasPrefix("Estimating duration") {
        durationIsEstimated = true
      } else if message.body.hasPrefix("Packet corrupt") {
        damage[message.wholeNumber(behind: "stream =")] = message
      } else if message.body.contains("corrupt input packet")
        || message.body.contains("corrupt decoded frame")
      {
        damage[message.body.split(separator: " ").last.flatMap { Int($0) }] = message
      }
    }

    /// Where another stream was appended, which loses nothing, the counts of several PIDs begin again at 0.
    private mutating func takeLoss(_ message: FFmpegMessage) {
      let beginsAgain = message.wholeNumber(behind: "got") == 0
      if let packetID = message.wholeNumber(behind: "pid"), !(beginsAgain && isAtJoint) {
        losses[packetID] = message
      }
      isAtJoint = beginsAgain
    }

    private mutating func takeStream(_ message: FFmpegMessage) {
      if message.body.contains(": Audio:"), let number = message.wholeNumber(behind: "#0:") {
        tracks[number] = .some(message.hexadecimal(behind: "[0x"))
      } else if !message.body.contains("(attached pic)") {
        otherStreamCount += 1
      }
    }

    private mutating func takeNote(_ message: FFmpegMessage) {
      let body = message.body
      if body.hasPrefix("Stream #0:"), !isDescribed {
        takeStream(message)
      } else if body.hasPrefix("Duration:"), !isDescribed {
        // Some containers count what precedes the first sound, which ffmpeg leaves out. Others do not.
        let start = max(0, message.number(behind: "start:") ?? 0)
        duration = message.time(behind: "Duration:").map { $0 - start }
      } else if body.hasPrefix("Stream mapping") || body.hasPrefix("Output #0") {
        isDescribed = true
      } else if body.hasPrefix("Continuity check failed") {
        takeLoss(message)
      } else if body.hasPrefix("Correcting start time") {
        // In microseconds.
        shift = message.number(behind: "by").map { $0 / 1e6 } ?? shift
      } else if body.hasPrefix("Setting 'sample_rate' to value") {
        let next = message.wholeNumber(behind: "value '")
        rateChanges = rateChanges || rate != nil && rate != next
        rate = next
      } else if body.hasPrefix("frame:0 "), firstTime == nil {
        firstTime = message.number(behind: "pts_time:") ?? 0
      }
    }
  }
}

/// A line of ffmpeg's messages: `[part of ffmpeg @ address] [level] body`.
///
/// The addresses differ in every run, so they are left out.
struct FFmpegMessage {
  enum Level { case error, warning, note }

  let level: Level
  /// What follows the level, without leading spaces.
  let body: Substring
  /// The line without its level and without addresses.
  let text: String

  private static let levels: [Substring: Level] = [
    "panic": .error, "fatal": .error, "error": .error, "warning": .warning, "info": .note,
    "verbose": .note, "debug": .note,
  ]

  /// Returns `nil` for a line without a level, which continues a message.
  init?(_ line: String) {
    var rest = line[...]
    var head = ""
    while rest.first == "[", let end = rest.firstIndex(of: "]") {
      let name = rest[rest.index(after: rest.startIndex)..<end]
      rest = rest[rest.index(after: end)...].drop { $0 == " " }
      if let level = Self.levels[name] {
        (self.level, body, text) = (level, rest, head + rest)
        return
      }
      head += "[\(name.firstRange(of: " @ 0x").map { name[..<$0.lowerBound] } ?? name)] "
    }
    return nil
  }

  /// Returns the number behind the first occurrence of `words` and any spaces.
  func number(behind words: String) -> Double? {
    body.firstRange(of: words).flatMap { found in
      Double(
        body[found.upperBound...].drop { $0 == " " }
          .prefix { $0.isASCII && ($0.isNumber || $0 == "." || $0 == "-") })
    }
  }

  /// Returns the whole number behind the first occurrence of `words` and any spaces.
  func wholeNumber(behind words: String) -> Int? {
    body.firstRange(of: words).flatMap { found in
      Int(body[found.upperBound...].drop { $0 == " " }.prefix { $0.isASCII && $0.isNumber })
    }
  }

  /// Returns the seconds of a time, `hours:minutes:seconds`, behind the first occurrence of `words` and any spaces.
  func time(behind words: String) -> Double? {
    guard let found = body.firstRange(of: words) else { return nil }
    let parts = body[found.upperBound...].drop { $0 == " " }.prefix { $0 != "," }
      .split(separator: ":").map { Double($0) }
    guard parts.count == 3, let hours = parts[0], let minutes = parts[1], let seconds = parts[2]
    else { return nil }
    return (hours * 60 + minutes) * 60 + seconds
  }

  func hexadecimal(behind words: String) -> Int? {
    body.firstRange(of: words).flatMap { found in
      Int(body[found.upperBound...].prefix(while: \.isHexDigit), radix: 16)
    }
  }
}
