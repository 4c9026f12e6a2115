/// A video that the subscriber receives, as listed in `videoStreams`.
public struct VideoStream: Hashable, Sendable {
  /// The stream's participant and track type.
  public var id: StreamID
  /// The size of the forwarded layer in pixels.
  public var resolution: VideoSize
  /// The stream's rates; nil unless debug metadata is enabled.
  public var metadata: VideoStreamMetadata?

  /// The participant that sends it.
  public var participant: ParticipantID { id.participant }

  /// Creates a received video.
  public init(id: StreamID, resolution: VideoSize, metadata: VideoStreamMetadata? = nil) {
    self.id = id
    self.resolution = resolution
    self.metadata = metadata
  }
}

/// The rates of a received video, for debugging.
public struct VideoStreamMetadata: Hashable, Sendable {
  /// The frame rate of the forwarded layer in frames per second; 0 if it is not known.
  public var framesPerSecond: Double
  /// The bit rate of the forwarded layer in bits per second.
  public var bitrate: Int

  /// Creates the metadata of a video.
  public init(framesPerSecond: Double, bitrate: Int) {
    self.framesPerSecond = framesPerSecond
    self.bitrate = bitrate
  }
}
