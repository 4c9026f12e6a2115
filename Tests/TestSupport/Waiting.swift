public import Foundation

/// What a test waited for did not come. Five minutes are enough for a busy machine.
public struct NeverHappened: Error, CustomStringConvertible {
  static let patience = Duration.seconds(300)
  public let description: String
}

/// Looks until a condition holds, and blocks the thread. `what` says it in words: "the device is gone".
public func blockUntil(_ what: String, _ condition: () throws -> Bool) throws {
  let end = ContinuousClock.now + NeverHappened.patience
  while try !condition() {
    guard ContinuousClock.now < end else { throw NeverHappened(description: what) }
    usleep(1000)
  }
}

/// The same in a task, which lets others run meanwhile.
public func waitUntil(
  _ what: String, isolation: isolated (any Actor)? = #isolation,
  _ condition: () async throws -> Bool
) async throws {
  let end = ContinuousClock.now + NeverHappened.patience
  while try await !condition() {
    guard ContinuousClock.now < end else { throw NeverHappened(description: what) }
    await Task.yield()
    try await Task.sleep(for: .milliseconds(1))
  }
}

extension Process {
  /// Waits for the end. A program that does not end is killed.
  public func waitForEnd() throws {
    do {
      try blockUntil("the end of \(arguments ?? [])") { !isRunning }
    } catch {
      kill(processIdentifier, SIGKILL)
      throw error
    }
    waitUntilExit()
  }
}

extension DispatchSemaphore {
  public func wait(for what: String) throws {
    let isLate = wait(timeout: .now() + .seconds(Int(NeverHappened.patience.components.seconds)))
    if isLate == .timedOut { throw NeverHappened(description: what) }
  }
}
