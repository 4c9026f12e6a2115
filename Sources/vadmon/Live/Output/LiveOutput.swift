import Annotations
import RealTime
import SystemPackage

/// Standard output: events as lines for people, or records as lines of JSON. A separate thread writes each at once.
///
/// If nothing reads them, events wait in a queue. Events that find the queue full are counted, and a `dropped` event
/// takes their place as soon as there is room. Of level records, only the newest waits.
///
/// Threads: the main loop's.
final class LiveOutput {
  enum Form: Sendable, Hashable {
    case text
    case json
    /// No events: the full meter shows everything.
    case nothing
  }

  let form: Form
  private let style: TextStyle
  /// The meter's screen, if it is on the same terminal.
  private let screen: MeterScreen?
  private let printer: Printer
  private let descriptor: FileDescriptor
  /// The number of events dropped since the last one that was queued, and below it the time of the newest of them.
  private var missed = 0
  private var newestMissed = MediaTime.zero
  private var droppedCount = 0
  /// The number of lines to write, and of those that the printer has written.
  private var lineCount = 0
  private let writtenCount = Guarded(0)

  init(
    form: Form, style: TextStyle, screen: MeterScreen?, printer: Printer,
    descriptor: FileDescriptor = .standardOutput
  ) {
    (self.form, self.style, self.printer, self.descriptor) = (form, style, printer, descriptor)
    self.screen = screen?.descriptor == descriptor ? screen : nil
  }

  func write(_ event: LiveEvent) {
    guard let line = line(event) else { return }
    lineCount += 1
    if missed > 0 {
      let dropped = LiveEvent.dropped(missed, by: .output, at: newestMissed)
      guard let report = self.line(dropped), put(report) else { return miss(event) }
      lineCount += 1
      missed = 0
    }
    if !put(line) { miss(event) }
  }

  /// Writes a record, in JSON only.
  func write(_ record: JSONValue) {
    guard form == .json else { return }
    lineCount += 1
    if !put(record.text) { droppedCount += 1 }
  }

  /// Writes a level record, in JSON only. It replaces one that is still waiting.
  func write(level record: JSONValue) {
    guard form == .json else { return }
    lineCount += 1
    printer.put(newest: job(record.text), of: "level")
  }

  /// Waits within `patience` for the reader.
  ///
  /// - Returns: The number of lines that were not written, levels included; 0 if only levels are missing, because a
  ///   slow reader does not need them all.
  func finish(_ patience: Patience) throws(OutputError) -> Int {
    guard try printer.finish(patience) + droppedCount > 0 else { return 0 }
    return lineCount - writtenCount.change { $0 }
  }

  private func miss(_ event: LiveEvent) {
    missed += 1
    droppedCount += 1
    newestMissed = event.decidedAt
  }

  private func line(_ event: LiveEvent) -> String? {
    switch form {
    case .text: "\(event.time.clock)  \(styled(event))"
    case .json: event.json.text
    case .nothing: nil
    }
  }

  private func put(_ line: String) -> Bool { printer.put(job(line)) }

  private func job(_ line: String) -> Printer.Job {
    let (screen, descriptor, writtenCount) = (screen, descriptor, writtenCount)
    return { () throws(OutputError) in
      var failure: OutputError?
      let write = {
        do throws(OutputError) {
          try descriptor.write(all: (line + "\n").utf8, name: "standard output")
        } catch {
          failure = error
        }
      }
      if let screen { screen.interrupted(by: write) } else { write() }
      if let failure { throw failure }
      writtenCount.change { $0 += 1 }
    }
  }

  private func styled(_ event: LiveEvent) -> String {
    switch event.kind {
    case .onset: style.good(event.text)
    case .mutedSpeech(true): style.strong(style.warning(event.text))
    case .reference(.delivers(true)), .reference(.follows): event.text
    case .gap, .health, .device, .reference, .otherInput, .clock, .recordingEnded, .dropped:
      style.warning(event.text)
    default: event.text
    }
  }
}
