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

  /// Throws if an input of `channelCount` channels has no such channel.
  func check(_ name: String, channelCount: Int) throws(AudioInputError) {
    guard case .channel(let number) = self, !(1...channelCount ~= number) else { return }
    throw .noSuchChannel(name: name, number, channelCount: channelCount)
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
