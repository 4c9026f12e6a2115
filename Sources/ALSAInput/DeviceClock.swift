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
struct DeviceClock {
  /// How long a device must be late to be believed, ns.
  private static let patience: Int64 = 1_000_000_000

  private let framesPerNanosecond: Double
  private let origin: Int64
  /// In frames.
  private var delay: ClosedRange<Double>
  /// Where the counter was last seen.
  private var lastPosition: Int64 = 0
  /// Since when every sighting was late, and the least delay that they allow.
  private var late: (since: Int64, delay: Double)?

  /// - Parameter start: When the device was started: before and after the call that did it.
  init(sampleRate: Int, start: ClosedRange<Int64>) {
    framesPerNanosecond = Double(sampleRate) / 1e9
    origin = start.lowerBound
    delay = 0...Double(start.upperBound - start.lowerBound) * framesPerNanosecond
  }

  /// Learns from a sighting. Not across a stop: ``missing(at:)`` comes first then.
  mutating func note(_ sighting: Sighting) {
    let elapsed = elapsed(sighting.time)
    // The delays d for which ⌊elapsed − d⌋ is a position that was seen.
    let least = elapsed - Double(sighting.position.upperBound) - 1
    let most = elapsed - Double(sighting.position.lowerBound)
    if least <= delay.upperBound {
      delay = delay.clamped(to: least...most)
      late = nil
    } else if sighting.position.upperBound > lastPosition {
      noteLate(least, sighting.time)
    }
    lastPosition = sighting.position.upperBound
  }

  /// A counter that stands is not late but tells nothing; this one moves.
  private mutating func noteLate(_ least: Double, _ time: Int64) {
    let (since, earlier) = late ?? (time, least)
    late = (since, min(earlier, least))
    guard time - since >= Self.patience else { return }
    delay = min(earlier, least)...min(earlier, least)
    late = nil
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
