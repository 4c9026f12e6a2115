public import VideoPause

/// The temperature of the device, in the levels that operating systems report.
public enum ThermalState: Int, CaseIterable, Hashable, Comparable, Sendable {
  /// From cool to hot.
  case nominal, fair, serious, critical

  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// Lowers the requested frame rate when the device is hot, because decoding and drawing frames heats it.
///
/// The factors are those of Stream's iOS SDK.
public struct ThermalPolicy: Hashable, Sendable {
  /// The highest frame rate that the screen shows, in frames per second.
  public let maximumFramesPerSecond: Double

  /// Creates a policy.
  ///
  /// - Parameter maximumFramesPerSecond: above 0 and finite.
  public init(maximumFramesPerSecond: Double = 60) {
    precondition(
      maximumFramesPerSecond > 0 && maximumFramesPerSecond.isFinite,
      "ThermalPolicy: give a frame rate above 0")
    self.maximumFramesPerSecond = maximumFramesPerSecond
  }

  /// Returns the frame rate that the device sustains in a thermal state, in frames per second.
  public func framesPerSecond(in state: ThermalState) -> Double {
    maximumFramesPerSecond * share(in: state)
  }

  /// Caps the frame rate of a demand. A demand that asks for less keeps it; nothing else changes.
  public func apply(_ state: ThermalState, to demand: inout VideoDemand) {
    let cap = framesPerSecond(in: state)
    demand.maximumFramesPerSecond = min(demand.maximumFramesPerSecond ?? cap, cap)
  }

  private func share(in state: ThermalState) -> Double {
    switch state {
    case .nominal, .fair: 1
    case .serious: 0.5
    case .critical: 0.4
    }
  }
}
