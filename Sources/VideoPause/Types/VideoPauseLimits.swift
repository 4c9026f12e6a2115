/// The limits of inputs, chosen so that no sum overflows.
public enum VideoPauseLimits {
  /// The highest bit rate, 1 Tbit/s: above any path's rate, and 2²³ of them still fit 63 bits.
  public static let maximumBitrate = 1_000_000_000_000
  /// The longest side of a picture or a view, in pixels: what is longer has a wrong unit or sign.
  public static let maximumSide = 1_000_000
  /// The most layers of a stream. AV1 has at most 4 spatial × 8 temporal layers.
  public static let maximumLayers = 32
  /// The highest index of a spatial or temporal layer, which fits a byte of any codec's header.
  public static let maximumLayerIndex = 255
  /// The highest spatial id of a decode target, as AV1 has it.
  public static let maximumSpatialID = 3
  /// The highest temporal id of a decode target.
  public static let maximumTemporalID = 7
  /// The most entries of a custom layout.
  public static let maximumConfiguredStreams = 25
}

/// The ranges of inputs: the coordinator checks them, and a reader of inputs states them in its messages.
extension VideoPauseLimits {
  /// Bit rates in bits per second.
  package static var bitrates: ClosedRange<Int> { 0...maximumBitrate }
  /// Spatial and temporal layers.
  package static var layerIndices: ClosedRange<Int> { 0...maximumLayerIndex }

  // MARK: Fields of a configuration
  package static var audioBitrates: ClosedRange<Int> { 0...10_000_000 }
  package static var audioStreamLimits: ClosedRange<Int> { 0...1_000 }
  package static var audioHeadrooms: ClosedRange<Double> { 1...10 }
  package static var shares: Range<Double> { 0..<1 }
  package static var resumeLimits: ClosedRange<Int> { 1...64 }
  package static var preferredHeights: ClosedRange<Int> { 1 ... .max }
  package static var streamLimits: ClosedRange<Int> { 1...1_000_000 }
  package static var lengths: ClosedRange<Duration> { .zero ... .seconds(86_400) }
}
