/// An invalid input. The coordinator is unchanged.
public enum VideoPauseError: Error, Hashable, Sendable {
  /// There is no such stream: it was never upserted, or it was removed.
  case unknownStream(StreamID)
  /// The coordinator does not handle audio or unknown tracks.
  case notVideo(StreamID)
  /// A stream's layers are inconsistent or out of range.
  case invalidLayers(StreamID, LayerDefect)
  /// A field of a demand is out of range.
  case invalidDemand(StreamID, field: String)
  /// A bit rate is outside 0...``VideoPauseLimits/maximumBitrate`` bits per second.
  case invalidBandwidth(Int)
  /// A count is negative.
  case invalidCount(Int)
  /// A time lies before the time of an earlier input.
  case timestampWentBackwards(from: Timestamp, to: Timestamp)
  /// The coordinator holds as many streams as its configuration allows.
  case tooManyStreams(limit: Int)
  /// A field of the configuration is out of range.
  case invalidConfiguration(field: String)

  /// A defect in a list of layers.
  public enum LayerDefect: Hashable, Sendable {
    /// A value out of range.
    case negativeBitrate, bitrateTooLarge, emptySize, sizeTooLarge, invalidIndex, invalidFrameRate
    /// A decode target whose ids are out of range.
    case invalidDecodeTarget
    /// Decode targets beside layers that are none.
    case mixed
    /// A decode target that costs less than one that it contains.
    case cheaperThanContained
    /// Two layers with the same spatial and temporal index.
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
      "stream \(id) is not video: pass only tracks of type video or screenShare"
    case .invalidLayers(let id, let defect): "layers of \(id): \(defect)"
    case .invalidDemand(let id, let field):
      "demand for \(id): \(field) is out of range; VideoDemand documents its range"
    case .invalidBandwidth(let rate):
      "a bandwidth of \(rate) bit/s is out of range: use 0 to \(VideoPauseLimits.maximumBitrate)"
    case .invalidCount(let count): "a count of \(count) is out of range: use 0 or more"
    case .timestampWentBackwards(let old, let new):
      "time went back from \(old.microseconds) to \(new.microseconds) µs: use a monotonic clock"
    case .tooManyStreams(let limit):
      "there are more than \(limit) streams: remove some, or raise the limit"
    case .invalidConfiguration(let field):
      "configuration: \(field) is out of range; VideoPauseConfiguration documents its range"
    }
  }
}

extension VideoPauseError.LayerDefect: CustomStringConvertible {
  public var description: String {
    switch self {
    case .negativeBitrate: "a bit rate is negative; use 0 for a layer that is not sent"
    case .bitrateTooLarge:
      "a bit rate is above \(VideoPauseLimits.maximumBitrate) bit/s; check its unit"
    case .emptySize: "a size is empty; width and height must be above 0"
    case .sizeTooLarge:
      "a width or height is above \(VideoPauseLimits.maximumSide) pixels; check its unit"
    case .invalidIndex:
      "a spatial or temporal index is outside 0 … \(VideoPauseLimits.maximumLayerIndex); count from 0"
    case .invalidDecodeTarget:
      "a decode target's ids are outside 0 … \(VideoPauseLimits.maximumSpatialID) (spatial) or "
        + "0 … \(VideoPauseLimits.maximumTemporalID) (temporal); take them from the dependency descriptor"
    case .mixed: "some layers are decode targets and others are not; a stream has one kind"
    case .cheaperThanContained:
      "a decode target costs less than one that it contains; add up the rates of all that it depends on"
    case .invalidFrameRate: "a frame rate is negative or not a number; use 0 if it is unknown"
    case .duplicate: "two layers have the same spatial and temporal index; leave one out"
    case .tooMany(let limit): "there are more than \(limit) layers; leave some out"
    }
  }
}
