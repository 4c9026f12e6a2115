/// How a video is laid into a view whose shape is not the video's.
///
/// The names are UIKit's, as both vendors' documents use them.
public enum ContentMode: String, CaseIterable, Hashable, Sendable {
  /// The whole video, undistorted; bars above and below (letter box) or at the sides (pillar box).
  case scaleAspectFit
  /// The whole view, undistorted; what sticks out of it is cropped, equally on both sides.
  case scaleAspectFill
  /// The whole video in the whole view, distorted.
  case scaleToFill

  /// What a grid of participants uses.
  public static let gridDefault = ContentMode.scaleAspectFill
  /// What a view in a custom layout uses until told otherwise.
  public static let customLayoutDefault = ContentMode.scaleAspectFit

  /// The mode of that name. A platform has more modes than video can use (`center`, `redraw`, …): these are
  /// served as `scaleToFill`, so that something is seen.
  public init(named name: String) {
    self = ContentMode(rawValue: name) ?? .scaleToFill
  }

  /// The mode after a double tap: fit becomes fill, everything else becomes fit.
  public var toggled: ContentMode {
    self == .scaleAspectFit ? .scaleAspectFill : .scaleAspectFit
  }
}

// MARK: - Geometry

extension ContentMode {
  /// Where the whole video lies, in the coordinates of `container`. With `scaleAspectFill` it may stick out.
  ///
  /// `nil` if either has no area: there is nothing to draw.
  public func videoRectangle(of video: VideoSize, in container: Rectangle) -> Rectangle? {
    let pixels = ViewSize(width: Double(video.width), height: Double(video.height))
    guard pixels.isDrawable, container.isDrawable else { return nil }
    return container.centred(drawnSize(of: pixels, in: container.size))
  }

  /// Which part of the video is seen, in pixels of the video: all of it, except with `scaleAspectFill`.
  ///
  /// `nil` if either has no area.
  public func cropRectangle(of video: VideoSize, in container: Rectangle) -> Rectangle? {
    guard let drawn = videoRectangle(of: video, in: container) else { return nil }
    // As shares of the drawn video, so that a video which is seen whole keeps its exact size.
    let width = min(1, container.width / drawn.width) * Double(video.width)
    let height = min(1, container.height / drawn.height) * Double(video.height)
    let whole = Rectangle(width: Double(video.width), height: Double(video.height))
    return whole.centred(ViewSize(width: width, height: height))
  }

  private func drawnSize(of video: ViewSize, in view: ViewSize) -> ViewSize {
    guard self != .scaleToFill else { return view }
    let atFullHeight = ViewSize(
      width: view.height * video.width / video.height, height: view.height)
    let atFullWidth = ViewSize(width: view.width, height: view.width * video.height / video.width)
    let isVideoWider = atFullHeight.width > view.width
    // Fitting, the wider video is stopped by the sides; filling, by top and bottom.
    return isVideoWider == (self == .scaleAspectFit) ? atFullWidth : atFullHeight
  }
}
