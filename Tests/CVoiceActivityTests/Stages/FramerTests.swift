import CVoiceActivity
import CVoiceActivityInternals
import Testing

@Suite struct FramerTests {
  static var kernels: UnsafePointer<va_kernels> { Body.portable.kernels }

  /// The window in a framer, its earlier samples converted back from 16 bits.
  func window(_ framer: va_framer) -> [Float] {
    let past = withUnsafeBytes(of: framer.past) { Array($0.bindMemory(to: Int16.self)) }
    let step = withUnsafeBytes(of: framer.samples) { Array($0.bindMemory(to: Float.self)) }
    let hop = Int(framer.length)
    return past.prefix(hop * 6 / 5).map { Float($0) * framer.unit } + step.prefix(2 * hop)
  }

  /// Earlier samples are off by half a unit at most.
  func agree(_ windows: [[Float]], _ expected: [[Float]]) -> Bool {
    windows.count == expected.count
      && zip(windows, expected).allSatisfy { window, wanted in
        let shared = window.count * 3 / 8
        return window.dropFirst(shared) == wanted.dropFirst(shared)
          && zip(window, wanted).prefix(shared).allSatisfy { abs($0 - $1) <= $1 / 32767 + 0.06 }
      }
  }

  /// Writes samples in blocks and collects the windows, one every second hop.
  func windows(of samples: [Float], rate: UInt32 = 16_000, block: Int) -> [[Float]] {
    var framer = va_framer()
    va_framer_init(&framer, rate)
    var result: [[Float]] = []
    var rest = samples[...]
    while !rest.isEmpty {
      let part = Array(rest.prefix(min(block, Int(va_framer_room(&framer)))))
      va_framer_tail(&framer)!.update(from: part, count: part.count)
      va_framer_commit(&framer, part.count)
      rest = rest.dropFirst(part.count)
      guard va_framer_room(&framer) == 0 else { continue }
      if va_framer_ends_step(&framer) {
        result.append(window(framer))
      }
      va_framer_advance(&framer, Self.kernels, samples.max()!)
    }
    return result
  }

  @Test(arguments: [1, 3, 7, 160, 1000])
  func windowsOverlapAsDefined(block: Int) {
    let ramp = (1...3200).map { Float($0) }
    let padded = [Float](repeating: 0, count: 192) + ramp
    let expected = (0..<10).map { Array(padded[$0 * 320..<$0 * 320 + 512]) }
    #expect(agree(windows(of: ramp, block: block), expected))
  }

  /// At 8 kHz everything has half as many samples.
  @Test(arguments: [1, 3, 7, 80, 1000])
  func windowsOfHalfTheRateOverlapAlike(block: Int) {
    let ramp = (1...1600).map { Float($0) }
    let padded = [Float](repeating: 0, count: 96) + ramp
    let expected = (0..<10).map { Array(padded[$0 * 160..<$0 * 160 + 256]) }
    #expect(agree(windows(of: ramp, rate: 8000, block: block), expected))
  }

  @Test(arguments: [16_000, 8000] as [UInt32])
  func isWholeWithTheFirstFullWindow(rate: UInt32) {
    var framer = va_framer()
    va_framer_init(&framer, rate)
    var whole: [Bool] = []
    for _ in 0..<5 {
      va_framer_commit(&framer, Int(rate) / 100)
      whole.append(va_framer_is_whole(&framer))
      va_framer_advance(&framer, Self.kernels, 1000)
    }
    #expect(whole == [false, false, false, true, true])  // 30 ms < 32 ms <= 40 ms
  }

  @Test func skippingForgetsAndEndsWithTheHop() {
    var framer = va_framer()
    va_framer_init(&framer, 16_000)
    va_framer_tail(&framer)!.update(repeating: 1, count: 100)
    va_framer_commit(&framer, 100)
    #expect(va_framer_skip(&framer, 1000) == 60)
    #expect(va_framer_room(&framer) == 0 && !va_framer_is_whole(&framer))
    #expect(window(framer).allSatisfy { $0 == 0 })
    va_framer_advance(&framer, Self.kernels, 1000)
    #expect(va_framer_skip(&framer, 0) == 0)
  }

  @Test func aSpareSampleStartsTheNextHop() {
    var framer = va_framer()
    va_framer_init(&framer, 16_000)
    va_framer_tail(&framer)!.update(from: (0...160).map { Float($0) }, count: 161)
    va_framer_commit(&framer, 161)
    #expect(va_framer_room(&framer) == 0)
    va_framer_advance(&framer, Self.kernels, 1000)
    #expect(va_framer_room(&framer) == 159 && va_framer_hop(&framer)[0] == 160)
    va_framer_tail(&framer)!.update(from: (161...320).map { Float($0) }, count: 160)
    va_framer_commit(&framer, 160)
    va_framer_advance(&framer, Self.kernels, 1000)
    #expect(va_framer_room(&framer) == 159 && va_framer_hop(&framer)[0] == 320)
  }
}
