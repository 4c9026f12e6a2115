@testable import RealTime
@testable import VoiceMonitor

extension Broadcaster {
  func publish(_ element: Box.Element) { if send(element) { wake() } }
}

extension Guarded {
  /// Returns as soon as an observer waits for an element.
  func untilAwaited<Box>() async where State == Broadcast<Box, CheckedContinuation<Void, Never>> {
    while !change({ $0.isAwaited }) { await Task.yield() }
  }
}
