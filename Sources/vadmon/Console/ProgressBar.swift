import Annotations
import Glibc
import RealTime
import SystemPackage

/// A progress bar on one line of a terminal.
///
/// Threads: any may report progress; the reporting thread draws, at most ten times a second. Other output goes through
/// ``interrupted(by:)``, which removes the bar; the next report draws it again.
final class ProgressBar: StatusDisplay {
  private struct State {
    var finishedInputs = 0
    /// The progress of each running input, 0 … 1, by its index.
    var running: [Int: Double] = [:]
    /// The length of audio analysed so far, in seconds.
    var analysed: Double = 0
    var lastDrawn: ContinuousClock.Instant?
    var isVisible = false
  }

  private let inputCount: Int
  private let descriptor: FileDescriptor
  private let begin = ContinuousClock.now
  private let state = Guarded(State())

  private static let interval = Duration.milliseconds(100)

  init(inputCount: Int, descriptor: FileDescriptor = .standardError) {
    self.inputCount = inputCount
    self.descriptor = descriptor
  }

  /// Reports that `seconds` more of an input have been analysed; `fraction` is its progress, if known.
  func advance(input: Int, by seconds: Double, to fraction: Double?) {
    state.change { state in
      state.analysed += seconds
      state.running[input] = min(1, fraction ?? 0)
      drawIfDue(&state)
    }
  }

  func finish(input: Int) {
    state.change { state in
      state.running[input] = nil
      state.finishedInputs += 1
      drawIfDue(&state)
    }
  }

  /// Calls `print` with the bar removed.
  func interrupted(by print: @escaping @Sendable () -> Void) {
    state.change { state in
      erase(&state)
      print()
    }
  }

  func remove() { state.change { erase(&$0) } }
}

extension ProgressBar {
  private func drawIfDue(_ state: inout State) {
    let now = ContinuousClock.now
    if let last = state.lastDrawn, now - last < Self.interval { return }
    state.lastDrawn = now
    let fraction =
      (Double(state.finishedInputs) + state.running.values.reduce(0, +)) / Double(inputCount)
    let elapsed = (now - begin) / .seconds(1)
    let line = Self.line(
      fraction: fraction, finished: state.finishedInputs, count: inputCount,
      speed: state.analysed / max(elapsed, 1e-3), analysed: state.analysed)
    state.isVisible = true
    write("\r" + line.prefix(Terminal.columns(descriptor.rawValue) - 1) + "\u{1B}[K")
  }

  private func erase(_ state: inout State) {
    guard state.isVisible else { return }
    state.isVisible = false
    write("\r\u{1B}[K")
  }

  private func write(_ text: some StringProtocol) { _ = try? descriptor.writeAll(text.utf8) }

  /// Returns a line such as `████████████████░░░░░░░░  67 %  2 of 5  1:02:03 analysed, 1234× real time`.
  static func line(
    fraction: Double, finished: Int, count: Int, speed: Double, analysed: Double
  ) -> String {
    let width = 24
    let full = Int((fraction * Double(width)).rounded())
    let bar = String(repeating: "█", count: full) + String(repeating: "░", count: width - full)
    let percent = String(Int(fraction * 100))
    let pad = String(repeating: " ", count: max(0, 3 - percent.count))
    let inputs = count > 1 ? "  \(finished) of \(count)" : ""
    let clock = MediaTime(milliseconds: UInt64(analysed) * 1000).clock.dropLast(4)
    return "\(bar) \(pad)\(percent) %\(inputs)  \(clock) analysed, \(Int(speed))× real time"
  }
}
