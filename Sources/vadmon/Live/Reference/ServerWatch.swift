import Processes
import RealTime
import SystemPackage

/// Tells when something may have changed at a sound server: `pactl subscribe`, started anew whenever it ends.
///
/// Threads: one.
final class ServerWatch {
  private var child: (process: ChildProcess, output: FileDescriptor)?

  /// How long after a start something may have gone unnoticed, ms: then pactl is looked after, and started again if it
  /// has ended.
  private static let startingTime: Int32 = 1000
  /// How often to look while that lasts, ms.
  private static let interval: Int32 = 200

  private var startedAt: Int64 = 0

  deinit { end() }

  /// Waits for a change, or for the event. Unless it is certain that only a change matters, it waits for a moment only.
  /// Returns whether there may be a change.
  func wait(orFor wake: WakeEvent, isCertain: Bool) -> Bool {
    start()
    let limit: Int32 =
      !isCertain || hasJustStarted ? Self.interval : child == nil ? Self.startingTime : -1
    return wake.wait(orFor: child?.output, atMost: limit) ? readEvents() : limit > 0
  }

  private var hasJustStarted: Bool {
    monotonicTime() - startedAt < Int64(Self.startingTime) * 1_000_000
  }

  private func start() {
    guard child == nil, !hasJustStarted else { return }
    startedAt = monotonicTime()
    if let (process, pipes) = try? SoundServer.command(["subscribe"]).start(piping: \.output) {
      child = (process, pipes[0])
    }
  }

  /// Returns whether the events that have come may concern a source or its streams.
  private func readEvents() -> Bool {
    guard let child else { return true }
    guard let bytes = try? child.output.read(atMost: 65_536), !bytes.isEmpty else {
      end()
      return true
    }
    let text = String(decoding: bytes, as: UTF8.self)
    return text.contains("source") || text.contains("server")
  }

  private func end() {
    guard let (process, output) = child else { return }
    process.kill()
    _ = process.wait(endingGroup: true)
    try? output.close()
    child = nil
  }
}
