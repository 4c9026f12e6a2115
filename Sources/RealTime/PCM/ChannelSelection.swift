/// The choice of the input channels that go to detectors.
public enum ChannelSelection: Sendable, Hashable {
  /// One detector gets the mean of all channels. The mean, unlike the sum, cannot clip, and it preserves the level of
  /// a voice that is on every channel.
  case mix
  /// Each channel gets its own detector.
  case each
  /// Each channel gets its own detector, and speech is where any of them has it.
  case any
  /// One detector gets channel N alone, counted from 1.
  case channel(Int)

  /// Returns the number of detectors needed for an input of `channelCount` channels.
  func outputCount(of channelCount: Int) -> Int { keepsChannels ? channelCount : 1 }

  /// Whether every channel goes on by itself.
  package var keepsChannels: Bool { self == .each || self == .any }
}

extension ChannelSelection: LosslessStringConvertible {
  /// Creates a selection from "mix", "each", "any" or a channel's number from 1.
  public init?(_ text: String) {
    switch text {
    case "mix": self = .mix
    case "each": self = .each
    case "any": self = .any
    default:
      guard let number = Int(text), number >= 1 else { return nil }
      self = .channel(number)
    }
  }

  public var description: String {
    switch self {
    case .mix: "mix"
    case .each: "each"
    case .any: "any"
    case .channel(let number): "\(number)"
    }
  }
}

extension Int {
  /// The number with its noun: "1 channel" or "2 channels".
  package var inChannels: String { self == 1 ? "1 channel" : "\(self) channels" }
}
