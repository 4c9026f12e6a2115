import Testing

@testable import RealTime

/// What a source that is held back delivers, against the source itself.
@Suite struct HeldBackSourceTests {
  enum Piece: Hashable {
    case samples(Int)
    case gap(UInt64)
    case interruption
    /// What follows comes from another device.
    case otherDevice
    case failure
  }

  struct Broken: Error {}

  /// Delivers counted samples, piece by piece. `@unchecked Sendable` is safe because only the test's thread reads.
  final class Script: PCMSource, @unchecked Sendable {
    let sampleRate = 8_000
    let channelCount = 1
    // Belongs to the reading thread, which is the test's.
    private var pieces: ArraySlice<Piece>
    private var next: Float = 0

    init(_ pieces: [Piece]) { self.pieces = pieces[...] }

    func read(into block: inout PCMBlock) throws -> Bool {
      block.frameCount = 0
      block.missingFrames = 0
      block.isInterrupted = false
      block.isOtherDevice = pieces.first == .otherDevice
      if block.isOtherDevice { pieces.removeFirst() }
      guard let piece = pieces.popFirst() else { return block.isOtherDevice }
      switch piece {
      case .samples(let count):
        block.withRoom(ofChannel: 0) { room in
          for index in 0..<count { room[index] = next + Float(index) }
        }
        block.frameCount = count
        next += Float(count)
      case .gap(let count): block.missingFrames = count
      case .interruption: block.isInterrupted = true
      case .otherDevice: preconditionFailure("it comes with something else")
      case .failure: throw Broken()
      }
      return true
    }

    func stop() {}
  }

  /// Reads to the end. Joins neighbouring blocks of samples, and checks that the samples come in order.
  private func pieces(_ source: some PCMSource, room: Int = 4096) throws -> [Piece] {
    var block = PCMBlock(channelCount: 1, capacity: room)
    var all: [Piece] = []
    var next: Float = 0
    while try source.read(into: &block) {
      if block.isOtherDevice { all.append(.otherDevice) }
      if block.missingFrames > 0 { all.append(.gap(block.missingFrames)) }
      if block.isInterrupted { all.append(.interruption) }
      block.withSamples(ofChannel: 0) { samples in
        for index in samples.indices {
          #expect(samples[index] == next)
          next += 1
        }
      }
      guard block.frameCount > 0 else { continue }
      if case .samples(let before) = all.last {
        all[all.count - 1] = .samples(before + block.frameCount)
      } else {
        all.append(.samples(block.frameCount))
      }
    }
    return all
  }

  static let scripts: [[Piece]] = [
    [], [.samples(1)], [.samples(4000), .samples(3), .samples(4000)],
    [.samples(500), .gap(80), .samples(900), .gap(7), .samples(1)],
    [.gap(5), .samples(2000), .gap(9)],
    [.samples(300), .interruption, .gap(100), .samples(3000), .interruption],
    [.samples(700), .interruption, .otherDevice, .gap(100), .samples(900)],
    [.samples(700), .otherDevice, .samples(900), .otherDevice, .gap(3), .otherDevice],
  ]

  @Test(arguments: scripts, [0, 100, 1000])
  func nothingIsLost(script: [Piece], milliseconds: Int) throws {
    let expected = try pieces(Script(script))
    let held = HeldBackSource(Script(script), by: .milliseconds(milliseconds))
    #expect(try pieces(held) == expected)
    let small = HeldBackSource(Script(script), by: .milliseconds(milliseconds))
    #expect(try pieces(small, room: 7) == expected)
  }

  /// At 8 kHz, 100 ms are 800 samples: of 1,000 only 200 are due.
  @Test func samplesComeLaterByTheTime() throws {
    let source = HeldBackSource(
      Script([.samples(500), .samples(500), .interruption, .samples(10)]), by: .milliseconds(100))
    var block = PCMBlock(channelCount: 1)
    #expect(try source.read(into: &block) && block.frameCount == 200)
    #expect(try source.read(into: &block) && block.frameCount == 800)
    #expect(try source.read(into: &block) && block.isInterrupted)
    #expect(try source.read(into: &block) && block.frameCount == 10)
    #expect(try !source.read(into: &block))
  }

  @Test func whatCameBeforeAFailureIsDelivered() throws {
    let source = HeldBackSource(Script([.samples(30), .failure]), by: .seconds(1))
    var block = PCMBlock(channelCount: 1)
    #expect(try source.read(into: &block) && block.frameCount == 30)
    #expect(throws: Broken.self) { try source.read(into: &block) }
  }
}
