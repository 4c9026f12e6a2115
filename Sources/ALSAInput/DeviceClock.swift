/// A look at a device's counter: where it was at a time.
///
/// ALSA does not tell both at once, so the counter is read before and after the clock: at `time` it
/// stood within `position`, whatever kept the thread in between.
struct Sighting: Hashable {
  /// CLOCK_MONOTONIC, ns.
  var time: Int64
  /// Frames that the device has made since capture began, as far as anybody knows.
  var position: ClosedRange<Int64>
}

/// Knows how many frames a device would have made by a time.
///
/// While a device runs, its counter says what was made and lost, to the frame. Across a stop it does
/// not: a device that stood, or was gone, counts from 0 again. Time is then all there is to tell how
/// much was missed.
///
/// The device is modelled as making frame n (from 0) from `delay` + n to `delay` + n + 1 frames' time
/// after the origin. Each sighting confines the delay to an interval of one frame's length, and the
/// intervals of a few sightings have very little in common: for a device that keeps its rate the delay
/// is soon known to a small part of a frame, and every answer is exact.
///
/// Sightings contradict each other for two reasons. A device can be *late*: its counter moves in steps,
/// or stands for a while, and then it catches up. No device is *early*. So the least delay of the last
/// second counts: an early sighting corrects it at once, a late one only if a second has brought no
/// other. That also follows a real crystal, which is off by 10 … 100 ppm; answers are then off by the
/// counter's step and by what the crystal drifts in two seconds: 10 frames at 48 kHz.
///
/// A device that is late by more than a *stall*, 50 ms or two periods, was not slow: it stood, and either catches up
/// with what it kept, or goes on without the frames that it did not make. A sound server does either. The first frames
/// do not say which, so they wait in the device's buffer until the delay has been steady for a moment; then what the
/// counter lacks is missing. Stalls that are shorter cannot be told from a counter that moves in steps.
///
/// Before its first frames a device is never late: some begin seconds after they were started.
struct DeviceClock {
  /// What a sighting says of the frames in front of those that have come.
  enum Verdict: Hashable {
    /// All are there.
    case whole
    /// The device stood. Leave what has come where it is: the next sightings tell whether it catches up.
    case undecided
    /// The device stood, and has left out what ``missing(at:)`` says.
    case missing
  }

  /// A device that stood and gives again.
  private struct Doubt {
    var since: Int64
    /// Since when the delay is about `delay`.
    var steadySince: Int64
    var delay: Double
  }

  /// A device of which every sighting was late.
  private struct Late {
    var since: Int64
    /// The delays that the first sighting allows, and all of them: the least.
    var first: Double
    var least: Double
  }

  /// How long a device must be late to be believed, ns.
  private static let patience: Int64 = 1_000_000_000

  /// In frames.
  private let stall: Double
  /// How long a delay must be steady after a stall, ns.
  private let settling: Int64
  /// As many frames may wait in the device's buffer.
  private let room: Int64
  private var doubt: Doubt?
  /// A frame has come.
  private var hasBegun = false
  private let framesPerNanosecond: Double
  private let origin: Int64
  /// In frames.
  private var delay: ClosedRange<Double>
  /// Where the counter was last seen.
  private var lastPosition: Int64 = 0
  private var late: Late?

  /// - Parameters:
  ///   - start: When the device was started: before and after the call that did it.
  ///   - periodFrames: How often it wakes its reader.
  ///   - bufferFrames: How many frames it keeps.
  init(sampleRate: Int, start: ClosedRange<Int64>, periodFrames: Int, bufferFrames: Int) {
    framesPerNanosecond = Double(sampleRate) / 1e9
    origin = start.lowerBound
    delay = 0...Double(start.upperBound - start.lowerBound) * framesPerNanosecond
    stall = Double(max(sampleRate / 20, 2 * periodFrames))
    settling = Int64(min(2 * stall, Double(bufferFrames) / 4) / framesPerNanosecond)
    room = Int64(bufferFrames) / 2
  }

  /// Learns from a sighting. Not across a stop: ``missing(at:)`` comes first then.
  ///
  /// - Parameter unread: Frames of the counter that have not been read.
  mutating func note(_ sighting: Sighting, unread: Int64) -> Verdict {
    let elapsed = elapsed(sighting.time)
    // The delays d for which ⌊elapsed − d⌋ is a position that was seen.
    let least = elapsed - Double(sighting.position.upperBound) - 1
    let most = elapsed - Double(sighting.position.lowerBound)
    let moved = sighting.position.upperBound > lastPosition
    lastPosition = sighting.position.upperBound
    if least <= delay.upperBound {
      delay = delay.clamped(to: least...most)
      (late, doubt) = (nil, nil)
      hasBegun = hasBegun || moved
      return .whole
    }
    // A counter that stands is not late but tells nothing; this one moves.
    if moved, let delay = noteLate(least, sighting.time) { return believe(delay) }
    return judge(least, sighting.time, unread)
  }

  /// The least delay of the last second, if every sighting was late. A stall is not taken for a late counter, nor one
  /// for the other: if the device is catching up, the second begins anew.
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

  private mutating func judge(_ least: Double, _ time: Int64, _ unread: Int64) -> Verdict {
    guard isStall(least), unread > 0 else {
      doubt = nil
      return .whole
    }
    var doubt = doubt ?? Doubt(since: time, steadySince: time, delay: least)
    if abs(least - doubt.delay) > stall / 2 { (doubt.steadySince, doubt.delay) = (time, least) }
    self.doubt = doubt
    if time - doubt.steadySince >= settling { return believe(least) }
    // A device that keeps on changing its mind must be read all the same; a second decides.
    let isPatient = unread <= room && time - doubt.since < 2 * settling
    return isPatient && hasBegun ? .undecided : .whole
  }

  private mutating func believe(_ new: Double) -> Verdict {
    (late, doubt) = (nil, nil)
    defer { hasBegun = true }
    if hasBegun && isStall(new) { return .missing }
    delay = new...new
    return .whole
  }

  /// Frames that a device lacks which has stood until now, though it never said so; 0 if it is not late.
  func lacking(at time: Int64, from position: Int64) -> Int64 {
    let lacking = self.position(at: time).lowerBound - position
    return hasBegun && Double(lacking) > stall ? lacking : 0
  }

  /// Frames that would have been made by then.
  func position(at time: Int64) -> ClosedRange<Int64> {
    let elapsed = elapsed(time)
    func frames(_ delay: Double) -> Int64 { Int64((elapsed - delay).rounded(.down)) }
    return frames(delay.upperBound)...frames(delay.lowerBound)
  }

  /// Frames that a counter lacks.
  func missing(at sighting: Sighting) -> ClosedRange<Int64> {
    let (made, seen) = (position(at: sighting.time), sighting.position)
    return made.lowerBound - seen.upperBound...made.upperBound - seen.lowerBound
  }

  /// Since the origin, in frames. A Double is exact to 10⁻³ frames for a year at 192 kHz.
  private func elapsed(_ time: Int64) -> Double { Double(time - origin) * framesPerNanosecond }
}
