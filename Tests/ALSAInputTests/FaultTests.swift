import ALSAInput
import Foundation
import RealTime
import TestSupport
import Testing
import VirtualDevice
import VirtualDeviceSupport

/// Devices with faults: every frame is either captured at its position or reported as lost, exactly.
@Suite struct FaultTests {
  struct Case: Sendable, CustomTestStringConvertible {
    /// The fault lines of the device file.
    var faults: [String]
    /// The gaps that must be reported, and no others.
    var gaps: [Gap]
    /// The faults that the source must count.
    var counts: [CaptureFault: UInt64]
    var rate = 16_000
    var stands: Bool { faults.contains { $0.contains(" stand ") } }
    var testDescription: String { "\(faults.joined(separator: ", ")) at \(rate) Hz" }

    init(
      _ faults: String..., lost: (UInt64, UInt64)..., counts: [CaptureFault: UInt64],
      rate: Int = 16_000
    ) {
      self.faults = faults
      gaps = lost.map { Gap(position: $0.0, length: $0.1) }
      self.counts = counts
      self.rate = rate
    }
  }

  /// Each fault alone, at a frame that is no multiple of the period; then many faults; then other rates.
  static let cases: [Case] = [
    Case("3037 overrun 500", lost: (3037, 500), counts: [.stopped: 1]),
    Case("3037 overrun 1", lost: (3037, 1), counts: [.stopped: 1]),
    Case("1 overrun 500", lost: (1, 500), counts: [.stopped: 1]),
    Case("3037 suspend 500", lost: (3037, 500), counts: [.suspended: 1]),
    Case("3037 suspend 500 abrupt", lost: (3037, 500), counts: [.suspended: 1]),
    Case("3037 suspend-prepare 500", lost: (3037, 500), counts: [.suspended: 1]),
    Case("3037 stall 5000", counts: [:]),
    Case("3037 stand 1000", lost: (3037, 1000), counts: [:]),
    Case("3037 stand 1601", lost: (3037, 1601), counts: [:]),
    Case("3037 stand 20000", lost: (3037, 20_000), counts: [:]),
    Case("3037 stand 72000", lost: (3037, 72_000), counts: [:]),
    Case("3037 idle 16000", lost: (3037, 16_000), counts: [:]),
    Case("3037 short", counts: [:]),
    Case("3037 error", counts: [.error: 1]),
    Case("3037 gone 6000", lost: (3037, 6000), counts: [.gone: 1]),
    Case("3037 broken 12000", lost: (3037, 12000), counts: [.stopped: 1]),
    Case(
      "1000 short", "2037 overrun 160", "10001 suspend 80", "18003 suspend-prepare 81",
      "26001 stall 999", "34000 error", "42500 gone 4000", "54000 overrun 3",
      lost: (2037, 160), (10_001, 80), (18_003, 81), (42_500, 4000), (54_000, 3),
      counts: [.stopped: 2, .suspended: 2, .error: 1, .gone: 1]),
    Case("5037 overrun 1234", lost: (5037, 1234), counts: [.stopped: 1], rate: 44_100),
    Case("5037 gone 20000", lost: (5037, 20_000), counts: [.gone: 1], rate: 48_000),
    Case(
      "5037 stand 48000", "90001 idle 9600", lost: (5037, 48_000), (90_001, 9600), counts: [:],
      rate: 48_000),
    Case("1037 suspend 333", lost: (1037, 333), counts: [.suspended: 1], rate: 8000),
    Case("20037 overrun 9999", lost: (20_037, 9999), counts: [.stopped: 1], rate: 192_000),
  ]

  @Test(.tags(.slow), arguments: cases) func gapsAreExact(_ setting: Case) async throws {
    let lines = setting.faults.map { "at \($0)" }
    // Leaves time for the recovery: a source that comes back later finds the device's counter at its end.
    let end = (setting.gaps.last.map { $0.position + $0.length } ?? 9000) + UInt64(setting.rate)
    func captured() async throws -> Session {
      try await Session.captured(
        (["rate \(setting.rate)"] + lines).joined(separator: "\n"), end: end
      ) { $0.sampleRate = setting.rate }
    }
    var session = try await captured()
    // On a machine that is too busy, the source may not look at its device while it stands. Nothing reports that.
    for _ in 1..<4 where setting.stands && session.recording.gaps != setting.gaps {
      session = try await captured()
    }
    let (recording, device) = (session.recording, session.device)
    #expect(recording.wrong == [])
    #expect(recording.gaps == setting.gaps)
    // Captured + lost = frames made by the device.
    #expect(recording.position == end && device.made == end && device.position == end)
    #expect(session.status.capturedFrames == recording.captured)
    #expect(session.status.lostFrames == recording.lost)
    #expect(session.status.counts == setting.counts)
    #expect(Int(device.next_fault) == setting.faults.count, "every fault struck")
  }

  /// A bad day: random faults of every kind, on four devices at once.
  @Test(.tags(.slow)) func randomFaultsLoseOnlyWhatIsReported() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for seed in 1...4 as ClosedRange<UInt64> {
        group.addTask { try await expectExactLosses(ofFaults: seed) }
      }
      try await group.waitForAll()
    }
  }

  private func expectExactLosses(ofFaults seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    var (place, lines, gaps) = (UInt64(0), [String](), [Gap]())
    for _ in 0..<12 {
      place += .random(in: 6000...9000, using: &random)
      let fault = ["overrun", "suspend", "suspend-prepare", "stall", "short", "error"]
        .randomElement(using: &random)!
      let length = UInt64.random(in: 1...3000, using: &random)
      lines.append("at \(place) \(fault) \(fault == "error" ? 1 : length)")
      guard fault == "overrun" || fault.hasPrefix("suspend") else { continue }
      gaps.append(Gap(position: place, length: length))
      place += length
    }
    let session = try await Session.captured(
      lines.joined(separator: "\n"), end: place + 16_000)
    #expect(session.recording.wrong == [])
    #expect(session.recording.gaps == gaps)
    #expect(session.recording.position == place + 16_000)
    #expect(session.device.made == place + 16_000 && session.device.next_fault == 12)
  }

  /// Behind a converting plugin, the counter and the states are the plugin's.
  @Test(
    .tags(.slow),
    arguments: [
      "overrun 500", "suspend 500", "suspend-prepare 500", "stall 3000", "gone 6000",
      "broken 12000",
    ])
  func faultsBehindAPluginAreReported(_ fault: String) async throws {
    let length = fault.hasPrefix("stall") ? 0 : UInt64(fault.split(separator: " ")[1])!
    let description = "channels 2\nformat S32_LE\nat 3037 \(fault)\n"
    let session = try await Session.captured(description, end: 32_000, isPlugged: true) {
      $0.sampleFormat = .float32
      $0.channelCount = 2
      $0.channels = .each
    }
    #expect(session.recording.wrong == [])
    #expect(session.recording.gaps == (length > 0 ? [Gap(position: 3037, length: length)] : []))
    #expect(session.recording.position == 32_000 && session.device.made == 32_000)
  }

  /// When a device stops without warning, the contents of its buffer are lost too, and the gap is longer.
  @Test(.tags(.slow), arguments: ["overrun 700", "suspend-prepare 700", "gone 5000"])
  func anAbruptStopAlsoLosesTheBuffer(_ fault: String) async throws {
    let length = UInt64(fault.split(separator: " ")[1])!
    // With long periods, part of one is waiting when the fault strikes.
    let session = try await Session.captured("at 7037 \(fault) abrupt", end: 32_000) {
      $0.period = .milliseconds(125)
    }
    let recording = session.recording
    #expect(recording.wrong == [])
    #expect(recording.gaps.count == 1)
    let gap = try #require(recording.gaps.first)
    #expect(gap.position <= 7037)
    #expect(gap.position + gap.length == 7037 + length)
    #expect(recording.position == 32_000 && session.device.made == 32_000)
  }

  /// The capture thread is kept from running, and the device overwrites what was not fetched.
  @Test(arguments: [1, 2, 6]) func anOverwrittenBufferIsAGap(channels: Int) async throws {
    let description = "channels \(channels)\nat 3037 sleep 6000\nat 12001 sleep 4000\n"
    let session = try await Session.captured(description, end: 20_000) {
      $0.buffer = .milliseconds(100)
      $0.channels = .each
    }
    let recording = session.recording
    #expect(recording.wrong == [])
    // The buffer holds 1600 frames. On a busy machine more is lost, but never less.
    #expect(recording.lost >= 6000 + 4000 - 2 * 1600)
    #expect(recording.gaps.contains { $0.position <= 3037 && 3037 < $0.position + $0.length })
    #expect(recording.position == 20_000 && session.device.made == 20_000)
    #expect(session.status.lostFrames == recording.lost)
    #expect(session.status.counts[.overrun, default: 0] >= 1)
  }

  /// A sound server keeps what does not fit into the buffer. PulseAudio's plugin never fills the last frame. The buffer
  /// is full three times, and nothing is lost. All of
  /// it fits into the ring, so that a reader on a busy machine may be late.
  @Test(arguments: [0, 1]) func aFullBufferThatKeepsIsNoOverrun(unfilled: Int) async throws {
    let session = try await Session.captured("keep \(unfilled)\nat 3037 stall 10000\n", end: 15_000)
    {
      $0.buffer = .milliseconds(200)
    }
    #expect(session.recording.wrong == [])
    #expect(session.recording.gaps == [])
    #expect(session.recording.position == 15_000 && session.device.made == 15_000)
    #expect(session.status.counts == [:])
  }

  /// After persistent errors the device is restarted, and the frames that it makes meanwhile are lost.
  @Test func aDeviceIsRestartedAfterPersistentErrors() async throws {
    let session = try await Session.captured("at 3037 error 3\n", end: 10_000)
    let recording = session.recording
    #expect(recording.wrong == [])
    #expect(recording.gaps.count == 1)
    #expect(recording.gaps.first?.position == 3037)
    #expect(recording.position == 10_000 && session.device.made == 10_000)
    #expect(session.status.counts == [.error: 1])
    #expect(session.device.opens == 1 && session.device.starts >= 2)
  }

  /// A device that runs without delivering for 5 s is opened anew; this one delivers again after 6 s.
  @Test(.tags(.slow)) func aSilentDeviceIsReopened() async throws {
    let session = try await Session.captured("rate 8000\nat 1037 stall 48000\n", end: 56_000) {
      $0.sampleRate = 8000
    }
    #expect(session.recording.wrong == [])
    let gap = try #require(session.recording.gaps.first)
    #expect(session.recording.gaps.count == 1 && gap.position == 1037)
    #expect(gap.length >= 39_000)
    #expect(session.recording.position == 56_000 && session.device.made == 56_000)
    #expect(session.status.counts == [.silent: 1] && session.device.opens == 2)
  }

  /// The source is not read for longer than the ring holds, so that many blocks in a row find no room. They form one
  /// gap and count as one fault, in the status as well as in the source's overruns.
  @Test func aSlowReaderGetsAGap() throws {
    let device = try TestDevice("rate 8000\nat 32000 end\n")
    let source = try device.source {
      $0.sampleRate = 8000
      $0.buffer = .milliseconds(400)
    }
    // 2000 frames are 25 periods.
    try blockUntil("frames are lost") { source.status.lostFrames >= 2000 }
    #expect(source.status.lastFault == .slowReader)
    let recording = try Recording(source, until: 32_000)
    #expect(recording.wrong == [])
    #expect(recording.lost >= 2000)
    #expect(recording.position == 32_000)
    let counts = source.status.counts
    #expect(1...recording.gaps.count ~= Int(counts[.slowReader, default: 0]))
    #expect(source.overruns == counts[.slowReader, default: 0] + counts[.overrun, default: 0])
    #expect(source.status.lostFrames == recording.lost)
  }
}
