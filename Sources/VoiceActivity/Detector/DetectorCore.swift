internal import CVoiceActivity
internal import Synchronization

/// The memory of one detector, and what any thread may ask of it.
///
/// `@unchecked`: the promise of `voice_activity.h`. Any thread may mute and look at the status; everything else is
/// one thread's at a time, which ``VoiceActivityDetector`` sees to by being noncopyable.
final class DetectorCore: @unchecked Sendable {
  /// For the calls of C.
  let detector: OpaquePointer
  /// Of a detector that is timed.
  let stopwatch: Stopwatch?
  private let memory: UnsafeMutableRawPointer

  // What C does not count. The analysis counts, any thread reads.
  private let onsets = Atomic<UInt64>(0)
  private let mutedSpeeches = Atomic<UInt64>(0)
  private let gaps = Atomic<UInt64>(0)
  /// From before the last ``reset()``, with which C begins at 0.
  private let hopsBefore = Atomic<UInt64>(0)
  private let missingSamplesBefore = Atomic<UInt64>(0)

  /// What C does in memory of its own.
  private typealias Making = (
    UnsafeMutableRawPointer, Int, UnsafeMutablePointer<OpaquePointer?>
  ) -> va_status_code

  private init(isTimed: Bool, _ make: Making) throws(VoiceActivityError) {
    let size = va_detector_size()
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
    try self.init(isTimed: isTimed) { memory, size, detector in
      va_detector_init(memory, size, &config, detector)
    }
  }

  convenience init(
    restoring bytes: UnsafeRawBufferPointer, isTimed: Bool
  ) throws(VoiceActivityError) {
    guard !bytes.isEmpty else { throw .savedData }
    try self.init(isTimed: isTimed) { memory, size, detector in
      va_detector_restore(memory, size, bytes.baseAddress, bytes.count, detector)
    }
    // What was counted elsewhere is not counted here again.
    let before = cStatus
    hopsBefore.store(0 &- before.hops, ordering: .releasing)
    missingSamplesBefore.store(0 &- before.missing_samples, ordering: .releasing)
  }

  deinit {
    stopwatch?.deallocate()
    memory.deallocate()
  }

  /// Of the thread that analyses.
  func reset() {
    let before = cStatus
    va_detector_reset(detector)
    // In this order, and read in the other, so that totals may seem low for a moment but never high.
    hopsBefore.wrappingAdd(before.hops, ordering: .releasing)
    missingSamplesBefore.wrappingAdd(before.missing_samples, ordering: .releasing)
  }

  /// Of the thread that analyses.
  func count(_ kind: VoiceActivityEvent.Kind) {
    switch kind {
    case .onset: onsets.wrappingAdd(1, ordering: .relaxed)
    case .mutedSpeechBegin: mutedSpeeches.wrappingAdd(1, ordering: .relaxed)
    case .discontinuity: gaps.wrappingAdd(1, ordering: .relaxed)
    case .offset, .mutedSpeechEnd: break
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
    return VoiceActivityTotals(
      hops: hopsBefore &+ now.hops, onsets: onsets.load(ordering: .relaxed),
      mutedSpeeches: mutedSpeeches.load(ordering: .relaxed), gaps: gaps.load(ordering: .relaxed),
      missingSamples: missingSamplesBefore &+ now.missing_samples)
  }
}
