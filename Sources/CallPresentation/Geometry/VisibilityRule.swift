/// The rule that decides whether a view counts as visible.
///
/// Along each axis, the visible part must be at least `threshold` of the largest part that could be visible: the view,
/// or the viewport if the view is larger. A view that covers the whole viewport is therefore always visible. (A rule
/// based on the view alone, or on the position of its edges, would call it hidden.)
public struct VisibilityRule: Hashable, Sendable {
  /// The part that must be visible along each axis, 0...1; other values are clamped. 0 means any part at all.
  public let threshold: Double

  /// Creates a rule with the part of a view that must be visible, 0...1.
  public init(threshold: Double = 0.3) {
    // NaN becomes 0: when in doubt, visible.
    self.threshold = threshold > 0 ? min(threshold, 1) : 0
  }

  /// Returns whether a view is visible.
  ///
  /// - Parameters:
  ///   - view: the view, in the same coordinates as the viewport.
  ///   - viewport: the part of the container that the user sees.
  /// - Returns: false also if either has no area, or a number is NaN or infinite.
  public func isVisible(_ view: Rectangle, in viewport: Rectangle) -> Bool {
    view.isDrawable && viewport.isDrawable
      && isSeen(from: view.x, length: view.width, in: viewport.x, length: viewport.width)
      && isSeen(from: view.y, length: view.height, in: viewport.y, length: viewport.height)
  }

  private func isSeen(
    from start: Double, length: Double, in seenStart: Double, length seenLength: Double
  ) -> Bool {
    let overlap = min(start + length, seenStart + seenLength) - max(start, seenStart)
    return overlap > 0 && overlap >= threshold * min(length, seenLength)
  }
}
