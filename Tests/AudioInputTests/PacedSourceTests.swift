import AudioInput
import Foundation
import RealTime
import SystemPackage
import TestSupport
import Testing

@Suite struct PacedSourceTests {
  private static let path = FilePath(
    URL(filePath: #filePath).appending(path: "../../../samples/telephone-8k.wav")
      .standardizedFileURL.path)

  private func samples(of source: any PCMSource, upTo count: Int = .max) throws -> [Float] {
    var block = PCMBlock(channelCount: source.channelCount)
    var all: [Float] = []
    while all.count < count, try source.read(into: &block) {
      block.withSamples(ofChannel: 0) { samples in
        for index in samples.indices { all.append(samples[index]) }
      }
    }
    return all
  }

  /// How much later it comes depends on the machine and is not checked.
  @Test func noSampleComesBeforeItsTime() throws {
    let source = PacedSource(try AudioFileSource(path: Self.path))
    let begin = ContinuousClock.now
    var block = PCMBlock(channelCount: 1)
    var seconds = 0.0
    while seconds < 0.5 {
      #expect(try source.read(into: &block))
      #expect(1...80 ~= block.frameCount)
      seconds += Double(block.frameCount) / 8000
      #expect((ContinuousClock.now - begin) / .seconds(1) >= seconds - 0.001)
    }
  }

  @Test func pacingChangesNoSample() throws {
    let paced = PacedSource(try AudioFileSource(path: Self.path), period: .milliseconds(37))
    let first = try samples(of: paced, upTo: 5000)
    let all = try samples(of: AudioFileSource(path: Self.path))
    #expect(first == Array(all.prefix(first.count)))
  }

  /// The first sample is an hour away, so without the stop this test would not end.
  @Test func stopEndsTheWaitForASample() async throws {
    let source = PacedSource(LateRecording())
    #expect(await readWhileStopping(source) == false)
    var block = PCMBlock(channelCount: 1)
    #expect(try !source.read(into: &block))
  }
}

/// A recording of which an hour is missing before one sample comes.
private final class LateRecording: RecordedSource {
  let name = "late"
  let formatName = "nothing"
  let sampleRate = 8000
  let channelCount = 1
  let inputChannelCount = 1
  let expectedFrameCount: Int64? = nil
  let hasEnded = false
  let warnings: [AudioInputWarning] = []

  func read(into block: inout PCMBlock) -> Bool {
    block.missingFrames = 8000 * 3600
    block.frameCount = 1
    return true
  }

  func stop() {}
}
