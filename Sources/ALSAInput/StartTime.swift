internal import RealTime
internal import Synchronization

/// When the first frame of a capture was captured, from what its device says of the frames that are on their way.
///
/// A reading is late if this thread was interrupted behind it, or if the device stands still. The estimate is therefore
/// the least of the last two seconds, and follows a clock that drifts.
///
/// A reading is early while a device delivers nothing, and for a while afterwards, because a sound server's client goes
/// on counting. PulseAudio's client overstates the delay of a new output by up to 1.5 s until it has asked its server
/// again. A reading that is much earlier than the estimate therefore counts only once it has stayed the same for longer
/// than such an error lasts. Until then, the estimate is the time at which frames came.
///
/// Threads: the capture thread alone looks; any thread reads ``value``. `@unchecked Sendable` is safe for that reason.
/// The atomic is relaxed, because no other memory depends on it.
final class StartTime: @unchecked Sendable {
  /// CLOCK_MONOTONIC, ns; `nil` if the device has not told.
  var value: Int64? {
    let value = shared.load(ordering: .relaxed)
    return value == Self.unknown ? nil : value
  }

  private static let unknown = Int64.max
  /// How often to look, and for how long a reading counts at least, ns.
  private static let interval: Int64 = 50_000_000
  private static let memory: Int64 = 1_000_000_000
  /// How much earlier than the estimate a reading must be to be doubted, and for how long, ns.
  private static let (doubtful, patience) = (Int64(50_000_000), Int64(2_000_000_000))

  private let shared = Atomic(unknown)
  private let framesPerNanosecond: Double
  private var nextLook: Int64 = 0
  private var estimate = unknown
  /// The least readings of the present second and of the one before.
  private var (least, leastBefore) = (unknown, unknown)
  private var secondEnd: Int64 = 0
  private var doubt: (start: Int64, since: Int64)?

  init(sampleRate: Int) { framesPerNanosecond = Double(sampleRate) / 1e9 }

  /// Looks at the device, unless it did so a moment ago; `position` is the position of the next frame to be read.
  func look(_ pcm: CapturePCM, _ position: Int64) {
    if monotonicTime() >= nextLook, let delay = pcm.delay {
      note(position, delay: Int64(delay), at: monotonicTime())
    }
  }

  /// Notes that the frames before `position` were read at `time`, and that `delay` more were on their way.
  func note(_ position: Int64, delay: Int64, at time: Int64) {
    nextLook = time + Self.interval
    let told = start(position + delay, time)
    // No frame is read before it is captured.
    estimate = min(estimate, start(position, time))
    if told >= estimate - Self.doubtful {
      doubt = nil
      believe(told, time)
    } else if isLasting(told, time) {
      (least, leastBefore) = (Self.unknown, Self.unknown)
      believe(told, time)
    }
    shared.store(estimate, ordering: .relaxed)
  }

  private func isLasting(_ told: Int64, _ time: Int64) -> Bool {
    guard let doubt, abs(told - doubt.start) < Self.doubtful / 2 else {
      doubt = (told, time)
      return false
    }
    return time - doubt.since >= Self.patience
  }

  private func believe(_ told: Int64, _ time: Int64) {
    if time >= secondEnd {
      (leastBefore, least) = (least, Self.unknown)
      secondEnd = time + Self.memory
    }
    least = min(least, told)
    estimate = min(least, leastBefore)
  }

  private func start(_ position: Int64, _ time: Int64) -> Int64 {
    time - Int64(Double(position) / framesPerNanosecond)
  }
}
