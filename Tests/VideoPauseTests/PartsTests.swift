import TestSupport
import Testing

@testable import VideoPause

/// The parts that the coordinator is made of.
@Suite struct PartsTests {
  /// It is exact at powers of two, elsewhere within 0.001.
  @Test func theLogarithmIsMonotoneAndAccurate() {
    for exponent in -3...40 {
      let power = exponent < 0 ? 1 / Double(1 << -exponent) : Double(1 << exponent)
      #expect(log2(power) == Double(exponent))
    }
    var last = -1.0
    for step in 1_000...4_000 {
      let x = Double(step) / 1_000
      let value = log2(x)
      #expect(value > last)
      last = value
      // Computes 2 to the power of `value` by squaring and by roots of two, with 30 fractional bits.
      var (power, root, rest) = (1.0, 2.0, value)
      while rest >= 1 { (power, rest) = (power * 2, rest - 1) }
      for _ in 0..<30 {
        root = root.squareRoot()
        rest *= 2
        if rest >= 1 { (power, rest) = (power * root, rest - 1) }
      }
      #expect(abs(power / x - 1) < 0.001 * 0.6932)
    }
  }

  @Test func sortingIsStableAndMatchesTheStandardLibrary() {
    var random = SeededGenerator(seed: 1)
    var sorter = MergeSort<[Int]>()
    for count in 0...200 {
      var items = (0..<count).map { [random.int(0...9), $0] }
      let expected = items.sorted { $0.lexicographicallyPrecedes($1) }
      sorter.sort(&items) { $0[0] < $1[0] }
      #expect(items == expected)
    }
  }

  /// A cheaper higher layer replaces a dearer lower one.
  @Test func camerasPreferMotionAndScreenSharesSharpness() {
    let all = JitsiView.layers
    func codes(_ kind: VideoKind) -> [String] {
      LoneLadder(all.map(\.1), kind: kind, limits: Ladder.Limits()).layers.map { all[$0].code }
    }
    #expect(codes(.camera) == ["l1", "l2", "l3", "s3", "h3"])
    #expect(codes(.screenShare) == ["l1", "l2", "l3", "s1", "s2", "s3", "h1", "h2", "h3"])
    let odd = simulcast(200, 100, 300)
    #expect(LoneLadder(odd, kind: .camera, limits: Ladder.Limits()).layers == [1, 2])
  }
}
