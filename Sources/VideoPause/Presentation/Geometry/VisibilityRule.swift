/// Whether a view counts as seen.
///
/// Along each axis the part that is seen must be at least `threshold` of what could be seen at most: of the view,
/// or of the viewport if the view is larger. So a view that covers the whole viewport is always visible. (A
/// rule on the view alone, or on where its edges lie, would call it hidden.)
public struct VisibilityRule: Hashable, Sendable {
  /// What must be seen along each axis, 0 … 1; values outside are brought inside. 0 means any part at all.
  public let threshold: Double

  /// With the part of a view that has to be seen, 0 … 1.
  public init(threshold: Double = 0.3) {
    // NaN falls to 0: when in doubt, visible.
    self.threshold = threshold > 0 ? min(threshold, 1) : 0
  }

  /// - Parameters:
  ///   - view: in the same coordinates as the viewport.
  ///   - viewport: what the user sees of the container.
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
