/// A video that is received, as `videoStreams` tells it.
public struct VideoStream: Hashable, Sendable {
  public var id: StreamID
  /// Pixels of the forwarded layer.
  public var resolution: VideoSize
  /// Only while debug metadata is enabled.
  public var metadata: VideoStreamMetadata?

  public var participant: ParticipantID { id.participant }

  public init(id: StreamID, resolution: VideoSize, metadata: VideoStreamMetadata? = nil) {
    self.id = id
    self.resolution = resolution
    self.metadata = metadata
  }
}

public struct VideoStreamMetadata: Hashable, Sendable {
  public var framesPerSecond: Double
  /// Bits per second.
  public var bitrate: Int

  public init(framesPerSecond: Double, bitrate: Int) {
    self.framesPerSecond = framesPerSecond
    self.bitrate = bitrate
  }
}
