import RealTime
import TestSupport
import Testing
import VoiceActivity

@testable import VoiceMonitor

/// How a reference with a clock of its own is fed beside a microphone, in simulated time.
@Suite struct ReferenceFeedTests {
  private static let far = try! TelephoneSpeech.samples(rate: 16_000)

  /// What happened in a simulated call: notices after the first four seconds, and the feed at its end.
  struct Call {
    var onsets = 0
    var deliveries: [Bool] = []
    var status: ReferenceStatus?
  }

  /// A far end at 16 kHz plays through a loudspeaker and comes back 100 ms later, 10 dB quieter. Its samples reach the
  /// ring in blocks; the clock of the reference is fast by `drift`. While `isGone` says so, they do not reach it.
  private func call(
    seconds: Int, drift: Double = 0, block: Int = 320, isGone: (Double) -> Bool = { _ in false }
  ) throws -> Call {
    let ring = SampleRing(capacity: 32_000)
    var writer = ring.writer
    var feed = try ReferenceFeed(ring.reader, sampleRate: 16_000, microphoneRate: 16_000)
    var detector = try VoiceActivityDetector(configuration: .init(preset: .notice))
    var result = Call()
    var played = 0
    for step in 0..<(50 * seconds) {
      let now = Double(step) / 50
      while Double(played + block) <= Double(step * 320) * (1 + drift) + 320 {
        let samples = (played..<played + block).map { Self.far[$0 % Self.far.count] }
        if !isGone(now) { writer.write(samples.span) }
        played += block
      }
      let heard = (0..<320).map { index in
        let position = Int(Double(step * 320 + index) * (1 + drift)) - 1_600
        return position < 0 ? 0 : 0.3 * Self.far[position % Self.far.count]
      }
      feed.feed(frames: 320)
      detector.process(heard.span, beside: &feed.echo) { event in
        if event.kind == .onset, now > 4, !isGone(now), !isGone(now - 4) { result.onsets += 1 }
      }
      if feed.isDelivering != result.deliveries.last { result.deliveries.append(feed.isDelivering) }
    }
    result.status = feed.status
    writer.close()
    return result
  }

  @Test(arguments: [0, 3e-4, -3e-4], [160, 320, 800])
  func aDriftingClockIsFollowed(drift: Double, block: Int) throws {
    let found = try call(seconds: 300, drift: drift, block: block)
    #expect(found.onsets == 0)
    #expect(found.deliveries.last == true)
    #expect(found.status!.echo.lateSamples == 0 && found.status!.echo.fit > 0.15)
  }

  /// A pause is reported after a second; afterwards the echo is found again.
  @Test func aReferenceMayStopAndReturn() throws {
    let found = try call(seconds: 60) { (20...30).contains($0) }
    #expect(found.onsets == 0)
    #expect(found.deliveries.suffix(3) == [true, false, true])
  }

  /// What waited in the ring before the microphone began is too old.
  @Test func whatWaitedTooLongIsDropped() throws {
    let ring = SampleRing(capacity: 32_000)
    var writer = ring.writer
    var feed = try ReferenceFeed(ring.reader, sampleRate: 16_000, microphoneRate: 48_000)
    writer.write([Float](repeating: 0.1, count: 24_000).span)
    var left: [Int] = []
    for step in 0..<150 {
      if step >= 3 { writer.write([Float](repeating: 0.1, count: 320).span) }
      feed.feed(frames: 960)
      left.append(feed.waitingSamples)
    }
    #expect(left[10] > 20_000 && left.last! <= 640)
    writer.close()
  }

  @Test func lostSamplesOfTheReferenceKeepTheirTime() throws {
    let ring = SampleRing(capacity: 32_000)
    var writer = ring.writer
    var feed = try ReferenceFeed(ring.reader, sampleRate: 16_000, microphoneRate: 16_000)
    writer.write([Float](repeating: 0.1, count: 160).span)
    writer.skip(480)
    writer.write([Float](repeating: 0.1, count: 320).span)
    feed.feed(frames: 320)
    feed.feed(frames: 320)
    #expect(feed.waitingSamples == 320)
    feed.feed(frames: 160)
    #expect(feed.waitingSamples == 160)
    writer.close()
  }
}
