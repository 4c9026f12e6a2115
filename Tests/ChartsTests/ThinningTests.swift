import Testing

@testable import Charts

/// Fewer points, the same picture.
@Suite struct ThinningTests {
  private typealias Point = (x: Double, y: Double)

  /// Returns the largest distance in y of the points from the thinned curve, interpolated at each x.
  private func error(_ points: [Point], _ kept: [Point]) -> Double {
    var after = 0
    return points.map { point in
      while after < kept.count - 1, kept[after].x < point.x { after += 1 }
      let (left, right) = (kept[max(0, after - 1)], kept[after])
      if right.x == left.x { return abs(right.y - point.y) }
      let share = (point.x - left.x) / (right.x - left.x)
      return abs(left.y + share * (right.y - left.y) - point.y)
    }.max() ?? 0
  }

  @Test func aSmoothCurveKeepsItsShape() {
    let points = (0...20_000).map { index -> Point in
      let x = Double(index) / 20_000
      return (250 * x, 200 * (x * (2 - x)))
    }
    let kept = thinned(points)
    #expect(kept.count <= 400 && kept.count > 10)
    // The points left out lie within 0.05 of a line, and another 0.05 of a point that was drawn.
    #expect(error(points, kept) < 0.2)
    #expect(kept.first! == points.first! && kept.last! == points.last!)
  }

  @Test func aJaggedCurveStaysBelowTheLimit() {
    let points = (0..<600).map { (x: Double($0) / 4, y: $0.isMultiple(of: 2) ? 0.0 : 200.0) }
    #expect(thinned(points).count <= 400)
    #expect(thinned(points, limit: 600).count == 600)
  }

  @Test func cornersAreKept() {
    let stairs: [Point] = [(0, 0), (0, 50), (20, 50), (20, 80), (90, 80), (90, 100)]
    let kept = thinned(stairs)
    #expect(kept.elementsEqual(stairs) { $0 == $1 })
    let between = stairs.flatMap { [$0, $0] }
    #expect(thinned(between).elementsEqual(stairs) { $0 == $1 })
  }

  @Test(arguments: [[], [(3, 4)], [(3, 4), (3, 4)], [(0, 0), (1, 1)]] as [[(Double, Double)]])
  func shortCurvesEndWhereTheyEnd(points: [(Double, Double)]) {
    let kept = thinned(points.map { (x: $0.0, y: $0.1) })
    #expect(kept.first?.x == points.first?.0 && kept.last?.y == points.last?.1)
    #expect(kept.count <= points.count)
  }
}
