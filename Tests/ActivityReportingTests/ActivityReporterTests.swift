import ActivityReporting
import Logging
import Synchronization
import TestSupport
import Testing
import VoiceActivity

/// Something to read that a test sets.
private final class Source: ActivityReadable {
  private let value = Mutex(ActivityReading())
  /// Relaxed order is enough: a test only waits for the number.
  private let readings = Atomic<Int>(0)

  var readCount: Int { readings.load(ordering: .relaxed) }
  var reading: ActivityReading {
    readings.wrappingAdd(1, ordering: .relaxed)
    return value.withLock { $0 }
  }

  func set(_ change: (inout ActivityReading) -> Void) { value.withLock { change(&$0) } }
}

/// What was logged.
private final class Log: Sendable {
  private let all = Mutex<[(level: Logger.Level, metadata: Logger.Metadata)]>([])

  var lines: [(level: Logger.Level, metadata: Logger.Metadata)] { all.withLock { $0 } }
  var logger: Logger {
    Logger(label: "test", factory: { _ in Handler(log: self) })
  }

  private struct Handler: LogHandler {
    let log: Log
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      log.all.withLock { $0.append((event.level, event.metadata ?? [:])) }
    }
  }
}

@Suite struct ActivityReporterTests {
  private let source = Source()
  private let log = Log()

  @Test func changesAreLogged() {
    var reporter = ActivityReporter(of: source, logger: log.logger)
    source.set {
      $0.streams = 2
      ($0.totals.hops, $0.totals.onsets, $0.totals.mutedSpeeches) = (1000, 7, 1)
      ($0.totals.gaps, $0.totals.missingSamples, $0.totals.overruns) = (3, 480, 2)
    }
    reporter.report()
    source.set { ($0.totals.hops, $0.totals.onsets) = (1500, 8) }
    reporter.report()
    #expect(log.lines.count == 2)
    #expect(
      log.lines[0].metadata == [
        "streams": "2", "hops": "1000", "onsets": "7", "muted_speech": "1", "overruns": "2",
        "gaps": "3", "samples_lost": "480",
      ])
    #expect(
      log.lines[1].metadata == [
        "streams": "2", "hops": "500", "onsets": "1", "muted_speech": "0", "overruns": "0",
        "gaps": "0", "samples_lost": "0",
      ])
  }

  @Test func onlyChangesAreLoggedAtInfo() {
    var reporter = ActivityReporter(of: source, logger: log.logger)
    reporter.report()
    let changes: [(inout ActivityReading) -> Void] = [
      { $0.streams = 1 }, { $0.totals.hops += 100 }, { $0.totals.onsets += 1 },
      { $0.totals.gaps += 1 }, { $0.totals.mutedSpeeches += 1 }, { $0.totals.overruns += 1 },
      { $0.streams = 0 },
    ]
    for change in changes {
      source.set(change)
      reporter.report()
    }
    #expect(
      log.lines.map(\.level) == [.debug, .info, .debug, .debug] + Array(repeating: .info, count: 4))
  }

  /// Beside a reset counts may seem to fall; what they rise to again was told.
  @Test func nothingIsReportedTwice() {
    var reporter = ActivityReporter(of: source, logger: log.logger)
    for hops: UInt64 in [100, 40, 100, 160] {
      source.set { $0.totals.hops = hops }
      reporter.report()
    }
    #expect(log.lines.map { $0.metadata["hops"] } == ["100", "0", "0", "60"])
  }

  /// It waits before each report, and a cancelled task reports once more.
  @Test func theReporterRunsUntilCancelled() async throws {
    let (source, logger, clock) = (source, log.logger, HandDrivenClock())
    source.set { $0.totals.hops = 5 }
    let task = Task {
      await ActivityReporter(of: source, logger: logger).run(every: .seconds(10), on: clock)
    }
    for reports in 0...2 {
      try await waitUntil("the reporter sleeps") { clock.sleeperCount > 0 }
      #expect(source.readCount == reports)
      source.set { $0.totals.hops += 1 }
      if reports < 2 { clock.advance(to: .seconds(10 * (reports + 1))) }
    }
    task.cancel()
    await task.value
    #expect(log.lines.map { $0.metadata["hops"] } == ["6", "1", "1"])
  }

  @Test func theReporterRunsAsOftenAsRequested() async throws {
    let source = source
    let task = Task { await ActivityReporter(of: source).run(every: .milliseconds(1)) }
    try await waitUntil("three reports") { source.readCount >= 3 }
    task.cancel()
    await task.value
  }

  /// A dashboard's names.
  @Test func metricsHaveTheirNames() {
    #expect(
      ActivityReporter.Metric.allCases.map(\.rawValue) == [
        "vad_hops_total", "vad_overruns_total", "vad_gaps_total", "vad_samples_lost_total",
        "vad_onsets_total", "vad_muted_speech_total", "vad_streams", "vad_process_seconds",
      ])
  }
}
