/// Returns the points that a picture needs: those without which the curve would move by more than a twentieth of a
/// pixel, or by more than the least power of two times that which leaves at most `limit` points.
func thinned(
  _ points: [(x: Double, y: Double)], limit: Int = 400
) -> [(x: Double, y: Double)] {
  var tolerance = 0.05
  var points = distinct(points, tolerance)
  // Simplifying may take time in proportion to the square of the number of points. Only a curve that goes up and down
  // has so many.
  while points.count > 5000 {
    tolerance *= 2
    points = distinct(points, tolerance)
  }
  var kept = simplified(points, tolerance)
  while kept.count > limit {
    tolerance *= 2
    kept = simplified(points, tolerance)
  }
  return kept
}

/// Returns the points without those that are within `tolerance` of the one before. A million scores are some thousand
/// places on the paper.
private func distinct(
  _ points: [(x: Double, y: Double)], _ tolerance: Double
) -> [(x: Double, y: Double)] {
  var kept: [(x: Double, y: Double)] = []
  for point in points {
    if let last = kept.last, abs(last.x - point.x) < tolerance, abs(last.y - point.y) < tolerance {
      continue
    }
    kept.append(point)
  }
  if let last = points.last, kept.count > 1 { kept[kept.count - 1] = last }
  return kept
}

/// Keeps the ends and, of each part, the point that is farthest from the line between its ends if it is farther than
/// `tolerance` (D. Douglas and T. Peucker, "Algorithms for the reduction of the number of points", 1973).
private func simplified(
  _ points: [(x: Double, y: Double)], _ tolerance: Double
) -> [(x: Double, y: Double)] {
  guard points.count > 2 else { return points }
  var isKept = [Bool](repeating: false, count: points.count)
  (isKept[0], isKept[points.count - 1]) = (true, true)
  var parts = [0...(points.count - 1)]
  while let part = parts.popLast() {
    let (first, last) = (part.lowerBound, part.upperBound)
    var farthest = (index: first, distance: tolerance)
    for index in part.dropFirst().dropLast() {
      let distance = distance(points[index], from: points[first], to: points[last])
      if distance > farthest.distance { farthest = (index, distance) }
    }
    if farthest.index == first { continue }
    isKept[farthest.index] = true
    parts += [first...farthest.index, farthest.index...last]
  }
  return zip(points, isKept).compactMap { $1 ? $0 : nil }
}

/// Returns the distance of a point from a line segment.
private func distance(
  _ point: (x: Double, y: Double), from start: (x: Double, y: Double),
  to end: (x: Double, y: Double)
) -> Double {
  let (width, height) = (end.x - start.x, end.y - start.y)
  let square = width * width + height * height
  let along = (point.x - start.x) * width + (point.y - start.y) * height
  let share = square > 0 ? min(1, max(0, along / square)) : 0
  let (x, y) = (point.x - start.x - share * width, point.y - start.y - share * height)
  return (x * x + y * y).squareRoot()
}
