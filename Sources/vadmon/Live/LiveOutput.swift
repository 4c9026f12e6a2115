import SystemPackage

/// What goes to standard output: events as lines for people, or records as lines of JSON, each written at
/// once.
struct LiveOutput {
  enum Form: Sendable, Hashable {
    case text
    case json
    /// The meter shows it all.
    case nothing
  }

  let form: Form
  let style: TextStyle
  /// What may be drawn on the same terminal.
  let screen: MeterScreen?

  func write(_ event: LiveEvent) throws(OutputError) {
    switch form {
    case .text: try write(line: "\(event.time.clock)  \(styled(event))")
    case .json: try write(event.json)
    case .nothing: break
    }
  }

  /// For programs alone.
  func write(_ record: JSONValue) throws(OutputError) {
    if form == .json { try write(line: record.text) }
  }

  private func write(line: String) throws(OutputError) {
    var failure: OutputError?
    let write = {
      do throws(OutputError) {
        try FileDescriptor.standardOutput.write(all: (line + "\n").utf8, name: "standard output")
      } catch {
        failure = error
      }
    }
    if let screen { screen.interrupted(by: write) } else { write() }
    if let failure { throw failure }
  }

  private func styled(_ event: LiveEvent) -> String {
    switch event.kind {
    case .onset: style.good(event.text)
    case .mutedSpeech(true): style.strong(style.warning(event.text))
    case .gap, .health, .device, .clock: style.warning(event.text)
    default: event.text
    }
  }
}
