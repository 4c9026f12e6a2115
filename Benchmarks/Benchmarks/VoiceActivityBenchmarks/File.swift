import AudioInput
import Benchmark
import RealTime
import SystemPackage
import VoiceActivity

/// Measures a recording from disk to decisions, and the same without decisions. One iteration is the whole file.
func fileBenchmarks() {
  let configuration = Benchmark.Configuration(
    metrics: [.wallClock], scalingFactor: .one, maxDuration: .seconds(3))

  Benchmark("File.Decode", configuration: configuration) { benchmark in
    for _ in benchmark.scaledIterations {
      try readSpeech { blackHole($0[0]) }
    }
  }

  Benchmark("File.DecodeAndAnalyze", configuration: configuration) { benchmark in
    for _ in benchmark.scaledIterations {
      var detector = try VoiceActivityDetector(configuration: .init(sampleRate: 16_000))
      try readSpeech { detector.process($0) { blackHole($0) } }
    }
  }
}

/// Reads ten seconds at 16 kHz from a FLAC file.
private func readSpeech(_ body: (Span<Float>) -> Void) throws {
  // …/Benchmarks/Benchmarks/VoiceActivityBenchmarks/File.swift
  let root = (0..<4).reduce(FilePath(#filePath)) { path, _ in path.removingLastComponent() }
  let source = try AudioFileSource(path: root.appending("samples/speech.flac"))
  var block = PCMBlock(channelCount: source.channelCount)
  while try source.read(into: &block) { block.withSamples(ofChannel: 0, body) }
}
