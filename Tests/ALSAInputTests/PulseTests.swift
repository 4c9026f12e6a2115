import ALSAInput
import Foundation
import TestSupport
import Testing
import VirtualDeviceSupport

/// Capture from a sound server.
///
/// PulseAudio's plugin behaves differently from a sound card: it never overruns, it claims to run after its server has
/// gone, and it fails with errors of its own.
@Suite(.serialized) struct PulseTests {
  @Test func aMissingMicrophoneIsReported() async throws {
    let (present, absent, gone) = try await onOwnThread {
      _ = try VirtualDriver.environment
      let server = try PulseServer()
      let present = CaptureDevice(name: server.microphone)
      let absent = CaptureDevice(name: "pulse:\(server.address),nothing")
      server.stop()
      return (present, absent, CaptureDevice(name: server.microphone))
    }
    #expect(throws: Never.self) { try present.capabilities.get() }
    #expect(gone.capabilities == .failure(.noServer(name: gone.name)))
    // The plugin opens and offers everything, and looks for the source only afterwards.
    guard case .failure(.unsuitable) = absent.capabilities else {
      Issue.record("\(absent)")
      return
    }
  }

  /// The query gives up; libasound would wait for half a minute.
  @Test func aServerThatHangsIsNotWaitedFor() async throws {
    try await onOwnThread {
      _ = try VirtualDriver.environment
      let server = try PulseServer()
      server.hang(true)
      #expect(
        throws: CaptureError.failed(
          name: server.microphone, reason: "it did not answer within 200 ms")
      ) { try ALSASource.open(server.microphone, timeLimit: .milliseconds(200)) }
      server.hang(false)
      let source = try ALSASource.open(server.microphone, timeLimit: .seconds(300))
      #expect(source.name == server.microphone)
    }
  }

  /// The observations of a listener whose server ended and came back.
  private struct Outage: Sendable {
    let listener: Listener
    /// The status once the server was gone and the capture had noticed.
    let before: CaptureStatus
    /// The shortest time for which the server was gone, s.
    let missing: Double
    /// When the speech was played.
    let played: [Date]
  }

  /// Plays speech to the server, ends and restarts the server, and plays the speech again. A source that is asked for
  /// by name is the same when it is back.
  @Test(.tags(.slow), arguments: [true, false])
  func captureResumesWhenTheServerReturns(isNamed: Bool) async throws {
    let outage = try await onOwnThread {
      let server = try PulseServer()
      return try Self.outage(server, isNamed ? server.namedMicrophone : server.microphone)
    }
    #expect(outage.listener.otherDevices == (isNamed ? 0 : 1))
    let (listener, status) = (outage.listener, outage.listener.source.status)
    // The source delivered what its status counts, except what the stop left in its ring of one second.
    let unread = Int64(status.capturedFrames) - Int64(listener.captured)
    #expect(0...Int64(listener.source.sampleRate) ~= unread)
    #expect(listener.missing == status.lostFrames)
    // A busy machine may lose more frames, before and after, which also changes the last fault.
    let lost = status.lostFrames - outage.before.lostFrames
    #expect(Double(lost) > outage.missing * Double(listener.source.sampleRate))
    #expect(status.counts[.error] != nil)
    try Self.check(listener.phrases, played: outage.played)
  }

  private static func outage(_ server: PulseServer, _ name: String) throws -> Outage {
    let listener = Listener(try source(name))
    defer { listener.stop() }
    let first = try play(server, listener)
    server.stop()
    let end = Date()
    try listener.wait { $0.state == .waitingForDevice }
    let before = listener.source.status
    let missing = Date().timeIntervalSince(end)
    try server.start()
    try listener.wait { $0.state == .capturing && $0.capturedFrames > before.capturedFrames }
    let second = try play(server, listener)
    return Outage(listener: listener, before: before, missing: missing, played: [first, second])
  }

  /// The plugin reports no problem, so a reader that does not check would wait forever.
  @Test(.tags(.slow)) func aSleepingServerIsWaitedFor() async throws {
    try await onOwnThread {
      let server = try PulseServer()
      let listener = Listener(try Self.source(server.microphone))
      defer { listener.stop() }
      try listener.wait { $0.capturedFrames > 0 }
      try server.suspend(true)
      try listener.wait { $0.lastFault == .silent }
      let asleep = listener.source.status.capturedFrames
      try server.suspend(false)
      try listener.wait { $0.state == .capturing && $0.capturedFrames > asleep }
      // A sleeping server does not prevent a stop either.
      try server.suspend(true)
      listener.stop()
      try listener.wait { $0.state == .ended }
    }
  }

  private static func source(_ name: String) throws -> ALSASource {
    _ = try VirtualDriver.environment
    var configuration = ALSASource.Configuration()
    configuration.sampleRate = 16_000
    configuration.realTimePriority = nil
    return try ALSASource(name, configuration: configuration)
  }

  /// Plays the speech and returns when. Waits for the server's first sound, which comes up to 2 s late; speech before
  /// that would not be heard.
  private static func play(_ server: PulseServer, _ listener: Listener) throws -> Date {
    let captured = listener.source.status.capturedFrames
    try listener.wait { $0.capturedFrames > captured }
    let start = Date()
    try server.play(TelephoneSpeech.path)
    return start
  }

  /// Joins pieces of speech less than half a second apart into one phrase: a player on a busy machine falters, and the
  /// server fills the hole with silence.
  ///
  /// The recording's own phrases are a second apart. Its noise, which follows the server's silence abruptly, may be
  /// detected as speech for a moment, 0.6 s before the first phrase, or may make that phrase begin as early. This is a
  /// property of the detector, not of the capture.
  private static func joined(_ pieces: [ClosedRange<Double>]) -> [ClosedRange<Double>] {
    let joined = pieces.reduce(into: [ClosedRange<Double>]()) { phrases, piece in
      if let last = phrases.last, piece.lowerBound - last.upperBound < 0.5 {
        phrases[phrases.count - 1] = last.lowerBound...piece.upperBound
      } else {
        phrases.append(piece)
      }
    }
    return joined.filter { $0.upperBound - $0.lowerBound > 0.2 }
  }

  /// Checks that each playback is detected as labelled, and as long after the first as it was played: the gap between
  /// them has the right length.
  private static func check(_ found: [ClosedRange<Double>], played: [Date]) throws {
    let labels = TelephoneSpeech.phrases
    let phrases = joined(found)
    try #require(phrases.count == labels.count * played.count, "\(phrases)")
    for (index, start) in played.enumerated() {
      let heard = phrases[(index * labels.count)...].prefix(labels.count)
      let zero = heard.first!.upperBound - labels[0].upperBound
      for (phrase, label) in zip(heard, labels) {
        // The first may begin with the recording's noise; see `joined`.
        let early = label.lowerBound == labels[0].lowerBound ? 0.7 : 0.25
        #expect(-early...0.25 ~= phrase.lowerBound - zero - label.lowerBound, "\(phrases)")
        #expect(abs(phrase.upperBound - zero - label.upperBound) < 0.25, "\(phrases)")
      }
      let later = heard.first!.lowerBound - phrases[0].lowerBound
      // A busy machine needs time to start a player.
      #expect(abs(later - start.timeIntervalSince(played[0])) < 1.5, "\(phrases)")
    }
  }
}
