import ALSAInput
import Foundation
import RealTime
import TestSupport
import Testing
import VoiceActivity

/// Reads a source to its end on a thread of its own, and feeds it to a detector.
///
/// `@unchecked Sendable` is safe because the thread alone uses the results until it has ended, and `stop` waits for its
/// end.
final class Listener: @unchecked Sendable {
  let source: ALSASource
  // What follows belongs to the thread until it has ended.
  private(set) var captured: UInt64 = 0
  private(set) var missing: UInt64 = 0
  /// How often another device began.
  private(set) var otherDevices = 0
  private(set) var phrases: [ClosedRange<Double>] = []
  private var onset = 0.0
  private let ended = DispatchSemaphore(value: 0)

  init(_ source: ALSASource) {
    self.source = source
    Thread.detachNewThread { [self] in
      try? listen()
      ended.signal()
    }
  }

  /// Waits until the source's status meets a condition.
  func wait(line: UInt = #line, until condition: (CaptureStatus) -> Bool) throws {
    try blockUntil("the condition in line \(line)") { condition(source.status) }
  }

  /// Stops the source and waits until the thread has stopped reading it. What is still in its ring is not read.
  func stop() {
    source.stop()
    do { try ended.wait(for: "the end of the reading thread") } catch { Issue.record(error) }
    ended.signal()
  }

  private func listen() throws {
    var detector = try VoiceActivityDetector(configuration: .init(sampleRate: source.sampleRate))
    var block = PCMBlock(channelCount: 1)
    while try source.read(into: &block) {
      captured += UInt64(block.frameCount)
      missing += block.missingFrames
      otherDevices += block.isOtherDevice ? 1 : 0
      if block.missingFrames > 0 { detector.pushGap(block.missingFrames, onEvent: note) }
      block.withSamples(ofChannel: 0) { detector.process($0, onEvent: note) }
    }
    detector.flush(onEvent: note)
  }

  /// Notes an event by its time in seconds since the capture began.
  private func note(_ event: VoiceActivityEvent) {
    let time = Double(event.position) / Double(source.sampleRate)
    switch event.kind {
    case .onset: onset = time
    case .offset: phrases.append(onset...time)
    default: break
    }
  }
}
