import TestSupport

@testable import RealTime
@testable import VoiceMonitor

extension Broadcaster {
  func publish(_ element: Box.Element) { if send(element) { wake() } }
}

extension Guarded {
  /// Returns as soon as an observer waits for an element.
  func untilAwaited<Box>() async throws
  where State == Broadcast<Box, CheckedContinuation<Void, Never>> {
    try await waitUntil("an observer waits") { change { $0.isAwaited } }
  }
}
