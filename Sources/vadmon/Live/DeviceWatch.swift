import ALSAInput

/// Something about a device that its user should know.
struct DeviceChange: Sendable, Hashable {
  var state: CaptureStatus.State
  var sentence: String
}

/// Tells what is new in a capture's status.
struct DeviceWatch: Sendable {
  private var state = CaptureStatus.State.capturing
  /// Faults that were told of.
  private var told: [CaptureFault: UInt64] = [:]

  /// How often the status is looked at.
  static let interval = Duration.milliseconds(250)

  /// The device is there, as far as was told.
  var isCapturing: Bool { state == .capturing }

  /// `nil`: nothing new. A fault is told of when it is over, for only then its sentence is true; that it
  /// lasts is told at once.
  mutating func look(_ status: CaptureStatus) -> DeviceChange? {
    let before = state
    if status.state == .ended { return nil }
    state = status.state
    switch state {
    case .waitingForDevice where before != state:
      return DeviceChange(
        state: state,
        sentence: "the device is gone, or does not work; it is opened as soon as it does")
    case .recovering where before != state:
      return DeviceChange(state: state, sentence: "the device gives nothing; it is started anew")
    case .capturing:
      let faults = CaptureFault.allCases.filter {
        status.counts[$0, default: 0] > told[$0, default: 0]
      }
      told = status.counts
      guard !faults.isEmpty || before != state else { return nil }
      let sentences = faults.isEmpty ? ["the device is back"] : faults.map(\.description)
      return DeviceChange(state: state, sentence: sentences.joined(separator: "; "))
    default: return nil
    }
  }
}

extension CaptureStatus.State {
  /// In JSON.
  var name: String {
    switch self {
    case .capturing: "capturing"
    case .recovering: "recovering"
    case .waitingForDevice: "waiting_for_device"
    case .ended: "ended"
    }
  }
}
