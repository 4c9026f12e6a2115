/// What was wrong with an input. The coordinator is as it was before.
public enum VideoPauseError: Error, Hashable, Sendable {
  /// There is no such stream: it was never upserted, or removed.
  case unknownStream(StreamID)
  /// Audio and unknown tracks are not the coordinator's.
  case notVideo(StreamID)
  /// A stream's layers do not hold together.
  case invalidLayers(StreamID, LayerDefect)
  /// A field of a demand is out of range.
  case invalidDemand(StreamID, field: String)
  /// Negative, in bits per second.
  case invalidBandwidth(Int)
  /// A negative count, or one beyond the limit.
  case invalidCount(Int)
  /// Time goes forward only.
  case timestampWentBackwards(from: Timestamp, to: Timestamp)
  /// There is no room for another stream.
  case tooManyStreams(limit: Int)
  /// A field of the configuration is out of range.
  case invalidConfiguration(field: String)

  /// What is wrong with layers.
  public enum LayerDefect: Hashable, Sendable {
    /// A number out of range.
    case negativeBitrate, bitrateTooLarge, emptySize, invalidIndex, invalidFrameRate
    /// The same spatial and temporal index twice.
    case duplicate
    /// More layers than a stream may have.
    case tooMany(limit: Int)
  }
}

extension VideoPauseError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .unknownStream(let id): "stream \(id) is not known: upsert it first"
    case .notVideo(let id):
      "stream \(id) is not video: give only tracks of type video or screenShare"
    case .invalidLayers(let id, let defect): "layers of \(id): \(defect)"
    case .invalidDemand(let id, let field): "demand for \(id): \(field) is out of range"
    case .invalidBandwidth(let rate):
      "bandwidth of \(rate) bit/s: give 0 to \(VideoPauseLimits.maximumBitrate)"
    case .invalidCount(let count): "a count of \(count): give 0 or more"
    case .timestampWentBackwards(let old, let new):
      "time went back from \(old.microseconds) to \(new.microseconds) µs: use a monotonic clock"
    case .tooManyStreams(let limit): "more than \(limit) streams: remove some, or raise the limit"
    case .invalidConfiguration(let field): "configuration: \(field) is out of range"
    }
  }
}

extension VideoPauseError.LayerDefect: CustomStringConvertible {
  public var description: String {
    switch self {
    case .negativeBitrate: "a bit rate is negative; 0 says that nothing is sent"
    case .bitrateTooLarge: "a bit rate is above \(VideoPauseLimits.maximumBitrate) bit/s"
    case .emptySize: "a size is empty; width and height must be above 0"
    case .invalidIndex:
      "a spatial or temporal index is outside 0 … \(VideoPauseLimits.maximumLayerIndex)"
    case .invalidFrameRate: "a frame rate is negative or not a number; 0 says unknown"
    case .duplicate: "two layers have the same spatial and temporal index"
    case .tooMany(let limit): "more than \(limit) layers"
    }
  }
}

/// Where inputs end, so that no sum overflows.
public enum VideoPauseLimits {
  /// 1 Tbit/s: above any path, and 2²³ of them still fit 63 bits.
  public static let maximumBitrate = 1_000_000_000_000
  /// Layers per stream. AV1 has at most 4 spatial × 8 temporal.
  public static let maximumLayers = 32
  /// Of a layer, spatial or temporal: a byte of any codec's header.
  public static let maximumLayerIndex = 255
}
