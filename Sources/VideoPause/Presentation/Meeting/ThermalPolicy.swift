/// How hot the device is, in the steps in which systems tell it.
public enum ThermalState: Int, CaseIterable, Hashable, Comparable, Sendable {
  /// From cool to hot.
  case nominal, fair, serious, critical

  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// Asks for fewer frames when the device is hot: decoding and drawing them is what heats it.
///
/// The shares are those of Stream's iOS SDK.
public struct ThermalPolicy: Hashable, Sendable {
  /// The greatest number of frames per second that the screen shows.
  public let maximumFramesPerSecond: Double

  /// - Parameter maximumFramesPerSecond: above 0 and finite.
  public init(maximumFramesPerSecond: Double = 60) {
    precondition(
      maximumFramesPerSecond > 0 && maximumFramesPerSecond.isFinite,
      "ThermalPolicy: give a frame rate above 0")
    self.maximumFramesPerSecond = maximumFramesPerSecond
  }

  /// Frames per second that the device can bear.
  public func framesPerSecond(in state: ThermalState) -> Double {
    maximumFramesPerSecond * share(in: state)
  }

  /// Caps a demand. One that asks for less keeps it. Changes nothing else.
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
