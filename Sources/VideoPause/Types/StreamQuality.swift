/// A resolution and frame rate that a subscriber may request, ordered by resolution, then frame rate.
///
/// A request is an upper limit; the subscriber may receive less. The twelve qualities are those of the BlueJeans client
/// SDK (`VideoStreamQuality`), under its names.
// swift-format-ignore: AlwaysUseLowerCamelCase
public enum StreamQuality: CaseIterable, Hashable, Comparable, Sendable {
  /// 160 × 90 pixels.
  case r90p_3fps, r90p_7fps, r90p_15fps
  /// 320 × 180 pixels.
  case r180p_7fps, r180p_15fps, r180p_30fps
  /// 640 × 360 pixels.
  case r360p_7fps, r360p_15fps, r360p_30fps
  /// 1280 × 720 pixels.
  case r720p_7fps, r720p_15fps, r720p_30fps

  /// The resolution in pixels, 16:9.
  public var resolution: VideoSize {
    switch self {
    case .r90p_3fps, .r90p_7fps, .r90p_15fps: VideoSize(width: 160, height: 90)
    case .r180p_7fps, .r180p_15fps, .r180p_30fps: VideoSize(width: 320, height: 180)
    case .r360p_7fps, .r360p_15fps, .r360p_30fps: VideoSize(width: 640, height: 360)
    case .r720p_7fps, .r720p_15fps, .r720p_30fps: VideoSize(width: 1280, height: 720)
    }
  }

  /// The frame rate in frames per second. "7" stands for 7.5, a quarter of 30.
  public var framesPerSecond: Double {
    switch self {
    case .r90p_3fps: 3
    case .r90p_7fps, .r180p_7fps, .r360p_7fps, .r720p_7fps: 7.5
    case .r90p_15fps, .r180p_15fps, .r360p_15fps, .r720p_15fps: 15
    case .r180p_30fps, .r360p_30fps, .r720p_30fps: 30
    }
  }
}

/// The precedence of a stream when bits are shared. An entry without a priority comes after all three.
public enum StreamPriority: Int, CaseIterable, Hashable, Comparable, Sendable {
  /// One of three levels.
  case low, medium, high

  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}
