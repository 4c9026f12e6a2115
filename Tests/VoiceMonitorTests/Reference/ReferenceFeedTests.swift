import RealTime
import TestSupport
import Testing
import VoiceActivity

@testable import VoiceMonitor

/// How a reference with a clock of its own is fed beside a microphone, in simulated time.
@Suite struct ReferenceFeedTests {
  private static let far = try! TelephoneSpeech.samples(rate: 16_000)

  /// A feed of 16 kHz, and the writer of its ring. In simulated time it does not wait.
  ///
  /// `@unchecked Sendable` is safe because one thread writes, and one feeds.
  private final class Host: @unchecked Sendable {
    var writer: SampleRing.Writer?
    var feed: ReferenceFeed

    init(microphoneRate: Int = 16_000, patience: Duration = .zero) throws {
      let wake = Wakeup()
      let ring = SampleRing(capacity: 32_000, wakeReader: { wake.signal() })
      let writer = ring.writer
      self.writer = consume writer
      feed = try ReferenceFeed(
        ring.reader, wokenBy: wake, patience: Int64(patience / .nanoseconds(1)),
        sampleRate: 16_000, microphoneRate: microphoneRate)
    }

    func write(_ count: Int) { write([Float](repeating: 0.1, count: count)) }
    func write(_ samples: [Float]) { _ = writer?.write(samples.span) }

    /// Feeds 20 ms, and returns how many samples are left.
    func feed20ms() -> Int {
      feed.feed(frames: 320)
      return feed.waitingSamples
    }
  }

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
    let host = try Host()
    var detector = try VoiceActivityDetector(configuration: .init(preset: .notice))
    var result = Call()
    var played = 0
    for step in 0..<(50 * seconds) {
      let now = Double(step) / 50
      while Double(played + block) <= Double(step * 320) * (1 + drift) + 320 {
        let samples = (played..<played + block).map { Self.far[$0 % Self.far.count] }
        if !isGone(now) { host.write(samples) }
        played += block
      }
      let heard = (0..<320).map { index in
        let position = Int(Double(step * 320 + index) * (1 + drift)) - 1_600
        return position < 0 ? 0 : 0.3 * Self.far[position % Self.far.count]
      }
      host.feed.feed(frames: 320)
      detector.process(heard.span, beside: &host.feed.echo) { event in
        if event.kind == .onset, now > 4, !isGone(now), !isGone(now - 4) { result.onsets += 1 }
      }
      if host.feed.isDelivering != result.deliveries.last {
        result.deliveries.append(host.feed.isDelivering)
      }
    }
    result.status = host.feed.status
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
    let host = try Host(microphoneRate: 48_000)
    host.write(24_000)
    var left: [Int] = []
    for step in 0..<150 {
      if step >= 3 { host.write(320) }
      host.feed.feed(frames: 960)
      left.append(host.feed.waitingSamples)
    }
    #expect(left[10] > 20_000 && left.last! <= 640)
  }

  /// Two devices that know when they captured. The microphone began at 1 s, the reference 30 ms before it.
  private static let (begin, referenceBegin) = (Int64(1_000_000_000), Int64(970_000_000))

  /// On a busy machine blocks come up to 80 ms late, and in bursts. By the order of their arrival, the echo moves with
  /// them; by their times it does not.
  @Test(arguments: [true, false]) func theOrderOfArrivalDoesNotMatter(isTimed: Bool) throws {
    let host = try Host()
    var detector = try VoiceActivityDetector(configuration: .init(preset: .notice))
    var generator = SeededGenerator(seed: 5)
    var (onsets, written, missed) = (0, 0, 0)
    for step in 0..<1500 {
      // What has come of the reference when the microphone, held back by 100 ms, has this step.
      let late = Int.random(in: 0..<6, using: &generator)
      let came = 320 * (step + 5 - late) + 480
      if came > written {
        host.write((written..<came).map { Self.far[$0 % Self.far.count] })
        written = came
      }
      let heard = (0..<320).map { index in
        let position = step * 320 + index + 480 - 1_600
        return position < 0 ? 0 : 0.3 * Self.far[position % Self.far.count]
      }
      host.feed.feed(
        frames: 320, capturedAt: isTimed ? Self.begin + Int64(step) * 20_000_000 : nil,
        start: isTimed ? Self.referenceBegin : nil)
      detector.process(heard.span, beside: &host.feed.echo) { event in
        if event.kind == .onset { onsets += 1 }
      }
      let isRight = host.feed.status.echo.delay == .milliseconds(100)
      if step > 300, !isRight { missed += 1 }
    }
    #expect(host.feed.isTimed == isTimed)
    #expect((missed == 0) == isTimed, "\(missed)")
    if isTimed { #expect(onsets == 0) }
  }

  /// What comes too late is left out, so that what follows keeps its time.
  @Test func whatIsTooLateIsLeftOut() throws {
    let host = try Host()
    func feed(_ step: Int64) -> Int {
      host.feed.feed(
        frames: 320, capturedAt: Self.begin + step * 20_000_000, start: Self.referenceBegin)
      return host.feed.waitingSamples
    }
    // 30 ms plus the lead of 20 ms are too old.
    host.write(800 + 320)
    #expect(feed(0) == 0)
    // Nothing has come: silence takes its place for good.
    #expect(feed(1) == 0)
    host.write(320 + 320 + 100)
    #expect(feed(2) == 100)
    // What is missing in the reference keeps its time, too.
    host.writer?.skip(220)
    host.write(320)
    #expect(feed(3) == 320)
    #expect(feed(4) == 0 && host.feed.isDelivering)
  }

  @Test func lostSamplesOfTheReferenceKeepTheirTime() throws {
    let host = try Host()
    host.write(160)
    host.writer?.skip(480)
    host.write(320)
    host.feed.feed(frames: 320)
    host.feed.feed(frames: 320)
    #expect(host.feed.waitingSamples == 320)
    host.feed.feed(frames: 160)
    #expect(host.feed.waitingSamples == 160)
  }

  /// The thread that fills the ring may be late: what it writes takes its place, not silence.
  @Test func lateSamplesAreWaitedFor() async throws {
    let host = try Host(patience: .seconds(60))
    host.write(100)
    let left = await whileBlocked {
      host.feed20ms()
    } act: {
      host.write(480)
    }
    #expect(left == 260 && host.feed.isDelivering)
  }

  /// Silence then takes its place without a wait, until there are enough samples again.
  @Test func whatDoesNotComeIsWaitedForOnce() throws {
    let patience = Duration.milliseconds(20)
    let host = try Host(patience: patience)
    #expect(host.feed20ms() == 0)
    let waited = host.feed.waited
    #expect(.nanoseconds(waited) >= patience)
    for count in [0, 0, 200] {
      host.write(count)
      #expect(host.feed20ms() == 0 && host.feed.waited == waited)
    }
    host.write(320)
    #expect(host.feed20ms() == 0 && host.feed.waited == 0)
  }

  @Test func anEndedReferenceIsNotWaitedFor() throws {
    let host = try Host(patience: .seconds(3600))
    host.write(400)
    host.writer = nil
    #expect(host.feed20ms() == 80)
    #expect(host.feed20ms() == 0 && host.feed20ms() == 0)
  }
}
