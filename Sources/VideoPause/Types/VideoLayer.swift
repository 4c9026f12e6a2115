/// Width and height of a picture or of a view, in pixels.
public struct VideoSize: Hashable, Sendable {
  /// From left to right.
  public var width: Int
  /// From top to bottom.
  public var height: Int

  /// A size.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// Nothing.
  public static let zero = VideoSize(width: 0, height: 0)

  /// Nothing can be seen in it.
  public var isEmpty: Bool { width <= 0 || height <= 0 }
}

/// What a video stream shows: screen shares want resolution and are the last to be given up, cameras motion.
public enum VideoKind: Hashable, Sendable, CaseIterable {
  /// What is in front of a lens, or what is on a screen.
  case camera, screenShare
}

/// One quality at which a stream can be forwarded: an encoding of simulcast or a layer of SVC, with one of its
/// frame rates.
public struct VideoLayer: Hashable, Sendable {
  /// Which encoding or spatial layer, from 0, the smallest.
  public var spatial: Int
  /// Which temporal layer, from 0, the slowest.
  public var temporal: Int
  /// Pixels of the picture.
  public var size: VideoSize
  /// Frames per second; 0 if it is not known.
  public var framesPerSecond: Double
  /// What forwarding this layer costs in all, with the layers that it depends on: bits per second.
  ///
  /// Give a robust rate: the publisher's declared target if there is one, else a moving average. A burst that is
  /// taken for the rate pauses streams that would fit.
  public var bitrate: Int
  /// Whether the publisher sends it at present.
  public var isActive: Bool

  /// A layer.
  public init(
    spatial: Int, temporal: Int = 0, size: VideoSize, framesPerSecond: Double = 0, bitrate: Int,
    isActive: Bool = true
  ) {
    self.spatial = spatial
    self.temporal = temporal
    self.size = size
    self.framesPerSecond = framesPerSecond
    self.bitrate = bitrate
    self.isActive = isActive
  }
}
