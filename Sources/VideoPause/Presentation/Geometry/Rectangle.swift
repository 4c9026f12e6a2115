/// A width and a height of something drawn, in points unless said otherwise. (``VideoSize`` counts pixels.)
public struct ViewSize: Hashable, Sendable {
  public var width: Double
  public var height: Double

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
  public var x: Double
  public var y: Double
  public var width: Double
  public var height: Double

  public init(x: Double = 0, y: Double = 0, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

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
