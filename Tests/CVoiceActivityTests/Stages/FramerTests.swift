import CVoiceActivity
import CVoiceActivityInternals
import Testing

@Suite struct FramerTests {
  /// Writes samples in blocks and collects the windows, one every second hop.
  func windows(of samples: [Float], block: Int) -> [[Float]] {
    var framer = va_framer()
    va_framer_init(&framer)
    var result: [[Float]] = []
    var rest = samples[...]
    while !rest.isEmpty {
      let part = Array(rest.prefix(min(block, Int(va_framer_room(&framer)))))
      va_framer_tail(&framer)!.update(from: part, count: part.count)
      va_framer_commit(&framer, part.count)
      rest = rest.dropFirst(part.count)
      guard va_framer_room(&framer) == 0 else { continue }
      if va_framer_ends_step(&framer) {
        result.append(
          withUnsafeBytes(of: framer.samples) { Array($0.bindMemory(to: Float.self).prefix(512)) })
      }
      va_framer_advance(&framer)
    }
    return result
  }

  @Test(arguments: [1, 3, 7, 160, 1000])
  func windowsOverlapAsDefined(block: Int) {
    let ramp = (1...3200).map { Float($0) }
    let padded = [Float](repeating: 0, count: 192) + ramp
    let expected = (0..<10).map { Array(padded[$0 * 320..<$0 * 320 + 512]) }
    #expect(windows(of: ramp, block: block) == expected)
  }

  @Test func isWholeWithTheFirstFullWindow() {
    var framer = va_framer()
    va_framer_init(&framer)
    var whole: [Bool] = []
    for _ in 0..<5 {
      va_framer_commit(&framer, 160)
      whole.append(va_framer_is_whole(&framer))
      va_framer_advance(&framer)
    }
    #expect(whole == [false, false, false, true, true])  // 480 < 512 <= 640
  }

  @Test func skippingForgetsAndEndsWithTheHop() {
    var framer = va_framer()
    va_framer_init(&framer)
    va_framer_tail(&framer)!.update(repeating: 1, count: 100)
    va_framer_commit(&framer, 100)
    #expect(va_framer_skip(&framer, 1000) == 60)
    #expect(va_framer_room(&framer) == 0 && !va_framer_is_whole(&framer))
    #expect(withUnsafeBytes(of: framer.samples) { $0.allSatisfy { $0 == 0 } })
    va_framer_advance(&framer)
    #expect(va_framer_skip(&framer, 0) == 0)
  }

  @Test func aSpareSampleStartsTheNextHop() {
    var framer = va_framer()
    va_framer_init(&framer)
    va_framer_tail(&framer)!.update(from: (0...160).map { Float($0) }, count: 161)
    va_framer_commit(&framer, 161)
    #expect(va_framer_room(&framer) == 0)
    va_framer_advance(&framer)
    #expect(va_framer_room(&framer) == 159 && va_framer_hop(&framer)[0] == 160)
    va_framer_tail(&framer)!.update(from: (161...320).map { Float($0) }, count: 160)
    va_framer_commit(&framer, 160)
    va_framer_advance(&framer)
    #expect(va_framer_room(&framer) == 159 && va_framer_hop(&framer)[0] == 320)
  }
}
