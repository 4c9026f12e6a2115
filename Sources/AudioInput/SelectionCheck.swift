internal import RealTime

extension ChannelSelection {
  /// Throws if an input of `channelCount` channels lacks the selected channel.
  package func check(_ name: String, channelCount: Int) throws(AudioInputError) {
    guard case .channel(let number) = self, !(1...channelCount ~= number) else { return }
    throw .noSuchChannel(name: name, number, channelCount: channelCount)
  }
}
