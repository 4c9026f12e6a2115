import ActivityReporting
import RealTime
import TestSupport
import Testing
import VoiceActivity
import VoiceMonitor

/// The oracle is what the detectors' own closures were told.
@Suite struct StreamRegisterTests {
  static let speech = Array(try! TelephoneSpeech.samples(rate: 16_000).prefix(64_000))

  @Test func aRegisterWithoutStreamsIsEmpty() {
    #expect(StreamRegister().reading == ActivityReading())
  }

  @Test func allStreamsAreAddedUp() throws {
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
    #expect(reading.totals.overruns == 0 && reading.times == VoiceActivityTimes())
    #expect(reading.totals.onsets == onsets && onsets == 6)
    #expect(reading.totals.hops == hops)
  }

  @Test func countsOfEndedStreamsAreKept() throws {
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

  /// The oracle is the one call in 17 that is timed, of each detector by itself.
  @Test func timesOfTimedStreamsAreAddedUp() throws {
    let register = StreamRegister()
    let packet = [Float](repeating: 0, count: 160)
    for (calls, isTimed) in [(17, true), (18, true), (17, false)] {
      var detector = try VoiceActivityDetector(configuration: .init(), isTimed: isTimed)
      let stream = register.add(detector.control)
      for _ in 0..<calls { detector.process(packet.span) { _ in } }
      if calls == 18 { register.remove(stream) }
    }
    #expect(register.reading.times.count == 1 + 2)
  }

  @Test func theHostsOverrunsAreCounted() {
    let register = StreamRegister()
    for _ in 0..<3 { register.countOverrun() }
    #expect(register.reading.totals.overruns == 3 && register.reading.totals.gaps == 0)
  }

  @Test func streamsAreDistinguished() throws {
    let register = StreamRegister()
    let detector = try VoiceActivityDetector(configuration: .init())
    let (first, second) = (register.add(detector.control), register.add(detector.control))
    #expect(first != second && register.reading.streams == 2)
    register.remove(first)
    #expect(register.reading.streams == 1)
  }

  /// A monitor is a stream while it runs, and counts on when its source is replaced.
  @Test func aMonitorIsReadAsAStream() async throws {
    let first = HostPCM(sampleRate: 16_000, seconds: 5)
    let second = HostPCM(sampleRate: 16_000, seconds: 5)
    let monitor = try VoiceActivityMonitor(source: first.source)
    #expect(monitor.reading == ActivityReading())
    var writer = first.writer
    _ = writer.write(Self.speech.span)
    async let running: Void = monitor.run()
    try await waitUntil("the speech is analysed") { monitor.snapshot.position >= 64_000 }
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
    #expect(reading.totals.overruns == 0 && reading.times.count >= 2)
  }

  /// A ring that is full before anybody reads: an overrun, and told at once, though its gap is only known with what
  /// comes behind it.
  @Test func aMonitorDistinguishesOverrunsFromGaps() async throws {
    let pcm = HostPCM(sampleRate: 16_000, seconds: 0.1)
    let monitor = try VoiceActivityMonitor(source: pcm.source)
    var writer = pcm.writer
    let block = [Float](repeating: 0, count: 1600)
    writer.skip(160)
    var stored: [Bool] = []
    for _ in 0..<3 { stored.append(writer.write(block.span)) }
    #expect(stored == [true, false, false])
    async let running: Void = monitor.run()
    try await waitUntil("the block is analysed") { monitor.snapshot.position >= 1760 }
    #expect(monitor.totals.overruns == 1 && monitor.totals.gaps == 1)
    try await waitUntil("the ring has room") { writer.write(block.span) }
    finish(writer)
    try await running
    #expect(monitor.totals.overruns == 1 && monitor.totals.gaps == 2)
  }

  /// Dropping the writer ends the source.
  private func finish(_ writer: consuming SampleRing.Writer) {}
}
