internal import RealTime
internal import Synchronization

/// When the first frame of a capture was captured, from what its device says of the frames that are on their way.
///
/// A reading is late if this thread was interrupted behind it, or if the device stands still, but hardly ever early. The
/// estimate is therefore the least of the last two seconds, and follows a clock that drifts.
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

  private let shared = Atomic(unknown)
  private let framesPerNanosecond: Double
  private var nextLook: Int64 = 0
  /// The least readings of the present second and of the one before.
  private var (least, leastBefore) = (unknown, unknown)
  private var secondEnd: Int64 = 0

  init(sampleRate: Int) { framesPerNanosecond = Double(sampleRate) / 1e9 }

  /// Looks at the device, unless it did so a moment ago; `position` is the position of the next frame to be read.
  func look(_ pcm: CapturePCM, _ position: Int64) {
    if monotonicTime() >= nextLook, let delay = pcm.delay {
      note(position + Int64(delay), at: monotonicTime())
    }
  }

  /// Notes that `position` was captured at `time`.
  func note(_ position: Int64, at time: Int64) {
    nextLook = time + Self.interval
    if time >= secondEnd {
      (leastBefore, least) = (least, Self.unknown)
      secondEnd = time + Self.memory
    }
    least = min(least, time - Int64(Double(position) / framesPerNanosecond))
    shared.store(min(least, leastBefore), ordering: .relaxed)
  }
}
