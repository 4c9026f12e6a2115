import SystemPackage

/// What goes to standard output: events as lines for people, or records as lines of JSON, each written at once by a
/// thread of its own.
///
/// When nobody reads, events wait; those for which there is no room are counted, and a `dropped` event stands in their
/// place as soon as there is. Of levels only the newest waits.
///
/// Threads: the main loop's.
final class LiveOutput {
  enum Form: Sendable, Hashable {
    case text
    case json
    /// The meter shows it all.
    case nothing
  }

  let form: Form
  private let style: TextStyle
  /// The meter, where it is on the same terminal.
  private let screen: MeterScreen?
  private let printer: Printer
  private let descriptor: FileDescriptor
  /// Events for which there was no room, since the last for which there was; and when the newest of them was.
  private var missed = 0
  private var newestMissed = Timestamp.zero
  private var droppedCount = 0

  init(
    form: Form, style: TextStyle, screen: MeterScreen?, printer: Printer,
    descriptor: FileDescriptor = .standardOutput
  ) {
    (self.form, self.style, self.printer, self.descriptor) = (form, style, printer, descriptor)
    self.screen = screen?.descriptor == descriptor ? screen : nil
  }

  func write(_ event: LiveEvent) {
    guard let line = line(event) else { return }
    if missed > 0 {
      let dropped = LiveEvent.dropped(missed, by: .output, at: newestMissed)
      guard let report = self.line(dropped), put(report) else { return miss(event) }
      missed = 0
    }
    if !put(line) { miss(event) }
  }

  /// For programs alone.
  func write(_ record: JSONValue) {
    if form == .json, !put(record.text) { droppedCount += 1 }
  }

  /// For programs alone; one that still waits is replaced.
  func write(level record: JSONValue) {
    if form == .json { printer.put(newest: job(record.text), of: "level") }
  }

  /// Waits for the reader, within patience.
  ///
  /// - Returns: How many lines were not written.
  func finish(_ patience: Patience) throws(OutputError) -> Int {
    try printer.finish(patience) + droppedCount
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
    let (screen, descriptor) = (screen, descriptor)
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
    }
  }

  private func styled(_ event: LiveEvent) -> String {
    switch event.kind {
    case .onset: style.good(event.text)
    case .mutedSpeech(true): style.strong(style.warning(event.text))
    case .gap, .health, .device, .clock, .recordingEnded, .dropped: style.warning(event.text)
    default: event.text
    }
  }
}
