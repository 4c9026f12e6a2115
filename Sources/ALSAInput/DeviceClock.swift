/// A device's counter at a moment in time.
///
/// ALSA does not return both at once, so the counter is read before and after the clock: at `time` it was within
/// `position`, whatever delayed the thread in between.
struct CounterReading: Hashable {
  /// CLOCK_MONOTONIC, ns.
  var time: Int64
  /// The number of frames that the device has made since capture began, within these bounds.
  var position: ClosedRange<Int64>
}

/// Estimates how many frames a device would have made by a given time.
///
/// While a device runs, its counter gives the exact number of frames made and lost. Across a stop it does not: a device
/// that stood still, or was gone, counts from 0 again. Time is then the only measure of how much was missed.
///
/// The model is that the device makes frame n (from 0) between `delay` + n and `delay` + n + 1 frames' time after the
/// origin. Each reading confines the delay to an interval of one frame's length, and the intersection of a few such
/// intervals is very small. For a device that keeps its rate, the delay is soon known to a small part of a frame, and
/// every answer is exact.
///
/// Readings contradict each other for two reasons. A device can be *late*: its counter moves in steps, or stands still
/// for a while and then catches up. But no device is *early*. The clock therefore uses the least delay of the last
/// second: an early reading corrects it at once, and a late one only if a second has brought no other. The same rule
/// follows a real crystal, which is off by 10 … 100 ppm. Answers are then off by the counter's step and by the
/// crystal's drift in two seconds: 10 frames at 48 kHz.
///
/// A device that is late by more than a *stall* (50 ms or two periods, whichever is longer) was not slow but stood
/// still. It then either catches up with what it kept, or continues without the frames that it did not make; a sound
/// server may do either. The first frames do not show which, so they wait in the device's buffer until the delay has
/// been steady for a moment. What the counter lacks then is missing, behind the last frame that was there while it
/// stood: it is looked at often enough to be seen standing. Shorter stalls cannot be distinguished from a counter that
/// moves in steps.
///
/// Before its first frames a device is never late: some devices deliver only seconds after they were started.
struct DeviceClock {
  /// What a reading reveals about the frames in front of those that have arrived.
  enum Verdict: Hashable {
    /// No frames are missing.
    case whole
    /// The device stood still. Read only the `certain` frames, which it made before. Leave the others in its buffer:
    /// the next readings show whether it catches up.
    case undecided(certain: Int64)
    /// The device stood still, and lacks the frames that ``missing(at:)`` returns.
    case missing
  }

  /// A device that stood still and delivers again.
  private struct Doubt {
    var since: Int64
    /// Where the counter stood.
    var position: Int64
    /// The time since which the delay has been about `delay`, ns.
    var steadySince: Int64
    var delay: Double
  }

  /// A series of readings that were all late.
  private struct Late {
    var since: Int64
    /// The least delay, in frames, that the first reading allows, and the least that any of them allows.
    var first: Double
    var least: Double
  }

  /// How long a device must be late before the new delay is accepted, ns.
  private static let patience: Int64 = 1_000_000_000

  /// The threshold of a stall, in frames.
  private let stall: Double
  /// How long a delay must be steady after a stall, ns.
  private let settling: Int64
  /// The number of frames that may wait in the device's buffer.
  private let room: Int64
  private var doubt: Doubt?
  /// Whether a frame has arrived.
  private var hasBegun = false
  private let framesPerNanosecond: Double
  private let origin: Int64
  /// The bounds of the delay, in frames.
  private var delay: ClosedRange<Double>
  /// The last position of the counter.
  private var lastPosition: Int64 = 0
  private var late: Late?

  /// Creates the clock of a device that was just started.
  ///
  /// - Parameters:
  ///   - start: The times before and after the call that started the device. CLOCK_MONOTONIC, ns.
  ///   - periodFrames: The number of frames after which the device wakes its reader.
  ///   - bufferFrames: The size of the device's buffer in frames.
  init(sampleRate: Int, start: ClosedRange<Int64>, periodFrames: Int, bufferFrames: Int) {
    framesPerNanosecond = Double(sampleRate) / 1e9
    origin = start.lowerBound
    delay = 0...Double(start.upperBound - start.lowerBound) * framesPerNanosecond
    stall = Double(Self.stall(sampleRate: sampleRate, periodFrames: periodFrames))
    settling = Int64(min(2 * stall, Double(bufferFrames) / 4) / framesPerNanosecond)
    room = Int64(bufferFrames) / 2
  }

  /// Returns after how many ms the counter must be looked at again, so that it is seen standing while a stall lasts.
  static func longestWait(sampleRate: Int, periodFrames: Int) -> Int32 {
    Int32(750 * stall(sampleRate: sampleRate, periodFrames: periodFrames) / sampleRate)
  }

  private static func stall(sampleRate: Int, periodFrames: Int) -> Int {
    max(sampleRate / 20, 2 * periodFrames)
  }

  /// Updates the clock from a reading. After a stop, call ``missing(at:)`` first.
  ///
  /// - Parameter unread: The frames of the counter that have not been read.
  mutating func note(_ reading: CounterReading, unread: Int64) -> Verdict {
    let elapsed = elapsed(reading.time)
    // The delays d for which ⌊elapsed − d⌋ is a position that was seen.
    let least = elapsed - Double(reading.position.upperBound) - 1
    let most = elapsed - Double(reading.position.lowerBound)
    let stood = lastPosition
    let moved = reading.position.upperBound > stood
    lastPosition = reading.position.upperBound
    if least <= delay.upperBound {
      delay = delay.clamped(to: least...most)
      (late, doubt) = (nil, nil)
      hasBegun = hasBegun || moved
      return .whole
    }
    // A counter that stands still is not late, but carries no information; this one moves.
    if moved, let delay = noteLate(least, reading.time) { return believe(delay) }
    // What a device made before it stands still is certain.
    guard isStall(least), unread > 0, moved || doubt != nil else {
      doubt = nil
      return .whole
    }
    let doubt =
      doubt ?? Doubt(since: reading.time, position: stood, steadySince: reading.time, delay: least)
    return judge(doubt, least, reading.time, unread)
  }

  /// Returns the least delay of the last second if every reading was late.
  ///
  /// Stalls and late counters are kept apart: when one follows the other, or a device is catching up, the second starts
  /// anew.
  private mutating func noteLate(_ least: Double, _ time: Int64) -> Double? {
    var now = late ?? Late(since: time, first: least, least: least)
    let isOther = isStall(now.least) != isStall(least)
    if isOther || isStall(least) && now.first - least > stall / 2 {
      now = Late(since: time, first: least, least: least)
    }
    now.least = min(now.least, least)
    late = now
    return time - now.since >= Self.patience ? now.least : nil
  }

  private func isStall(_ new: Double) -> Bool { new - delay.upperBound > stall }

  private mutating func judge(
    _ doubt: Doubt, _ least: Double, _ time: Int64, _ unread: Int64
  ) -> Verdict {
    var doubt = doubt
    if abs(least - doubt.delay) > stall / 2 { (doubt.steadySince, doubt.delay) = (time, least) }
    self.doubt = doubt
    if time - doubt.steadySince >= settling { return believe(least) }
    // A device whose delay never settles must be read all the same; twice the settling time decides.
    let isPatient = unread <= room && time - doubt.since < 2 * settling
    guard isPatient && hasBegun else { return .whole }
    return .undecided(certain: max(0, unread - (lastPosition - doubt.position)))
  }

  private mutating func believe(_ new: Double) -> Verdict {
    (late, doubt) = (nil, nil)
    defer { hasBegun = true }
    if hasBegun && isStall(new) { return .missing }
    delay = new...new
    return .whole
  }

  /// Returns the frames that a device lacks because it stood still until now without reporting it; 0 if it is not late.
  func lacking(at time: Int64, from position: Int64) -> Int64 {
    let lacking = self.position(at: time).lowerBound - position
    return hasBegun && Double(lacking) > stall ? lacking : 0
  }

  /// Returns the bounds of the number of frames that would have been made by `time`.
  func position(at time: Int64) -> ClosedRange<Int64> {
    let elapsed = elapsed(time)
    func frames(_ delay: Double) -> Int64 { Int64((elapsed - delay).rounded(.down)) }
    return frames(delay.upperBound)...frames(delay.lowerBound)
  }

  /// Returns the bounds of the number of frames that a counter lacks.
  func missing(at reading: CounterReading) -> ClosedRange<Int64> {
    let (made, seen) = (position(at: reading.time), reading.position)
    return made.lowerBound - seen.upperBound...made.upperBound - seen.lowerBound
  }

  /// Returns the time since the origin, in frames. A Double is exact to 10⁻³ frames for a year at 192 kHz.
  private func elapsed(_ time: Int64) -> Double { Double(time - origin) * framesPerNanosecond }
}
