/// A width and a height of something drawn, in points unless said otherwise. (``VideoSize`` counts pixels.)
public struct ViewSize: Hashable, Sendable {
  /// From left to right.
  public var width: Double
  /// From top to bottom.
  public var height: Double

  /// A size.
  public init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }

  /// There is something to draw on: both sides are positive and finite. NaN is not.
  public var isDrawable: Bool {
    width > 0 && height > 0 && width.isFinite && height.isFinite
  }
}

/// A place on the screen, in points unless said otherwise. `x` and `y` are the top left corner; x grows to the
/// right and y downwards.
public struct Rectangle: Hashable, Sendable {
  /// The left edge.
  public var x: Double
  /// The upper edge.
  public var y: Double
  /// From left to right.
  public var width: Double
  /// From top to bottom.
  public var height: Double

  /// A rectangle.
  public init(x: Double = 0, y: Double = 0, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// Width and height.
  public var size: ViewSize { ViewSize(width: width, height: height) }

  /// It has an area, and lies somewhere. NaN does not.
  public var isDrawable: Bool { size.isDrawable && x.isFinite && y.isFinite }

  /// A rectangle of `size` whose centre is the centre of this one.
  func centred(_ size: ViewSize) -> Rectangle {
    Rectangle(
      x: x + (width - size.width) / 2, y: y + (height - size.height) / 2,
      width: size.width, height: size.height)
  }
}
