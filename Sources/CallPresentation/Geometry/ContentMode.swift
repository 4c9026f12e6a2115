public import VideoPause

/// How a video is fitted into a view of a different shape.
///
/// The names are UIKit's, which both vendors' documents use.
public enum ContentMode: String, CaseIterable, Hashable, Sendable {
  /// Shows the whole video undistorted, with bars above and below (letterbox) or at the sides (pillarbox).
  case scaleAspectFit
  /// Fills the whole view undistorted, and crops what extends beyond it equally on both sides.
  case scaleAspectFill
  /// Stretches the whole video to the whole view, distorted.
  case scaleToFill

  /// The mode that a grid of participants uses.
  public static let gridDefault = ContentMode.scaleAspectFill
  /// The mode that a view in a custom layout uses by default.
  public static let customLayoutDefault = ContentMode.scaleAspectFit

  /// Creates the mode with a UIKit name.
  ///
  /// Names of modes that make no sense for video (`center`, `redraw`, …) give `scaleToFill`, so that something is
  /// shown.
  public init(named name: String) {
    self = ContentMode(rawValue: name) ?? .scaleToFill
  }

  /// The mode after a double tap: fit becomes fill, and every other mode becomes fit.
  public var toggled: ContentMode {
    self == .scaleAspectFit ? .scaleAspectFill : .scaleAspectFit
  }
}

// MARK: - Geometry

extension ContentMode {
  /// Returns the rectangle of the whole video, in the coordinates of `container`; nil if either has no area.
  ///
  /// With `scaleAspectFill` the rectangle may extend beyond the container.
  public func videoRectangle(of video: VideoSize, in container: Rectangle) -> Rectangle? {
    let pixels = ViewSize(width: Double(video.width), height: Double(video.height))
    guard pixels.isDrawable, container.isDrawable else { return nil }
    return container.centred(drawnSize(of: pixels, in: container.size))
  }

  /// Returns the visible part of the video, in pixels of the video; nil if either has no area.
  ///
  /// Every mode except `scaleAspectFill` shows all of it.
  public func cropRectangle(of video: VideoSize, in container: Rectangle) -> Rectangle? {
    guard let drawn = videoRectangle(of: video, in: container) else { return nil }
    // Computed as fractions of the drawn video, so that a video shown whole keeps its exact size.
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
    // In fit mode the sides limit the wider video; in fill mode, top and bottom do.
    return isVideoWider == (self == .scaleAspectFit) ? atFullWidth : atFullHeight
  }
}
