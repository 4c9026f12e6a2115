import CVoiceActivity
import CVoiceActivityInternals
import Foundation
import RealModule
import TestSupport
import Testing

/// The network of network.h by plain loops in double precision.
private struct NaiveNetwork {
  var frames = [[Double]](
    repeating: [Double](repeating: 0, count: Int(VA_FRAME)), count: Int(VA_FILTER_HOPS))
  var memory = [Double](repeating: 0, count: Int(VA_MEMORY))
  let weights = Weights()

  mutating func step(_ frame: [Double], pitch: [Double]) -> Double {
    frames = frames.dropFirst() + [frame]
    let dense = weights.dense(weights.filters(frames) + pitch)
    memory = weights.gates(dense, memory)
    return weights.output(dense, memory)
  }
}

/// The tables of va_network_weights as the arrays that they stand for.
private struct Weights {
  let all: [Double] = withUnsafeBytes(of: va_network_weights) { raw in
    raw.bindMemory(to: Float.self).map { Double($0) }
  }

  func offset(_ table: PartialKeyPath<va_weights>) -> Int {
    MemoryLayout<va_weights>.offset(of: table)!
  }

  func row(_ offset: Int, _ index: Int, _ count: Int) -> ArraySlice<Double> {
    all[offset / 4 + index * count..<offset / 4 + (index + 1) * count]
  }

  /// bias + x · matrix
  func affine(_ x: [Double], _ matrix: Int, _ bias: Int?, outputs: Int) -> [Double] {
    var sums = bias.map { Array(row($0, 0, outputs)) } ?? [Double](repeating: 0, count: outputs)
    for (i, value) in x.enumerated() {
      for (j, weight) in row(matrix, i, outputs).enumerated() { sums[j] += value * weight }
    }
    return sums
  }

  func filters(_ frames: [[Double]]) -> [Double] {
    let (taps, bias) = (offset(\.filter), offset(\.filter_bias))
    let places = (Int(VA_BANDS) - Int(VA_FILTER_BANDS)) / Int(VA_FILTER_STEP) + 1
    return (0..<places).flatMap { place -> [Double] in
      var seen: [Double] = []
      for frame in frames {
        for channel in 0..<Int(VA_CHANNELS) {
          let first = channel * Int(VA_BANDS) + place * Int(VA_FILTER_STEP)
          seen += frame[first..<first + Int(VA_FILTER_BANDS)]
        }
      }
      return affine(seen, taps, bias, outputs: Int(VA_FILTERS)).map { max(0, $0) }
    }
  }

  func dense(_ x: [Double]) -> [Double] {
    affine(
      x, offset(\.dense),
      offset(\.dense_bias), outputs: Int(VA_DENSE)
    ).map(lambert)
  }

  func gates(_ dense: [Double], _ memory: [Double]) -> [Double] {
    let size = Int(VA_MEMORY)
    func input(_ gate: Int) -> [Double] {
      affine(
        dense, offset(\.gate_input) + 4 * gate * dense.count * size,
        offset(\.gate_bias) + 4 * gate * size, outputs: size)
    }
    func past(_ gate: Int, bias: Int? = nil) -> [Double] {
      affine(
        memory, offset(\.gate_memory) + 4 * gate * size * size, bias,
        outputs: size)
    }
    let reset = zip(input(0), past(0)).map { sigmoid($0 + $1) }
    let update = zip(input(1), past(1)).map { sigmoid($0 + $1) }
    let recalled = past(2, bias: offset(\.candidate_memory_bias))
    let candidate = zip(input(2), zip(reset, recalled)).map { lambert($0 + $1.0 * $1.1) }
    return memory.indices.map { update[$0] * memory[$0] + (1 - update[$0]) * candidate[$0] }
  }

  func output(_ dense: [Double], _ memory: [Double]) -> Double {
    let parts = [
      (dense, offset(\.output_dense)),
      (memory, offset(\.output_memory)),
    ]
    return parts.reduce(Double(va_network_weights.output_bias)) { sum, part in
      sum + zip(part.0, row(part.1, 0, part.0.count)).reduce(0) { $0 + $1.0 * $1.1 }
    }
  }

  /// tanh by Lambert's continued fraction, cut at ±4.97.
  func lambert(_ x: Double) -> Double {
    let x = min(max(x, -4.97), 4.97)
    let s = x * x
    return x * (135135 + s * (17325 + s * (378 + s)))
      / (135135 + s * (62370 + s * (3150 + 28 * s)))
  }

  func sigmoid(_ x: Double) -> Double { 0.5 + 0.5 * lambert(0.5 * x) }
}

@Suite struct NetworkTests {
  @Test func lambertIsCloseToTanh() {
    let weights = Weights()
    for step in -1000...1000 {
      let x = Double(step) / 100
      #expect(abs(weights.lambert(x) - Double.tanh(x)) < 1e-4)
    }
  }

  /// One step of a body: the frame goes where the network says.
  func step(_ body: Body, _ network: inout va_network, _ frame: [Float], _ pitch: [Float]) -> Float
  {
    withUnsafeMutableBytes(of: &network.frames) { raw in
      frame.withUnsafeBytes { bytes in
        let start = raw.baseAddress! + Int(network.next) * bytes.count
        start.copyMemory(from: bytes.baseAddress!, byteCount: bytes.count)
      }
    }
    return withUnsafePointer(to: va_network_weights) {
      body.kernels.pointee.network_step($0, &network, pitch)
    }
  }

  @Test(arguments: Body.available)
  func stepsAgreeWithPlainLoops(of body: Body) {
    var generator = SeededGenerator(seed: 23)
    var naive = NaiveNetwork()
    var network = va_network()
    for hop in 0..<200 {
      let frame = (0..<Int(VA_FRAME)).map { _ in Float(generator.gaussian()) }
      let pitch = [Float(generator.gaussian()), Float(generator.gaussian())]
      let logit = step(body, &network, frame, pitch)
      let expected = naive.step(frame.map(Double.init), pitch: pitch.map(Double.init))
      #expect(abs(Double(logit) - expected) < 1e-3, "hop \(hop)")
    }
  }

  /// What the training code computed of the shipped weights (Training/make_vectors.py): 64 hops of speech.
  @Test(arguments: Body.available)
  func storedVectorsAreReproduced(of body: Body) throws {
    let path = "\(#filePath)".replacing(
      "Stages/NetworkTests.swift", with: "Fixtures/network-vectors.txt")
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").filter {
      !$0.hasPrefix("#")
    }
    var network = va_network()
    #expect(lines.count == 64)
    for line in lines {
      let numbers = line.split(separator: " ").map { Float($0)! }
      let logit = step(body, &network, Array(numbers[..<80]), Array(numbers[80..<82]))
      #expect(abs(logit - numbers[82]) < 1e-4)
    }
  }
}
