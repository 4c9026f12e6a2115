import Foundation
import TestSupport
import Testing

@testable import RealTime
@testable import VoiceActivity
@testable import VoiceMonitor

/// Returns the events of a monitor for a recording that its source holds as a whole, from the first to the last.
private func told(
  _ parts: [Part], rate: Int = 16_000,
  _ change: (inout VoiceActivityMonitor.Configuration) -> Void = { _ in },
  _ prepare: (VoiceActivityMonitor) -> Void = { _ in }
) async throws -> (events: [MonitorEvent], snapshot: MonitorSnapshot) {
  let pcm = HostPCM(sampleRate: rate, seconds: 60)
  var configuration = VoiceActivityMonitor.Configuration()
  change(&configuration)
  let monitor = try VoiceActivityMonitor(source: pcm.source, configuration: configuration)
  prepare(monitor)
  let events = monitor.events
  fill(pcm.writer, parts)
  try await monitor.run()
  var collected: [MonitorEvent] = []
  for await event in events { collected.append(event) }
  return (collected, monitor.snapshot)
}

enum Part {
  case samples([Float])
  case gap(UInt64)
}

/// Writes the parts and ends the stream.
private func fill(_ writer: consuming SampleRing.Writer, _ parts: [Part]) {
  for part in parts {
    switch part {
    case .samples(let samples): _ = writer.write(samples.span)
    case .gap(let count): writer.skip(count)
    }
  }
}

@Suite(.timeLimit(.minutes(5))) struct MonitorTests {
  static let speech = Array(try! TelephoneSpeech.samples(rate: 16_000).prefix(64_000))
  /// Speech that ends in the middle of the phrase.
  static let phrase = Array(speech.prefix(40_000))

  /// A host that stores its writer where nobody can consume it.
  ///
  /// `@unchecked Sendable` is safe because the test uses the writer from one task at a time.
  private final class Capture: @unchecked Sendable {
    var writer: SampleRing.Writer
    init(_ writer: consuming SampleRing.Writer) { self.writer = writer }
  }

  /// The writer is a member of an object that continues to exist.
  @Test func aHostCanEndTheMonitorBeforeItsWriter() async throws {
    let pcm = HostPCM(sampleRate: 16_000, seconds: 30)
    let source = pcm.source
    let monitor = try VoiceActivityMonitor(source: source)
    let events = monitor.events
    let capture = Capture(pcm.writer)
    let running = Task { try await monitor.run() }
    let phrase = Self.phrase
    _ = capture.writer.write(phrase.span)
    capture.writer.skip(1234)
    source.finish()
    try await running.value
    #expect(monitor.snapshot.position == UInt64(phrase.count) + 1234)
    var kinds: [MonitorEvent.Kind] = []
    for await event in events { kinds.append(event.kind) }
    #expect(kinds.contains(.onset) && kinds.contains(.discontinuity(missingFrames: 1234)))
    withExtendedLifetime(capture) {}
  }

  // MARK: The same as offline

  /// The oracle is the detector, called without threads.
  @Test(arguments: [16_000, 44_100]) func theMonitorDecidesAsTheDetector(_ rate: Int) async throws {
    let speech = try TelephoneSpeech.samples(rate: Double(rate))
    var expected: [MonitorEvent] = []
    var last: VoiceActivityHop?
    var detector = try VoiceActivityDetector(configuration: .init(sampleRate: rate))
    func note(_ event: VoiceActivityEvent) {
      let kind: MonitorEvent.Kind =
        switch event.kind {
        case .onset: .onset
        case .offset: .offset
        default: .discontinuity(missingFrames: event.missingSamples)
        }
      expected.append(.init(kind: kind, position: event.position, decidedAt: event.decidedAt))
    }
    detector.process(speech.span, onHop: { last = $0 }, onEvent: note)
    detector.pushGap(5000, onHop: { last = $0 }, onEvent: note)
    detector.process(speech.span, onHop: { last = $0 }, onEvent: note)
    detector.flush(onHop: { last = $0 }, onEvent: note)

    let (events, snapshot) = try await told(
      [.samples(speech), .gap(5000), .samples(speech)], rate: rate)
    let decisions = events.filter {
      switch $0.kind {
      case .onset, .offset, .discontinuity: true
      default: false
      }
    }
    #expect(decisions == expected)
    #expect(decisions.count >= 9)
    #expect(snapshot.hop == last)
    #expect(snapshot.position == UInt64(2 * speech.count + 5000))
    #expect(snapshot.gapCount == 1 && snapshot.inputCounts.missing == 5000)
    #expect(!snapshot.isRunning && snapshot.sampleRate == rate)
  }

  // MARK: Beginning and ending

  @Test func theMonitorEndsWithItsSource() async throws {
    let (events, snapshot) = try await told([])
    #expect(events.isEmpty)
    #expect(snapshot == MonitorSnapshot(sampleRate: 16_000, isMuted: false))
  }

  @Test func aMonitorRunsOnce() async throws {
    let monitor = try VoiceActivityMonitor(source: HostPCM(sampleRate: 16_000).source)
    try await monitor.run()
    await #expect(throws: MonitorError.hasRun) { try await monitor.run() }
  }

  @Test func aMonitorRefusesAnUnsupportedRate() throws {
    let source = HostPCM(sampleRate: 4000).source
    #expect(throws: MonitorError.detector(.sampleRate)) { try VoiceActivityMonitor(source: source) }
  }

  /// The source gives nothing and never ends by itself.
  @Test func cancellationEndsIt() async throws {
    let pcm = HostPCM(sampleRate: 16_000)
    let monitor = try VoiceActivityMonitor(source: pcm.source)
    let running = Task { try await monitor.run() }
    try await waitUntil("the monitor runs") { monitor.snapshot.isRunning }
    running.cancel()
    try await running.value
    #expect(!monitor.snapshot.isRunning)
    withExtendedLifetime(pcm.writer.isReaderGone) {}
  }

  @Test func aMonitorStoppedBeforeItRunsEndsAtOnce() async throws {
    let pcm = HostPCM(sampleRate: 16_000)
    let monitor = try VoiceActivityMonitor(source: pcm.source)
    monitor.stop()
    try await monitor.run()
    withExtendedLifetime(pcm.writer.isReaderGone) {}
  }

  @Test func aFailedSourceIsReported() async throws {
    struct Broken: Error {}
    final class Breaking: PCMSource {
      var sampleRate: Int { 16_000 }
      var channelCount: Int { 1 }
      func read(into block: inout PCMBlock) throws -> Bool { throw Broken() }
      func stop() {}
    }
    let monitor = try VoiceActivityMonitor(source: Breaking())
    await #expect(throws: Broken.self) { try await monitor.run() }
    for await speaking in monitor.isSpeakingWhileMuted { #expect(!speaking) }
    // Nothing would ever read the new source.
    #expect(throws: MonitorError.hasEnded) { try monitor.replaceSource(with: Breaking()) }
  }

  /// Observers of a monitor that is dropped before it ran do not wait for ever.
  @Test func observersEndWithTheMonitor() async throws {
    var monitor: VoiceActivityMonitor? = try VoiceActivityMonitor(
      source: HostPCM(sampleRate: 16_000).source)
    let (events, values) = (monitor!.events, monitor!.isSpeakingWhileMuted)
    monitor = nil
    for await _ in events {}
    var seen: [Bool] = []
    for await value in values { seen.append(value) }
    #expect(seen == [false])
  }

  // MARK: Another source

  @Test func aMonitorThatHasEndedRefusesANewSource() async throws {
    let monitor = try VoiceActivityMonitor(source: HostPCM(sampleRate: 16_000).source)
    try await monitor.run()
    let late = HostPCM(sampleRate: 16_000).source
    #expect(throws: MonitorError.hasEnded) { try monitor.replaceSource(with: late) }
  }

  @Test func aSourceCanBeReplaced() async throws {
    let first = HostPCM(sampleRate: 16_000, seconds: 10)
    let monitor = try VoiceActivityMonitor(source: first.source)
    monitor.setMuted(true)
    let events = monitor.events
    let running = Task { try await monitor.run() }
    var writer = first.writer
    _ = writer.write(Self.phrase.span)
    try await waitUntil("muted speech") { monitor.isSpeakingWhileMuted.value }

    let second = HostPCM(sampleRate: 48_000, seconds: 10)
    try monitor.replaceSource(with: second.source)
    try await waitUntil("the new source") { monitor.snapshot.sampleRate == 48_000 }
    #expect(!monitor.isSpeakingWhileMuted.value)
    #expect(monitor.snapshot.isRunning && monitor.snapshot.isMuted)
    fill(second.writer, [.samples(try TelephoneSpeech.samples(rate: 48_000))])
    try await running.value

    var kinds: [MonitorEvent.Kind] = []
    for await event in events { kinds.append(event.kind) }
    let replaced = try #require(kinds.firstIndex(of: .sourceReplaced(sampleRate: 48_000)))
    #expect(kinds[..<replaced].contains(.speakingWhileMuted(true)))
    #expect(
      kinds[..<replaced].last {
        $0 == .speakingWhileMuted(true) || $0 == .speakingWhileMuted(false)
      } == .speakingWhileMuted(false) || kinds[replaced - 1] == .speakingWhileMuted(false))
    #expect(kinds[replaced...].contains(.speakingWhileMuted(true)))
    #expect(
      kinds.last { $0 == .speakingWhileMuted(true) || $0 == .speakingWhileMuted(false) }
        == .speakingWhileMuted(false))
    withExtendedLifetime(writer.isReaderGone) {}
  }
}
