/// Which channels of the input go to detectors.
public enum ChannelSelection: Sendable, Hashable {
  /// One detector hears the mean of all channels. The mean, not the sum: it keeps full scale full
  /// scale, so mixing never clips, and a voice on every channel keeps its level.
  case mix
  /// Each channel has a detector of its own.
  case each
  /// One detector hears channel N alone, counted from 1.
  case channel(Int)

  /// Detectors needed for an input of `channelCount` channels.
  func outputCount(of channelCount: Int) -> Int { self == .each ? channelCount : 1 }

  /// Whether an input of `channelCount` channels has what is selected.
  func fits(_ channelCount: Int) -> Bool {
    guard case .channel(let number) = self else { return true }
    return 1...channelCount ~= number
  }
}

extension ChannelSelection: LosslessStringConvertible {
  /// "mix", "each" or a channel's number from 1.
  public init?(_ text: String) {
    switch text {
    case "mix": self = .mix
    case "each": self = .each
    default:
      guard let number = Int(text), number >= 1 else { return nil }
      self = .channel(number)
    }
  }

  public var description: String {
    switch self {
    case .mix: "mix"
    case .each: "each"
    case .channel(let number): "\(number)"
    }
  }
}
