import CVoiceActivity
import CVoiceActivityInternals
import Foundation
import RealModule
import TestSupport
import Testing

/// The network of network.h with plain loops in double precision, where 16-bit factors are rounded as there.
private struct NaiveNetwork {
  var frames = [[Double]](
    repeating: [Double](repeating: 0, count: Int(VA_FRAME)), count: Int(VA_FILTER_FRAMES))
  var memory = [Double](repeating: 0, count: Int(VA_MEMORY))
  let sets = [va_network_weights, va_network_weights_beside_echo].map(Weights.init)

  mutating func step(_ frame: [Double], pitch: [Double], set: Int) -> [Double] {
    let weights = sets[set]
    frames = frames.dropFirst() + [frame]
    let dense = weights.dense(weights.filters(frames) + pitch)
    memory = weights.gates(dense, memory)
    return weights.output(dense, memory)
  }
}

/// The tables of a set of weights as arrays of numbers.
private struct Weights {
  let bytes: [UInt8]

  init(_ weights: va_weights) { bytes = withUnsafeBytes(of: weights) { Array($0) } }

  func offset(_ table: PartialKeyPath<va_weights>) -> Int {
    MemoryLayout<va_weights>.offset(of: table)!
  }

  func row(_ offset: Int, _ index: Int, _ count: Int, of length: Int? = nil) -> [Double] {
    let start = offset + 4 * index * (length ?? count)
    return bytes.withUnsafeBytes { raw in
      (0..<count).map { Double(raw.loadUnaligned(fromByteOffset: start + 4 * $0, as: Float.self)) }
    }
  }

  /// Returns what input `input` adds to a layer's outputs. Pairs of inputs are stored side by side. `one` is the
  /// weight that stands for 1.
  func pairedRow(
    _ matrix: Int, _ input: Int, _ outputs: Int, of length: Int, one: Int32
  ) -> [Double] {
    let start = matrix + 2 * (input / 2 * 2 * length + input % 2)
    return bytes.withUnsafeBytes { raw in
      (0..<outputs).map {
        Double(raw.loadUnaligned(fromByteOffset: start + 4 * $0, as: Int16.self)) / Double(one)
      }
    }
  }

  func gateRow(_ gate: Int, _ input: Int) -> [Double] {
    let (inputs, outputs) = (Int(VA_GATE_INPUTS), Int(VA_MEMORY))
    return pairedRow(
      offset(\.gates) + 2 * gate * inputs * outputs, input, outputs, of: outputs,
      one: VA_GATE_WEIGHT_ONE)
  }

  /// bias + x · matrix
  func affine(
    _ x: [Double], _ matrix: Int, _ bias: Int, outputs: Int, of length: Int, one: Int32
  ) -> [Double] {
    var sums = row(bias, 0, outputs)
    for (i, value) in x.enumerated() {
      for (j, weight) in pairedRow(matrix, i, outputs, of: length, one: one).enumerated() {
        sums[j] += value * weight
      }
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
      return affine(
        seen, taps, bias, outputs: Int(VA_FILTERS), of: Int(VA_FILTERS), one: VA_FILTER_WEIGHT_ONE
      ).map { max(0, $0) }
    }
  }

  func dense(_ x: [Double]) -> [Double] {
    let one = Double(VA_DENSE_INPUT_ONE)
    let inputs = x.map { min(($0 * one).rounded(), 32767) / one }
    return affine(
      inputs, offset(\.dense), offset(\.dense_bias), outputs: Int(VA_DENSE),
      of: Int(VA_DENSE_ROW), one: VA_DENSE_WEIGHT_ONE
    ).map(lambert)
  }

  func gates(_ dense: [Double], _ memory: [Double]) -> [Double] {
    let one = Double(VA_GATE_INPUT_ONE)
    let inputs = (dense + memory).map { ($0 * one).rounded() / one }
    func sums(_ gate: Int, _ range: Range<Int>, bias: [Double]) -> [Double] {
      range.reduce(into: bias) { sums, input in
        let row = gateRow(gate, input)
        for output in row.indices { sums[output] += inputs[input] * row[output] }
      }
    }
    func bias(_ gate: Int) -> [Double] { row(offset(\.gate_bias), gate, memory.count) }
    let (all, past) = (0..<inputs.count, dense.count..<inputs.count)
    let reset = sums(0, all, bias: bias(0)).map(sigmoid)
    let update = sums(1, all, bias: bias(1)).map(sigmoid)
    let recalled = sums(2, past, bias: row(offset(\.candidate_memory_bias), 0, memory.count))
    let fresh = sums(2, 0..<dense.count, bias: bias(2))
    let candidate = zip(fresh, zip(reset, recalled)).map { lambert($0 + $1.0 * $1.1) }
    return memory.indices.map { update[$0] * memory[$0] + (1 - update[$0]) * candidate[$0] }
  }

  /// Returns the logit of each hop that a step decides.
  func output(_ dense: [Double], _ memory: [Double]) -> [Double] {
    row(offset(\.output_bias), 0, Int(VA_STEP_HOPS)).enumerated().map { hop, bias in
      bias + dot(dense, row(offset(\.output_dense), hop, dense.count))
        + dot(memory, row(offset(\.output_memory), hop, memory.count))
    }
  }

  func dot(_ a: [Double], _ b: [Double]) -> Double { zip(a, b).reduce(0) { $0 + $1.0 * $1.1 } }

  /// Returns tanh by Lambert's continued fraction, cut at ±4.97.
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
    let weights = Weights(va_network_weights)
    for step in -1000...1000 {
      let x = Double(step) / 100
      #expect(abs(weights.lambert(x) - Double.tanh(x)) < 1e-4)
    }
  }

  /// Returns numbers in the units of a frame.
  func inFrameUnits(_ numbers: [Float]) -> [Int16] {
    numbers.map { Int16(min(max($0, -2), 2.5) * Float(VA_FRAME_ONE)) }
  }

  /// Runs one step of a body for some streams. `set`: 0 for the plain weights, 1 for those beside an echo.
  func steps(
    _ body: Body, _ networks: UnsafeMutableBufferPointer<va_network>, _ frames: [[Int16]],
    _ pitches: [[Float]], set: Int
  ) -> [[Float]] {
    let pointers = networks.indices.map { networks.baseAddress! + $0 }.map(Optional.some)
    let inputs = frames.indices.map { stream in
      let (frame, pitch) = (frames[stream], pitches[stream])
      var input = va_network_input()
      withUnsafeMutableBytes(of: &input.frame) { to in
        frame.withUnsafeBytes { to.copyBytes(from: $0) }
      }
      input.pitch = (pitch[0], pitch[1])
      return input
    }
    var logits = [(Float, Float)](repeating: (.nan, .nan), count: frames.count)
    withUnsafePointer(to: set == 0 ? va_network_weights : va_network_weights_beside_echo) {
      body.kernels.pointee.network_steps($0, pointers, inputs, &logits, frames.count)
    }
    return logits.map { [$0.0, $0.1] }
  }

  func step(
    _ body: Body, _ network: inout va_network, _ frame: [Int16], _ pitch: [Float], set: Int
  ) -> [Float] {
    withUnsafeMutablePointer(to: &network) {
      steps(body, UnsafeMutableBufferPointer(start: $0, count: 1), [frame], [pitch], set: set)[0]
    }
  }

  /// Seven streams: four side by side, three alone.
  @Test(arguments: Body.available)
  func streamsAreIndependent(of body: Body) {
    var generator = SeededGenerator(seed: 24)
    let together = UnsafeMutableBufferPointer<va_network>.allocate(capacity: 7)
    together.initialize(repeating: va_network())
    var alone = [va_network](repeating: va_network(), count: 7)
    for index in 0..<50 {
      let set = index / 5 % 2
      let frames = (0..<7).map { _ in
        inFrameUnits((0..<Int(VA_FRAME)).map { _ in Float(generator.gaussian()) })
      }
      let pitches = (0..<7).map { _ in [Float(generator.gaussian()), Float(generator.gaussian())] }
      let logits = steps(body, together, frames, pitches, set: set)
      for stream in 0..<7 {
        let one = step(body, &alone[stream], frames[stream], pitches[stream], set: set)
        #expect(logits[stream] == one)
      }
    }
    together.deallocate()
  }

  @Test(arguments: Body.available)
  func stepsAgreeWithPlainLoops(of body: Body) {
    var generator = SeededGenerator(seed: 23)
    var naive = NaiveNetwork()
    var network = va_network()
    for index in 0..<200 {
      let frame = inFrameUnits((0..<Int(VA_FRAME)).map { _ in Float(generator.gaussian()) })
      let pitch = [Float(generator.gaussian()), Float(generator.gaussian())]
      let set = index / 5 % 2
      let logits = step(body, &network, frame, pitch, set: set)
      let expected = naive.step(
        frame.map { Double($0) / Double(VA_FRAME_ONE) }, pitch: pitch.map(Double.init),
        set: set)
      for (logit, wanted) in zip(logits, expected) {
        #expect(abs(Double(logit) - wanted) < 1e-3, "step \(index)")
      }
    }
  }

  /// The training code's results for the shipped weights (Training/make_vectors.py): 64 steps of speech.
  @Test(arguments: Body.available)
  func storedVectorsAreReproduced(of body: Body) throws {
    let path = "\(#filePath)".replacing(
      "Stages/NetworkTests.swift", with: "Fixtures/network-vectors.txt")
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").filter {
      !$0.hasPrefix("#")
    }
    var networks = [va_network](repeating: va_network(), count: 2)
    #expect(lines.count == 64)
    for line in lines {
      let numbers = line.split(separator: " ").map { Float($0)! }
      let frame = numbers[..<80].map { Int16($0) }
      for set in networks.indices {
        let logits = step(body, &networks[set], frame, Array(numbers[80..<82]), set: set)
        for (logit, stored) in zip(logits, numbers[(82 + 2 * set)...]) {
          #expect(abs(logit - stored) < 1e-4)
        }
      }
    }
  }
}
