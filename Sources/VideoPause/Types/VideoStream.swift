/// A video that is received, as `videoStreams` tells it.
public struct VideoStream: Hashable, Sendable {
  /// Whose it is, and what it carries.
  public var id: StreamID
  /// Pixels of the forwarded layer.
  public var resolution: VideoSize
  /// Only while debug metadata is enabled.
  public var metadata: VideoStreamMetadata?

  /// Who sends it.
  public var participant: ParticipantID { id.participant }

  /// A video.
  public init(id: StreamID, resolution: VideoSize, metadata: VideoStreamMetadata? = nil) {
    self.id = id
    self.resolution = resolution
    self.metadata = metadata
  }
}

/// What a video is like, for debugging.
public struct VideoStreamMetadata: Hashable, Sendable {
  /// Of the forwarded layer; 0 if it is not known.
  public var framesPerSecond: Double
  /// Bits per second.
  public var bitrate: Int

  /// What a video is like.
  public init(framesPerSecond: Double, bitrate: Int) {
    self.framesPerSecond = framesPerSecond
    self.bitrate = bitrate
  }
}
