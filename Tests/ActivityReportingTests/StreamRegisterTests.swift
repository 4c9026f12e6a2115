import ActivityReporting
import TestSupport
import Testing
import VoiceActivity

/// The oracle is what the detectors' own closures were told.
@Suite struct StreamRegisterTests {
  static let speech = Array(try! TelephoneSpeech.samples(rate: 16_000).prefix(64_000))

  @Test func isNothingWithoutStreams() {
    #expect(StreamRegister().reading == ActivityReading())
  }

  @Test func addsUpAllStreams() throws {
    let register = StreamRegister()
    var (onsets, hops) = (UInt64(0), UInt64(0))
    for number in 1...3 {
      var detector = try VoiceActivityDetector(configuration: .init())
      _ = register.add(detector.control)
      for _ in 0..<number {
        detector.process(
          Self.speech.span, onHop: { _ in hops += 1 },
          onEvent: { if $0.kind == .onset { onsets += 1 } })
      }
      detector.pushGap(UInt64(number), onHop: { _ in hops += 1 }, onEvent: { _ in })
    }
    let reading = register.reading
    #expect(reading.streams == 3 && reading.totals.missingSamples == 6)
    #expect(reading.totals.onsets == onsets && onsets == 6)
    #expect(reading.totals.hops == hops)
  }

  @Test func keepsWhatEndedStreamsHaveCounted() throws {
    let register = StreamRegister()
    var detector = try VoiceActivityDetector(configuration: .init())
    let stream = register.add(detector.control)
    detector.process(Self.speech.span) { _ in }
    let before = register.reading
    register.remove(stream)
    #expect(register.reading == ActivityReading(totals: before.totals, streams: 0))
    // What comes after the end does not count, nor does a second end.
    detector.process(Self.speech.span) { _ in }
    register.remove(stream)
    #expect(register.reading.totals == before.totals && before.totals.onsets == 1)
  }

  @Test func tellsStreamsApart() throws {
    let register = StreamRegister()
    let detector = try VoiceActivityDetector(configuration: .init())
    let (first, second) = (register.add(detector.control), register.add(detector.control))
    #expect(first != second && register.reading.streams == 2)
    register.remove(first)
    #expect(register.reading.streams == 1)
  }

  /// A monitor is a stream while it runs, and counts on when its source is replaced.
  @Test func readsAMonitor() async throws {
    let first = HostPCM(sampleRate: 16_000, seconds: 5)
    let second = HostPCM(sampleRate: 16_000, seconds: 5)
    let monitor = try VoiceActivityMonitor(source: first.source)
    #expect(monitor.reading == ActivityReading())
    var writer = first.writer
    _ = writer.write(Self.speech.span)
    async let running: Void = monitor.run()
    while monitor.snapshot.position < 64_000 { try await Task.sleep(for: .milliseconds(5)) }
    #expect(monitor.reading.streams == 1 && monitor.reading.totals.onsets == 1)
    try monitor.replaceSource(with: second.source)
    var next = second.writer
    next.skip(1600)
    _ = next.write(Self.speech.span)
    finish(next)
    try await running
    let reading = monitor.reading
    #expect(reading.streams == 0 && reading.totals.onsets == 2)
    #expect(reading.totals.gaps == 1 && reading.totals.missingSamples == 1600)
    #expect(reading.totals.hops == 400 + 410)
  }

  /// Dropping the writer ends the source.
  private func finish(_ writer: consuming SampleRing.Writer) {}
}
