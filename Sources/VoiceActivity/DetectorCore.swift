internal import CVoiceActivity
internal import Synchronization

/// The memory of one detector, and the calls on it that any thread may make.
///
/// `@unchecked Sendable` is safe because `voice_activity.h` lets any thread mute and read the status. Everything else
/// is for one thread at a time, which the noncopyable ``VoiceActivityDetector`` ensures. The counters are atomics.
final class DetectorCore: @unchecked Sendable {
  /// The detector that C made in `memory`. It is valid as long as this object lives.
  let detector: OpaquePointer
  /// Times the calls; `nil` unless the detector was made with `isTimed`.
  let stopwatch: Stopwatch?
  /// The memory that `detector` lies in. Freed in `deinit`.
  private let memory: UnsafeMutableRawPointer

  // Counts that C does not keep. The analysis adds to them and any thread reads them. Relaxed order is enough, because
  // no other memory depends on these values.
  private let onsets = Atomic<UInt64>(0)
  private let mutedSpeeches = Atomic<UInt64>(0)
  private let gaps = Atomic<UInt64>(0)
  /// What C had counted up to the last ``reset()``, after which C counts from 0 again.
  ///
  /// A reset resets C's counts first and adds to these afterwards, with release order; `totals` reads in the opposite
  /// order, these with acquire order. Totals may therefore be too low for a moment, but never too high.
  private let hopsBefore = Atomic<UInt64>(0)
  private let missingSamplesBefore = Atomic<UInt64>(0)

  /// A C call that makes a detector in the given memory.
  private typealias Making = (
    UnsafeMutableRawPointer, Int, UnsafeMutablePointer<OpaquePointer?>
  ) -> va_status_code

  private init(isTimed: Bool, size: Int, _ make: Making) throws(VoiceActivityError) {
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: size, alignment: Int(VA_DETECTOR_ALIGNMENT))
    var detector: OpaquePointer?
    let code = make(memory, size, &detector)
    guard code == VA_OK, let detector else {
      memory.deallocate()
      throw VoiceActivityError(code)
    }
    self.memory = memory
    self.detector = detector
    stopwatch = isTimed ? Stopwatch() : nil
  }

  convenience init(
    _ configuration: VoiceActivityDetector.Configuration, isTimed: Bool
  ) throws(VoiceActivityError) {
    var config = configuration.cValue
    let size = va_detector_size_for(config.sample_rate_hz)
    try self.init(isTimed: isTimed, size: size) { memory, size, detector in
      va_detector_init(memory, size, &config, detector)
    }
  }

  convenience init(
    restoring bytes: UnsafeRawBufferPointer, isTimed: Bool
  ) throws(VoiceActivityError) {
    guard !bytes.isEmpty else { throw .savedData }
    try self.init(isTimed: isTimed, size: va_detector_size()) { memory, size, detector in
      va_detector_restore(memory, size, bytes.baseAddress, bytes.count, detector)
    }
    // Leaves out what was counted elsewhere: minus the restored counts plus C's counts is 0.
    let before = cStatus
    hopsBefore.store(0 &- before.hops, ordering: .releasing)
    missingSamplesBefore.store(0 &- before.missing_samples, ordering: .releasing)
  }

  deinit {
    stopwatch?.deallocate()
    memory.deallocate()
  }

  /// Returns to position 0. For the thread that analyses.
  func reset() {
    let before = cStatus
    va_detector_reset(detector)
    hopsBefore.wrappingAdd(before.hops, ordering: .releasing)
    missingSamplesBefore.wrappingAdd(before.missing_samples, ordering: .releasing)
  }

  /// Counts an event. For the thread that analyses.
  func count(_ kind: VoiceActivityEvent.Kind) {
    switch kind {
    case .onset: onsets.wrappingAdd(1, ordering: .relaxed)
    case .mutedSpeechBegin: mutedSpeeches.wrappingAdd(1, ordering: .relaxed)
    case .discontinuity: gaps.wrappingAdd(1, ordering: .relaxed)
    default: break
    }
  }

  // MARK: Any thread

  func setMuted(_ isMuted: Bool) { va_detector_set_muted(detector, isMuted) }

  var config: va_config {
    var config = va_config()
    config.struct_size = UInt32(MemoryLayout<va_config>.size)
    va_detector_config(detector, &config)
    return config
  }

  var cStatus: va_status {
    var status = va_status()
    status.struct_size = UInt32(MemoryLayout<va_status>.size)
    va_detector_status(detector, &status)
    return status
  }

  var times: VoiceActivityTimes { stopwatch?.times ?? VoiceActivityTimes() }

  var totals: VoiceActivityTotals {
    let hopsBefore = hopsBefore.load(ordering: .acquiring)
    let missingSamplesBefore = missingSamplesBefore.load(ordering: .acquiring)
    let now = cStatus
    var totals = VoiceActivityTotals()
    totals.hops = hopsBefore &+ now.hops
    totals.onsets = onsets.load(ordering: .relaxed)
    totals.mutedSpeeches = mutedSpeeches.load(ordering: .relaxed)
    totals.gaps = gaps.load(ordering: .relaxed)
    totals.missingSamples = missingSamplesBefore &+ now.missing_samples
    return totals
  }
}
