/// The configurations of a device that a detector can use.
public struct CaptureCapabilities: Sendable, Hashable {
  /// The lowest and the highest rate in Hz, within 8000...192000. The device need not support every rate in between.
  public var sampleRates: ClosedRange<Int>
  /// The rates among ``CaptureCapabilities/usualSampleRates-type.property`` that the device supports, ascending, in Hz.
  public var usualSampleRates: [Int]
  /// The smallest and the largest number of channels. Sound servers and plugins claim more than exist.
  public var channelCounts: ClosedRange<Int>
  /// The formats that the device supports, in order of preference.
  public var sampleFormats: [CaptureFormat]

  /// The rates that are usual for sound cards, telephony and video, in Hz.
  public static let usualSampleRates = [
    8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 88_200, 96_000, 176_400,
    192_000,
  ]
}
