import TestSupport
import Testing

@testable import RealTime
@testable import VoiceActivity
@testable import VoiceMonitor

/// The segments that a monitor reports. The oracle is a detector and a cutter that are called without threads, with all
/// results at once.
@Suite(.timeLimit(.minutes(5))) struct SegmentMonitorTests {
  private static let rate = 16_000
  private static let speech = try! TelephoneSpeech.samples(rate: Double(rate))
  /// The last gap has more hops than a monitor has room for.
  private static let gaps: [UInt64] = [300, 16_000, 20 * 16_000]

  private static func expected(_ rules: SpeechCutter.Rules) throws -> [SpeechCut] {
    var detector = try VoiceActivityDetector(configuration: .init(sampleRate: rate))
    var cutter = try SpeechCutter(rules: rules, of: .init(sampleRate: rate))
    var (hops, events, cuts) = ([VoiceActivityHop](), [VoiceActivityEvent](), [SpeechCut]())
    for gap in gaps {
      detector.process(speech.span, onHop: { hops.append($0) }, onEvent: { events.append($0) })
      detector.pushGap(gap, onHop: { hops.append($0) }, onEvent: { events.append($0) })
    }
    detector.flush(onHop: { hops.append($0) }, onEvent: { events.append($0) })
    cutter.push(hops: hops.span, events: events.span) { cuts.append($0) }
    let end = UInt64(gaps.count * speech.count) + gaps.reduce(0, +)
    cutter.finish(at: end) { cuts.append($0) }
    return cuts
  }

  @Test(arguments: [
    SpeechCutter.Rules(), .init(minSilence: .milliseconds(200)),
    .init(minSilence: .milliseconds(200), padBefore: .milliseconds(300), padAfter: .seconds(2)),
    .init(minSilence: .seconds(1), maxLength: .seconds(3), padBefore: .milliseconds(100)),
    .init(minSpeech: .seconds(1)),
  ])
  func aMonitorCutsAsTheCutterDoes(rules: SpeechCutter.Rules) async throws {
    let pcm = HostPCM(sampleRate: Self.rate, seconds: 60)
    var configuration = VoiceActivityMonitor.Configuration()
    configuration.cutRules = rules
    let monitor = try VoiceActivityMonitor(source: pcm.source, configuration: configuration)
    let events = monitor.events
    Self.fill(pcm.writer)
    try await monitor.run()
    var (cuts, decidedAt) = ([SpeechCut](), UInt64(0))
    for await event in events {
      #expect(event.decidedAt >= decidedAt, "\(event)")
      decidedAt = event.decidedAt
      guard case .segment(let cut) = event.kind else { continue }
      #expect(event.position == cut.end && event.decidedAt >= cut.decidedAt)
      cuts.append(cut)
    }
    #expect(cuts == (try Self.expected(rules)))
    #expect(cuts.count >= 2)
    #expect(monitor.snapshot.segmentCount == cuts.count)
    #expect(monitor.snapshot.segmentBeginning.isEmpty)
  }

  private static func fill(_ writer: consuming SampleRing.Writer) {
    for gap in gaps {
      _ = writer.write(speech.span)
      writer.skip(gap)
    }
  }

  /// No later segment contains sound before the range that came with the count of those before it.
  @Test func whatIsNeededIsKnownAllTheTime() async throws {
    let pcm = HostPCM(sampleRate: Self.rate, seconds: 60)
    var configuration = VoiceActivityMonitor.Configuration()
    configuration.cutRules = .init(
      minSilence: .milliseconds(200), maxLength: .seconds(3), padBefore: .milliseconds(300))
    let monitor = try VoiceActivityMonitor(source: pcm.source, configuration: configuration)
    let events = monitor.events
    let running = Task { try await monitor.run() }
    var seen: [MonitorSnapshot] = []
    let capture = Capture(pcm.writer)
    for start in stride(from: 0, to: Self.speech.count, by: 1600) {
      let end = min(start + 1600, Self.speech.count)
      _ = capture.writer.write(Self.speech.span.extracting(start..<end))
      try await waitUntil("the analysis at \(end)") { monitor.snapshot.position == UInt64(end) }
      seen.append(monitor.snapshot)
    }
    monitor.stop()
    try await running.value
    var cuts: [SpeechCut] = []
    for await event in events { if case .segment(let cut) = event.kind { cuts.append(cut) } }
    #expect(cuts.count >= 2)
    for snapshot in seen where snapshot.segmentCount < cuts.count {
      let (next, range) = (cuts[snapshot.segmentCount], snapshot.segmentBeginning)
      #expect(next.start >= range.lowerBound)
      if !range.isEmpty { #expect(next.start == range.lowerBound && next.end >= range.upperBound) }
    }
    #expect(seen.contains { !$0.segmentBeginning.isEmpty })
    #expect(seen.last!.segmentBeginning.lowerBound > 16_000, "sound is forgotten")
  }

  /// `@unchecked Sendable` is safe because the test uses the writer from one task at a time.
  private final class Capture: @unchecked Sendable {
    var writer: SampleRing.Writer
    init(_ writer: consuming SampleRing.Writer) { self.writer = writer }
  }

  @Test func rulesThatCannotBeAreRefused() {
    var configuration = VoiceActivityMonitor.Configuration()
    configuration.cutRules = .init(maxLength: .milliseconds(999))
    #expect(throws: MonitorError.detector(.duration)) {
      try VoiceActivityMonitor(
        source: HostPCM(sampleRate: Self.rate).source, configuration: configuration)
    }
  }
}
