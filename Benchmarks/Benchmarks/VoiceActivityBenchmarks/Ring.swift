import Benchmark
import RealTime

/// The frames in 10 ms at 16 kHz.
private let blockLength = 160

/// Measures the ring on one thread, with both halves in the cache: its own cost, without moving cache lines between
/// cores.
func ringBenchmarks() {
  Benchmark("Ring.Memcpy160") { benchmark in
    let block = quietSawtooth(blockLength)
    var copy = block
    benchmark.startMeasurement()
    for _ in benchmark.scaledIterations {
      block.withUnsafeBytes { source in copy.withUnsafeMutableBytes { $0.copyMemory(from: source) }
      }
      blackHole(copy)
    }
  }

  Benchmark("Ring.WriteRead160") { benchmark in
    let ring = SampleRing(capacity: 16_000)
    var writer = ring.writer
    var reader = ring.reader
    let block = quietSawtooth(blockLength)
    var copy = block
    benchmark.startMeasurement()
    for _ in benchmark.scaledIterations {
      writer.write(block.span)
      var span = copy.mutableSpan
      blackHole(reader.read(into: &span))
    }
  }

  Benchmark("Ring.WriteRead160InPlace") { benchmark in
    let ring = SampleRing(capacity: 16_000)
    var writer = ring.writer
    var reader = ring.reader
    benchmark.startMeasurement()
    for _ in benchmark.scaledIterations {
      writer.write(count: blockLength) { region, _ in region[0] = 1 }
      blackHole(reader.read { region in blackHole(region[0]) })
    }
  }
}

/// Returns sound that is not silence, for which the detector would take a shortcut.
func quietSawtooth(_ count: Int) -> [Float] {
  (0..<count).map { Float($0 % 37) / 200 - 0.09 }
}
