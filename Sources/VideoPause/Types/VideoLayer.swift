/// Width and height of a picture or of a view, in pixels.
///
/// Numbers beyond 32 bits are clamped, far above ``VideoPauseLimits/maximumSide``, which a coordinator accepts at most.
public struct VideoSize: Hashable, Sendable {
  // A coordinator holds many sizes, and 32 bits are enough to see that one is out of range.
  private var storedWidth, storedHeight: Int32

  /// The width.
  public var width: Int {
    get { Int(storedWidth) }
    set { storedWidth = Int32(clamping: newValue) }
  }
  /// The height.
  public var height: Int {
    get { Int(storedHeight) }
    set { storedHeight = Int32(clamping: newValue) }
  }

  /// Creates a size.
  public init(width: Int, height: Int) {
    storedWidth = Int32(clamping: width)
    storedHeight = Int32(clamping: height)
  }

  /// The empty size.
  public static let zero = VideoSize(width: 0, height: 0)

  /// Whether nothing can be seen in this size.
  public var isEmpty: Bool { width <= 0 || height <= 0 }

  var isTooLarge: Bool { max(width, height) > VideoPauseLimits.maximumSide }
}

/// What a video stream shows.
///
/// Screen shares need resolution and are paused last; cameras need motion.
public enum VideoKind: Hashable, Sendable, CaseIterable {
  /// A camera, or a shared screen.
  case camera, screenShare
}

/// One quality at which a stream can be forwarded: a simulcast encoding, or a decode target of a scalable stream, at
/// one of its frame rates.
public struct VideoLayer: Hashable, Sendable {
  /// The size of the picture in pixels.
  public var size: VideoSize
  /// The frame rate in frames per second; 0 if it is not known.
  public var framesPerSecond: Double
  /// The total cost of forwarding this layer, including the layers that it depends on, in bits per second.
  ///
  /// Give a robust rate: the publisher's declared target if there is one, otherwise a moving average. A burst mistaken
  /// for the rate pauses streams that would fit.
  public var bitrate: Int
  // 16 bits are enough to see that an index is out of range.
  private var storedSpatial, storedTemporal: Int16

  /// The encoding, or the spatial id of the decode target, from 0, the smallest; clamped to 16 bits.
  public var spatial: Int {
    get { Int(storedSpatial) }
    set { storedSpatial = Int16(clamping: newValue) }
  }
  /// The temporal layer, or the temporal id of the decode target, from 0, the slowest; clamped to 16 bits.
  public var temporal: Int {
    get { Int(storedTemporal) }
    set { storedTemporal = Int16(clamping: newValue) }
  }
  /// Whether the publisher sends the layer at present, or would if it were demanded.
  public var isActive: Bool
  /// Whether this is a decode target of a scalable stream (SVC), whose ids a dependency descriptor (AV1) or a payload
  /// descriptor (VP9) states: `spatial` in 0...3, `temporal` in 0...7.
  ///
  /// A decode target contains all targets of lower or equal ids. It therefore costs at least as much as any of them,
  /// and moving down to one of them needs no key frame. Either all layers of a stream are decode targets, or none is.
  /// Layers whose pictures do not depend on each other are not: simulcast, `S2T3`, and between key frames also
  /// `L2T3_KEY`.
  public var isDecodeTarget: Bool

  /// Creates a layer.
  public init(
    spatial: Int, temporal: Int = 0, size: VideoSize, framesPerSecond: Double = 0, bitrate: Int,
    isActive: Bool = true, isDecodeTarget: Bool = false
  ) {
    storedSpatial = Int16(clamping: spatial)
    storedTemporal = Int16(clamping: temporal)
    self.size = size
    self.framesPerSecond = framesPerSecond
    self.bitrate = bitrate
    self.isActive = isActive
    self.isDecodeTarget = isDecodeTarget
  }
}
