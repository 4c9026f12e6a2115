import Annotations
import AudioInput
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
    /// The part of the work in them.
    var finishedWork: Double = 0
    /// The progress of each running input, 0 … 1, by its index.
    var running: [Int: Double] = [:]
    /// The length of audio analysed so far, in seconds.
    var analysed: Double = 0
    var lastDrawn: ContinuousClock.Instant?
    var isVisible = false
  }

  /// The share of each input in the work.
  private let shares: [Double]
  private let begin = ContinuousClock.now
  private let state = Guarded(State())

  private static let interval = Duration.milliseconds(100)

  /// Creates a bar for inputs of these sizes, of which only the proportions matter.
  init(sizes: [Int64]) {
    let sizes = sizes.map { Double(max(1, $0)) }
    let sum = sizes.reduce(0, +)
    shares = sizes.map { $0 / sum }
  }

  /// Reports that `count` more frames of an input have been analysed, up to `position`.
  func advance(input: Int, _ source: any RecordedSource, by count: Int, to position: UInt64) {
    let whole = source.expectedFrameCount.map { Double(max(1, $0)) }
    state.change { state in
      state.analysed += Double(count) / Double(source.sampleRate)
      state.running[input] = min(1, whole.map { Double(position) / $0 } ?? 0)
      drawIfDue(&state)
    }
  }

  func finish(input: Int) {
    state.change { state in
      state.running[input] = nil
      state.finishedInputs += 1
      state.finishedWork += shares[input]
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
    let running = state.running.reduce(0) { $0 + $1.value * shares[$1.key] }
    let line = Self.line(
      fraction: min(1, state.finishedWork + running), finished: state.finishedInputs,
      count: shares.count, elapsed: (now - begin) / .seconds(1), analysed: state.analysed)
    let shown = Terminal.isUTF8 ? line : ASCII.text(line)
    state.isVisible = true
    write("\r" + shown.prefix(Terminal.size(STDERR_FILENO).columns - 1) + "\u{1B}[K")
  }

  private func erase(_ state: inout State) {
    guard state.isVisible else { return }
    state.isVisible = false
    write("\r\u{1B}[K")
  }

  private func write(_ text: some StringProtocol) {
    _ = try? FileDescriptor.standardError.writeAll(text.utf8)
  }

  /// Returns a line such as `██████████░░░░░░  67 %  2 of 5  0:07 left  1:02:03 analysed, 1234× real time`.
  ///
  /// The time left is known once a second has passed.
  static func line(
    fraction: Double, finished: Int, count: Int, elapsed: Double, analysed: Double
  ) -> String {
    let width = 16
    let full = Int((fraction * Double(width)).rounded())
    let bar = String(repeating: "█", count: full) + String(repeating: "░", count: width - full)
    let percent = String(Int(fraction * 100)).padded(to: 3, right: true)
    let inputs = count > 1 ? "  \(finished) of \(count)" : ""
    let left =
      elapsed < 1 || fraction < 0.001
      ? "" : "  \(clock((elapsed / fraction - elapsed).rounded(.up))) left"
    let speed = Int(analysed / max(elapsed, 1e-3))
    return
      "\(bar) \(percent) %\(inputs)\(left)  \(clock(analysed)) analysed, \(speed)× real time"
  }

  private static func clock(_ seconds: Double) -> String {
    MediaTime(milliseconds: UInt64(seconds) * 1000).wholeClock
  }
}
