/// What a device can be asked for, as far as a detector has a use for it.
public struct CaptureCapabilities: Sendable, Hashable {
  /// The lowest and the highest rate in Hz, within 8000 … 192000. Not every rate between need be there.
  public var sampleRates: ClosedRange<Int>
  /// Those of `CaptureCapabilities.usualSampleRates` that the device has, ascending, Hz.
  public var usualSampleRates: [Int]
  /// The smallest and the greatest number of channels. Sound servers and plugins claim more than there is.
  public var channelCounts: ClosedRange<Int>
  /// Those that the device takes, best first.
  public var sampleFormats: [CaptureFormat]

  /// The rates of sound cards, of telephony and of video, Hz.
  public static let usualSampleRates = [
    8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 88_200, 96_000, 176_400,
    192_000,
  ]
}
