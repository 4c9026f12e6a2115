import Glibc
import TestSupport
import Testing

@testable import RealTime

/// A host's PCM, and how it ends.
@Suite struct HostPCMTests {
  /// Everything written before comes out in order, and nothing after it.
  @Test func finishFollowsTheWrittenSamples() {
    let pcm = HostPCM(sampleRate: 16_000)
    let source = pcm.source
    var writer = pcm.writer
    writer.write(0..<5000)
    writer.skip(7)
    writer.write(5000..<5001)
    source.finish()
    var block = PCMBlock(channelCount: 1, capacity: 1000)
    var (samples, missing) = (0, UInt64(0))
    while source.read(into: &block) {
      block.withSamples(ofChannel: 0) { span in
        for index in span.indices { #expect(span[index] == Float(samples + index)) }
      }
      samples += block.frameCount
      missing += block.missingFrames
    }
    writer.write(0..<10)
    #expect(samples == 5001 && missing == 7)
    let hasMore = source.read(into: &block)
    #expect(!hasMore)
  }

  /// The writer belongs to another thread, which goes on losing samples.
  @Test func lossesAfterTheEndAreIgnored() {
    let pcm = HostPCM(sampleRate: 16_000)
    let source = pcm.source
    var writer = pcm.writer
    writer.write(0..<10)
    writer.skip(3)
    source.finish()
    writer.skip(40)
    source.finish()
    var block = PCMBlock(channelCount: 1)
    var (samples, missing) = (0, UInt64(0))
    while source.read(into: &block) {
      samples += block.frameCount
      missing += block.missingFrames
    }
    #expect(samples == 10 && missing == 3)
  }

  /// A server has more of them than a process may have descriptors, and creating one cannot fail.
  @Test func aSourceTakesNoDescriptor() async {
    await #expect(processExitsWith: .success) {
      var limit = rlimit(rlim_cur: 16, rlim_max: 16)
      precondition(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
      var sources: [HostPCM.Source] = []
      for _ in 0..<100 {
        let pcm = HostPCM(sampleRate: 16_000)
        sources.append(pcm.source)
        pcm.writer.close()
      }
      var block = PCMBlock(channelCount: 1)
      for source in sources { precondition(!source.read(into: &block)) }
    }
  }

  @Test func aHostMayFinishWithoutSamples() {
    let pcm = HostPCM(sampleRate: 16_000)
    let source = pcm.source
    var block = PCMBlock(channelCount: 1)
    source.finish()
    source.finish()
    let hasMore = source.read(into: &block)
    #expect(!hasMore)
    withExtendedLifetime(pcm.writer.isReaderGone) {}
  }

  /// It wakes a reader that sleeps, from any thread.
  @Test func finishWakesTheReader() async {
    let pcm = HostPCM(sampleRate: 16_000)
    let source = pcm.source
    async let ended = onThread {
      var block = PCMBlock(channelCount: 1)
      return !source.read(into: &block)
    }
    source.finish()
    #expect(await ended)
    withExtendedLifetime(pcm.writer.isReaderGone) {}
  }
}
