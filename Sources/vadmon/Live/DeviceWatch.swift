import ALSAInput

/// A change of a device that the user should know about.
struct DeviceChange: Sendable, Hashable {
  var state: CaptureStatus.State
  var sentence: String
}

/// An observer that detects changes in a capture's status.
struct DeviceWatch: Sendable {
  private var state: CaptureStatus.State
  /// The count of each fault that has been reported.
  private var reported: [CaptureFault: UInt64] = [:]
  /// The position behind sound that was lost because the analysis was too slow; `nil` if the analysis has passed it.
  private var awaited: UInt64?

  /// Creates a watch. A device that was waited for is reported as soon as it delivers.
  init(isWaiting: Bool = false) { state = isWaiting ? .waitingForDevice : .capturing }

  /// The interval between two looks at the status.
  static let interval = Duration.milliseconds(500)

  /// Whether the device is capturing, according to the newest report.
  var isCapturing: Bool { state == .capturing }

  /// Returns what is new in the status, or `nil` if nothing is.
  ///
  /// The sentence about a fault is true only after the fault is over, so it is reported then. A lasting fault changes
  /// the state, which is reported at once.
  ///
  /// - Parameter analysed: The position that the analysis has reached, in frames.
  mutating func look(_ status: CaptureStatus, analysed: UInt64) -> DeviceChange? {
    let before = state
    if status.state == .ended { return nil }
    state = status.state
    switch state {
    case .waitingForDevice where before != state:
      return DeviceChange(
        state: state,
        sentence: "the device is gone or has failed; it is opened again as soon as it works")
    case .recovering where before != state:
      return DeviceChange(
        state: state, sentence: "the device delivers nothing and is being restarted")
    case .capturing:
      let counts = known(status, analysed)
      let faults = CaptureFault.allCases.filter {
        counts[$0, default: 0] > reported[$0, default: 0]
      }
      reported = counts
      guard !faults.isEmpty || before != state else { return nil }
      let back = before == .waitingForDevice ? "the device is there" : "the device is back"
      let sentences = faults.isEmpty ? [back] : faults.map(\.description)
      return DeviceChange(state: state, sentence: sentences.joined(separator: "; "))
    default: return nil
    }
  }
}

extension DeviceWatch {
  /// Returns the counts without the losses that the analysis has not met: the capture knows of them earlier, and their
  /// gap is still to come.
  private mutating func known(
    _ status: CaptureStatus, _ analysed: UInt64
  ) -> [CaptureFault: UInt64] {
    var counts = status.counts
    let before = reported[.slowReader]
    guard counts[.slowReader] != before else { return counts }
    let end = awaited ?? status.capturedFrames + status.lostFrames
    awaited = analysed < end ? end : nil
    if awaited != nil { counts[.slowReader] = before }
    return counts
  }
}

extension CaptureStatus.State {
  /// The name in JSON.
  var name: String {
    switch self {
    case .capturing: "capturing"
    case .recovering: "recovering"
    case .waitingForDevice: "waiting_for_device"
    case .ended: "ended"
    }
  }
}
