import RealTime
import TestSupport
import Testing

/// The simplest model of a ring: a list of the samples in it, each with its position. It stores no gaps; they are where
/// the positions jump.
struct NaiveRing {
  let capacity: Int
  /// The documented number of gaps that can wait in the ring before the open one grows.
  let gapCapacity = 16
  var stored: [(position: UInt64, sample: Float)] = []
  var writePosition: UInt64
  var readPosition: UInt64
  var isOpenGap = false
  var overruns: UInt64 = 0
  var wasFull = false

  init(capacity: Int, start: UInt64) {
    self.capacity = capacity
    writePosition = start
    readPosition = start
  }

  var waitingGaps: Int {
    var (count, expected) = (0, readPosition)
    for (position, _) in stored {
      count += position == expected ? 0 : 1
      expected = position &+ 1
    }
    return count
  }

  mutating func write(_ block: [Float]) -> Bool {
    let fits = stored.count + block.count <= capacity && !(isOpenGap && waitingGaps >= gapCapacity)
    overruns += !fits && !wasFull ? 1 : 0
    wasFull = !fits
    guard fits else {
      skip(UInt64(block.count))
      return false
    }
    for (offset, sample) in block.enumerated() {
      stored.append((writePosition &+ UInt64(offset), sample))
    }
    writePosition &+= UInt64(block.count)
    isOpenGap = false
    return true
  }

  mutating func skip(_ count: UInt64) {
    writePosition &+= count
    isOpenGap = true
  }

  mutating func read(_ limit: Int) -> (outcome: SampleRing.Reader.Outcome, samples: [Float]) {
    guard let first = stored.first else { return (.empty, []) }
    if first.position != readPosition {
      let missing = first.position &- readPosition
      readPosition = first.position
      return (.gap(missing: missing), [])
    }
    var samples: [Float] = []
    while samples.count < limit, let next = stored.first, next.position == readPosition {
      samples.append(next.sample)
      stored.removeFirst()
      readPosition &+= 1
    }
    return (.samples(count: samples.count), samples)
  }
}

/// Random calls, compared with a naive queue.
@Suite struct RingRandomTests {
  @Test(arguments: [1, 2, 3, 7, 64], interestingStarts)
  func anySequenceOfCallsMatchesANaiveQueue(capacity: Int, start: UInt64) {
    for seed in 0..<20 as Range<UInt64> {
      let difference = firstDifference(capacity: capacity, start: start, seed: seed)
      #expect(difference == nil, "capacity \(capacity), start \(start), seed \(seed)")
    }
  }

  /// Plays 400 random steps on both rings. Describes the first step on which they differ.
  private func firstDifference(capacity: Int, start: UInt64, seed: UInt64) -> String? {
    let ring = SampleRing(capacity: capacity, startPosition: start)
    var writer = ring.writer
    var reader = ring.reader
    var naive = NaiveRing(capacity: capacity, start: start)
    var random = SeededGenerator(seed: seed)
    for step in 0..<400 {
      let count = Int.random(in: 1...(capacity + 1), using: &random)
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<5:
        let block = (0..<count).map { _ in Float.random(in: -1...1, using: &random) }
        guard writer.write(block.span) == naive.write(block) else { return "write \(step)" }
      case 5:
        writer.skip(UInt64(count))
        naive.skip(UInt64(count))
      default:
        guard reader.take(upTo: count) == naive.read(count) else { return "read \(step)" }
      }
      guard writer.position == naive.writePosition else { return "writer's position \(step)" }
      guard reader.overruns == naive.overruns else { return "overruns \(step)" }
      guard reader.position == naive.readPosition else { return "reader's position \(step)" }
    }
    return nil
  }
}
