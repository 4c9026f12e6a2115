internal import VideoPause

/// The size of something drawn, in points unless stated otherwise. (`VideoSize` is in pixels.)
public struct ViewSize: Hashable, Sendable {
  /// The width.
  public var width: Double
  /// The height.
  public var height: Double

  /// Creates a size.
  public init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }

  /// Whether both sides are positive and finite, so that there is something to draw on; false for NaN.
  public var isDrawable: Bool {
    width > 0 && height > 0 && width.isFinite && height.isFinite
  }
}

/// A rectangle on the screen, in points unless stated otherwise.
///
/// `x` and `y` are the top left corner; x grows to the right and y downwards.
public struct Rectangle: Hashable, Sendable {
  /// The left edge.
  public var x: Double
  /// The upper edge.
  public var y: Double
  /// The width.
  public var width: Double
  /// The height.
  public var height: Double

  /// Creates a rectangle.
  public init(x: Double = 0, y: Double = 0, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// The width and height.
  public var size: ViewSize { ViewSize(width: width, height: height) }

  /// Whether the rectangle has an area and a finite position; false for NaN.
  public var isDrawable: Bool { size.isDrawable && x.isFinite && y.isFinite }

  /// Returns a rectangle of `size` with the same centre as this one.
  func centred(_ size: ViewSize) -> Rectangle {
    Rectangle(
      x: x + (width - size.width) / 2, y: y + (height - size.height) / 2,
      width: size.width, height: size.height)
  }
}
