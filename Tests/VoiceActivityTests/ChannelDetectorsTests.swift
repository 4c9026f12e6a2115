import RealTime
import TestSupport
import Testing

@testable import VoiceActivity

/// Detectors of several channels together, against a detector for each by itself.
@Suite struct ChannelDetectorsTests {
  private let rate = 16_000

  /// Returns two talkers who overlap, and a silent channel.
  private func channels() throws -> [[Float]] {
    let voice = try TelephoneSpeech.samples(rate: Double(rate))
    let late = Array(repeating: Float(0), count: 20_000) + voice
    let length = late.count
    return [
      voice + Array(repeating: 0, count: length - voice.count), late,
      Array(repeating: 0, count: length),
    ]
  }

  private func alone(_ samples: [Float]) throws -> Heard {
    var detector = try VoiceActivityDetector(configuration: .init(sampleRate: rate))
    var results = Heard()
    detector.process(samples.span, into: &results)
    detector.flush(into: &results)
    return results
  }

  private func together(
    _ channels: [[Float]], isPatient: Bool, gapAt gap: Int? = nil, chunk: () -> Int = { 4096 }
  ) throws -> Heard {
    var detectors = try ChannelDetectors(
      channelCount: channels.count, configuration: .init(sampleRate: rate),
      speakerMargin: VoiceActivityDetector.defaultSpeakerMargin, isPatient: isPatient)
    var results = Heard()
    var start = 0
    while start < channels[0].count {
      let end = min(start + chunk(), channels[0].count)
      if let gap, start <= gap, gap < end {
        detectors.pushGap(
          16_000, onHop: { results.hops.append($0) }, onEvent: { results.events.append($0) })
      }
      var block = PCMBlock(channelCount: channels.count, capacity: end - start)
      for (channel, samples) in channels.enumerated() {
        block.withRoom(ofChannel: channel) { _ = $0.update(fromContentsOf: samples[start..<end]) }
      }
      block.frameCount = end - start
      detectors.process(
        block, 0..<block.frameCount, onHop: { results.hops.append($0) },
        onEvent: { results.events.append($0) })
      start = end
    }
    detectors.flush(
      onHop: { results.hops.append($0) }, onEvent: { results.events.append($0) })
    return results
  }

  /// Returns the positions, in steps of 1 ms, at which any of the results has speech.
  private func speech(_ results: [Heard], length: Int) -> [Bool] {
    stride(from: 0, to: length, by: rate / 1000).map { position in
      results.contains { $0.speech.contains { $0.contains(UInt64(position)) } }
    }
  }

  @Test func speechIsWhereAnyChannelHasIt() throws {
    let channels = try channels()
    let each = try channels.map(alone)
    #expect(each[0].speech != each[1].speech && !each[0].speech.isEmpty)
    let joint = try together(channels, isPatient: true)
    let length = channels[0].count
    #expect(speech([joint], length: length) == speech(each, length: length))
  }

  @Test func hopsHaveTheMostOfAllChannels() throws {
    let channels = try channels()
    let each = try channels.map(alone)
    for isPatient in [false, true] {
      let hops = try together(channels, isPatient: isPatient).hops
      #expect(hops.map(\.position) == each[0].hops.map(\.position))
      for (index, hop) in hops.enumerated() {
        let parts = each.map { $0.hops[index] }
        #expect(hop.posterior == parts.map(\.posterior).max())
        #expect(hop.levelDBFS == parts.map(\.levelDBFS).max())
        #expect(hop.isSpeech == parts.contains { $0.isSpeech })
      }
    }
  }

  @Test(arguments: [false, true])
  func resultsDoNotDependOnHowTheInputIsCut(isPatient: Bool) throws {
    let channels = try channels()
    let atOnce = try together(channels, isPatient: isPatient) { channels[0].count }
    var random = SeededGenerator(seed: 3)
    for limit in [1000, 161] {
      let cut = try together(channels, isPatient: isPatient) {
        Int.random(in: 1...limit, using: &random)
      }
      #expect(cut.events == atOnce.events)
      #expect(cut.hops == atOnce.hops)
    }
  }

  @Test func oneChannelIsWhatItsDetectorReports() throws {
    let voice = try channels()[0]
    for isPatient in [false, true] {
      let joint = try together([voice], isPatient: isPatient) { voice.count }
      let alone = try alone(voice)
      #expect(joint.events == alone.events && joint.hops == alone.hops)
    }
  }

  @Test func aGapIsReportedOnce() throws {
    let joint = try together(try channels(), isPatient: false, gapAt: 30_000)
    #expect(joint.events.filter { $0.kind == .discontinuity }.map(\.missingSamples) == [16_000])
  }

  @Test func mutedSpeechIsThatOfAnyChannel() throws {
    let channels = try channels()
    func muted(_ channels: [[Float]]) throws -> [VoiceActivityEvent.Kind] {
      var detectors = try ChannelDetectors(
        channelCount: channels.count, configuration: .init(sampleRate: rate),
        speakerMargin: .infinity)
      detectors.setMuted(true)
      var block = PCMBlock(channelCount: channels.count, capacity: channels[0].count)
      for (channel, samples) in channels.enumerated() {
        block.withRoom(ofChannel: channel) { _ = $0.update(fromContentsOf: samples) }
      }
      block.frameCount = channels[0].count
      var kinds: [VoiceActivityEvent.Kind] = []
      func note(_ event: VoiceActivityEvent) {
        if event.kind == .mutedSpeechBegin || event.kind == .mutedSpeechEnd {
          kinds.append(event.kind)
        }
      }
      detectors.process(block, 0..<block.frameCount, onHop: { _ in }, onEvent: note)
      detectors.flush(onHop: { _ in }, onEvent: note)
      return kinds
    }
    let silent = channels[2]
    #expect(try muted([silent, silent]).isEmpty)
    let kinds = try muted([silent, channels[0]])
    #expect(!kinds.isEmpty)
    #expect(kinds == kinds.indices.map { $0 % 2 == 0 ? .mutedSpeechBegin : .mutedSpeechEnd })
    #expect(try muted([channels[0], silent]) == kinds)
  }
}

extension Heard {
  /// Speech, as pairs of positions.
  fileprivate var speech: [Range<UInt64>] {
    zip(positions(.onset), positions(.offset)).map { $0..<$1 }
  }
}
