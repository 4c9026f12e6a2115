import ActivityReporting
import MetricsTestKit
import Testing
import VoiceActivity

/// The oracle is swift-metrics' own test kit.
@Suite struct ActivityMetricsTests {
  private let metrics = TestMetrics()

  private func total(_ metric: ActivityReporter.Metric) -> Int64 {
    metrics.counterTotal(label: metric.rawValue)
  }

  @Test func countersReportWhatHasChanged() throws {
    let register = StreamRegister()
    var reporter = ActivityReporter(of: register, metrics: metrics)
    var detector = try VoiceActivityDetector(configuration: .init())
    let stream = register.add(detector.control)
    let silence = [Float](repeating: 0, count: 16_000)
    detector.process(silence.span) { _ in }
    detector.pushGap(160) { _ in }
    detector.pushGap(320) { _ in }
    detector.process(silence.span) { _ in }
    reporter.report()
    let hops = Int64(detector.control.totals.hops)
    #expect(total(.hops) == hops && hops > 190)
    #expect(total(.overruns) == 0 && total(.gaps) == 1 && total(.samplesLost) == 480)
    #expect(total(.onsets) == 0 && total(.mutedSpeech) == 0)

    detector.process(silence.span) { _ in }
    register.remove(stream)
    register.countOverrun()
    reporter.report()
    reporter.report()
    #expect(total(.hops) == hops + 100 && total(.overruns) == 1 && total(.gaps) == 1)
    let streams = try metrics.expectGauge(ActivityReporter.Metric.streams.rawValue)
    #expect(streams.values == [1, 0, 0])
  }

  /// What a detector of its own says it took, each call told once.
  @Test func timesAreReportedUnchanged() throws {
    let register = StreamRegister()
    var reporter = ActivityReporter(of: register, metrics: metrics)
    var detector = try VoiceActivityDetector(configuration: .init(), isTimed: true)
    _ = register.add(detector.control)
    let packet = [Float](repeating: 0, count: 160)
    for calls in [17, 40] {
      for _ in 0..<calls { detector.process(packet.span) { _ in } }
      reporter.report()
    }
    reporter.report()
    let lengths = detector.control.times.lengths.flatMap { length, count in
      Array(repeating: Int64(length / .nanoseconds(1)), count: Int(count))
    }
    let timer = try metrics.expectTimer(ActivityReporter.Metric.process.rawValue)
    #expect(timer.values.sorted() == lengths && lengths.count == 4)
  }

  /// All are there from the first report, without a label that could grow with the streams.
  @Test func allMetricsExistFromTheBeginning() throws {
    let register = StreamRegister()
    for _ in 0..<100 {
      _ = register.add(try VoiceActivityDetector(configuration: .init()).control)
    }
    var reporter = ActivityReporter(of: register, metrics: metrics)
    reporter.report()
    let names =
      metrics.counters.map(\.label) + metrics.recorders.map(\.label) + metrics.timers.map(\.label)
    #expect(names.sorted() == ActivityReporter.Metric.allCases.map(\.rawValue).sorted())
    #expect(metrics.counters.allSatisfy { $0.dimensions.isEmpty && $0.values == [0] })
    #expect(metrics.recorders.map(\.lastValue) == [100])
  }
}
