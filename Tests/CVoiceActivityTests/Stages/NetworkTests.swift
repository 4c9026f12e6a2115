import CVoiceActivity
import CVoiceActivityInternals
import Foundation
import RealModule
import TestSupport
import Testing

/// The network of network.h with plain loops in double precision, where factors are rounded as there.
private struct NaiveNetwork {
  var frames = [[Double]](
    repeating: [Double](repeating: 0, count: Int(VA_FRAME)), count: Int(VA_FILTER_FRAMES))
  let sets = [va_network_weights, va_network_weights_beside_echo].map(Weights.init)

  /// Takes a step from a memory. Returns the logits, or nil if a factor lies so near the middle between two whole
  /// numbers that floats may round it to the other one.
  mutating func step(
    _ frame: [Double], pitch: [Double], memory: [Double], set: Int
  ) -> [Double]? {
    let weights = sets[set]
    frames = frames.dropFirst() + [frame]
    let filtered = weights.denseInputs(weights.filters(frames))
    let dense = weights.dense(filtered.map { $0.rounded() }, pitch)
    let inputs = weights.gateInputs(dense, memory)
    guard (filtered + inputs).allSatisfy({ abs($0 - $0.rounded(.down) - 0.5) > 1e-4 }) else {
      return nil
    }
    return weights.output(dense, weights.gates(inputs.map { $0.rounded() }, memory))
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

  /// Returns what input `input` adds to the filters. Pairs of inputs are stored side by side.
  func filterRow(_ input: Int) -> [Double] {
    let outputs = Int(VA_FILTERS)
    let start = offset(\.filter) + 2 * (input / 2 * 2 * outputs + input % 2)
    return bytes.withUnsafeBytes { raw in
      (0..<outputs).map {
        Double(raw.loadUnaligned(fromByteOffset: start + 4 * $0, as: Int16.self))
          / Double(VA_FILTER_WEIGHT_ONE)
      }
    }
  }

  /// Returns the same of a layer whose inputs are stored by quads, in whole numbers.
  func quadRow(_ matrix: Int, _ input: Int, _ outputs: Int, of length: Int) -> [Double] {
    let start = matrix + input / 4 * 4 * length + input % 4
    return (0..<outputs).map { Double(Int8(bitPattern: bytes[start + 4 * $0])) }
  }

  /// Returns bias + unit · (x · matrix) of some whole inputs, for an output each.
  func quads(
    _ x: [Double], from first: Int = 0, _ matrix: Int, of length: Int, unit: [Double],
    bias: [Double]
  ) -> [Double] {
    var sums = [Double](repeating: 0, count: bias.count)
    for (i, value) in x.enumerated() {
      for (j, weight) in quadRow(matrix, first + i, sums.count, of: length).enumerated() {
        sums[j] += value * weight
      }
    }
    return sums.indices.map { bias[$0] + unit[$0] * sums[$0] }
  }

  func filters(_ frames: [[Double]]) -> [Double] {
    let places = (Int(VA_BANDS) - Int(VA_FILTER_BANDS)) / Int(VA_FILTER_STEP) + 1
    return (0..<places).flatMap { place -> [Double] in
      var seen: [Double] = []
      for frame in frames {
        for channel in 0..<Int(VA_CHANNELS) {
          let first = channel * Int(VA_BANDS) + place * Int(VA_FILTER_STEP)
          seen += frame[first..<first + Int(VA_FILTER_BANDS)]
        }
      }
      var sums = row(offset(\.filter_bias), 0, Int(VA_FILTERS))
      for (i, value) in seen.enumerated() {
        for (j, weight) in filterRow(i).enumerated() { sums[j] += value * weight }
      }
      return sums.map { max(0, $0) }
    }
  }

  func denseInputs(_ filtered: [Double]) -> [Double] {
    filtered.map { min($0 * Double(VA_DENSE_INPUT_ONE), Double(VA_QUAD_MOST)) }
  }

  func dense(_ inputs: [Double], _ pitch: [Double]) -> [Double] {
    let (outputs, length) = (Int(VA_DENSE), Int(VA_DENSE_ROW))
    var sums = quads(
      inputs, offset(\.dense), of: length, unit: row(offset(\.dense_unit), 0, outputs),
      bias: row(offset(\.dense_bias), 0, outputs))
    for (i, value) in pitch.enumerated() {
      let weights = row(offset(\.dense_pitch), i, outputs, of: length)
      for j in sums.indices { sums[j] += value * weights[j] }
    }
    return sums.map(lambert)
  }

  func gateInputs(_ dense: [Double], _ memory: [Double]) -> [Double] {
    (dense + memory).map { ($0 + 1) * Double(VA_GATE_INPUT_ZERO) }
  }

  func gates(_ inputs: [Double], _ memory: [Double]) -> [Double] {
    let outputs = memory.count
    func sums(_ gate: Int, _ range: Range<Int>, bias: [Double]) -> [Double] {
      quads(
        Array(inputs[range]), from: range.lowerBound,
        offset(\.gates) + gate * inputs.count * outputs, of: outputs,
        unit: row(offset(\.gate_unit), gate, outputs), bias: bias)
    }
    func bias(_ gate: Int) -> [Double] { row(offset(\.gate_bias), gate, memory.count) }
    let (all, past) = (0..<inputs.count, Int(VA_DENSE)..<inputs.count)
    let reset = sums(0, all, bias: bias(0)).map(sigmoid)
    let update = sums(1, all, bias: bias(1)).map(sigmoid)
    let recalled = sums(2, past, bias: row(offset(\.candidate_memory_bias), 0, memory.count))
    let fresh = sums(2, 0..<past.lowerBound, bias: bias(2))
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

  /// A body multiplies either bytes or the same as 16-bit numbers.
  @Test func bothFormsOfTheWeightsAreTheSame() {
    for weights in [va_network_weights, va_network_weights_beside_echo].map(Weights.init) {
      for (bytes, wide, end) in [
        (weights.offset(\.dense), weights.offset(\.wide_dense), weights.offset(\.gates)),
        (weights.offset(\.gates), weights.offset(\.wide_gates), weights.offset(\.wide_dense)),
      ] {
        #expect(end > bytes)
        for at in 0..<end - bytes {
          let low = UInt16(weights.bytes[wide + 2 * at])
          let high = UInt16(weights.bytes[wide + 2 * at + 1])
          let number = Int16(bitPattern: low | high << 8)
          #expect(number == Int16(Int8(bitPattern: weights.bytes[bytes + at])))
        }
      }
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
    var compared = 0
    for index in 0..<200 {
      let frame = inFrameUnits((0..<Int(VA_FRAME)).map { _ in Float(generator.gaussian()) })
      let pitch = [Float(generator.gaussian()), Float(generator.gaussian())]
      let set = index / 5 % 2
      let memory = withUnsafeBytes(of: network.memory) {
        $0.bindMemory(to: Float.self).map(Double.init)
      }
      let logits = step(body, &network, frame, pitch, set: set)
      let expected = naive.step(
        frame.map { Double($0) / Double(VA_FRAME_ONE) }, pitch: pitch.map(Double.init),
        memory: memory, set: set)
      guard let expected else { continue }
      compared += 1
      for (logit, wanted) in zip(logits, expected) {
        #expect(abs(Double(logit) - wanted) < 1e-4, "step \(index)")
      }
    }
    #expect(compared > 180)
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
