/// Where a recording is clipped: three samples or more in a row at full scale, with the same sign. Places less than
/// 50 ms apart count as one.
package struct ClippingTrack: Sendable {
  /// The largest magnitude of 16-bit PCM, which converters of both kinds reach.
  static let fullScale: Float = 32_767 / 32_768
  static let leastRun = 3
  /// How many places are kept. What follows extends the last one.
  static let limit = 10_000

  /// In samples, in order.
  package private(set) var places: [Range<UInt64>] = []
  /// The number of samples at full scale in these places.
  package private(set) var sampleCount: UInt64 = 0
  private let distance: UInt64
  private var position: UInt64 = 0
  private var run: UInt64 = 0
  private var isPositive = false

  package init(rate: Int) { distance = UInt64(rate / 20) }

  mutating func add(_ samples: Span<Float>) {
    let start = position
    for index in samples.indices where samples[index].magnitude >= Self.fullScale || run > 0 {
      position = start + UInt64(index)
      add(samples[index])
    }
    position = start + UInt64(samples.count)
  }

  private mutating func add(_ sample: Float) {
    guard sample.magnitude >= Self.fullScale else { return endRun() }
    if isPositive != (sample > 0) { endRun() }
    isPositive = sample > 0
    run += 1
  }

  mutating func skip(_ count: UInt64) {
    endRun()
    position += count
  }

  mutating func finish() { endRun() }

  private mutating func endRun() {
    defer { run = 0 }
    guard run >= Self.leastRun else { return }
    sampleCount += run
    let start = position - run
    if let last = places.last, start < last.upperBound + distance || places.count == Self.limit {
      places[places.count - 1] = last.lowerBound..<position
    } else {
      places.append(start..<position)
    }
  }
}
