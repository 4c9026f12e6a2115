import AllocationCounter
import Glibc
import TestSupport
import Testing
import VoiceActivity

@Suite struct DetectorControlTests {
  static let speech = DetectorTests.speech

  @Test func theControlReportsTheLastHop() throws {
    var detector = try VoiceActivityDetector(configuration: .init())
    let control = detector.control
    #expect(control.status.state == .silence && control.status.hops == 0)
    #expect(control.status.levelDBFS == -127 && !control.status.isSpeech)
    var hops: [VoiceActivityHop] = []
    let start = Array(Self.speech[..<24_000])
    detector.process(start.span, onHop: { hops.append($0) }, onEvent: { _ in })
    let (status, last) = (control.status, try #require(hops.last))
    #expect(status.hops == UInt64(hops.count) && status.state == last.state)
    #expect(status.posterior == last.posterior && status.levelDBFS == last.levelDBFS)
    #expect(status.noiseFloorDBFS == last.noiseFloorDBFS && status.levelDBov == last.levelDBov)
    #expect(status.isSpeech && !status.isMuted && !status.isMutedSpeech)
    #expect(control.inputCounts == detector.inputCounts)
  }

  @Test func theControlMutesTheDetector() throws {
    var detector = try VoiceActivityDetector(configuration: .init())
    let control = detector.control
    control.setMuted(true)
    #expect(control.status.isMuted)
    var kinds: [VoiceActivityEvent.Kind] = []
    let (start, next) = (Array(Self.speech[..<24_000]), Array(Self.speech[24_000..<24_800]))
    detector.process(start.span) { kinds.append($0.kind) }
    #expect(kinds == [.onset, .mutedSpeechBegin] && control.status.isMutedSpeech)
    control.setMuted(false)
    #expect(!control.status.isMutedSpeech)
    detector.process(next.span) { kinds.append($0.kind) }
    #expect(kinds.last == .mutedSpeechEnd)
  }

  /// The oracle counts what the closures receive.
  @Test func totalsOutliveResets() throws {
    var detector = try VoiceActivityDetector(configuration: .init())
    let control = detector.control
    control.setMuted(true)
    var expected = VoiceActivityTotals()
    func note(_ event: VoiceActivityEvent) {
      switch event.kind {
      case .onset: expected.onsets += 1
      case .mutedSpeechBegin: expected.mutedSpeeches += 1
      case .discontinuity: expected.gaps += 1
      case .offset, .mutedSpeechEnd: break
      }
    }
    func note(_ hop: VoiceActivityHop) { expected.hops += 1 }
    for round in 1...3 {
      detector.process(Self.speech.span, onHop: note, onEvent: note)
      detector.pushGap(UInt64(round) * 1600, onHop: note, onEvent: note)
      expected.missingSamples += UInt64(round) * 1600
      detector.process(Self.speech.span, onHop: note, onEvent: note)
      #expect(control.totals == expected)
      // Hops that wait for their look-ahead are never decided.
      detector.reset()
      #expect(control.totals == expected && control.status.hops == 0)
    }
    #expect(expected.onsets == 6 && expected.mutedSpeeches == 6 && expected.gaps == 3)
  }

  /// Counts one thread's calls of malloc and free, because other threads have calls of their own.
  @Test(.enabled(if: allocation_counter_works()))
  func analysisAllocatesNothing() throws {
    let integers = Self.speech.map { Int16($0 * 32_767) }
    var detector = try VoiceActivityDetector(configuration: .init())
    let control = detector.control
    var (events, hops, looks) = (0, 0, UInt64(0))
    let before = allocation_counter_here()
    detector.setMuted(true)
    detector.process(Self.speech.span) { _ in events += 1 }
    detector.process(Self.speech.span, onHop: { _ in hops += 1 }, onEvent: { _ in events += 1 })
    detector.pushGap(1600, onHop: { _ in hops += 1 }, onEvent: { _ in events += 1 })
    detector.process(integers.span) { _ in events += 1 }
    detector.process(integers.span, onHop: { _ in hops += 1 }, onEvent: { _ in events += 1 })
    looks += control.status.hops + control.totals.hops + detector.inputCounts.clipped
    detector.flush(onHop: { _ in hops += 1 }, onEvent: { _ in events += 1 })
    detector.reset()
    let after = allocation_counter_here()
    #expect(after == before)
    #expect(events > 8 && hops > 800 && looks > 1600)
    // Not a malloc here: the compiler would remove it.
    fclose(fopen("/dev/null", "r"))
    #expect(allocation_counter_here() >= after + 2)
  }

  @Test func theControlOutlivesTheDetector() throws {
    func control() throws -> VoiceActivityControl {
      var detector = try VoiceActivityDetector(configuration: .init())
      detector.process(Self.speech.span) { _ in }
      return detector.control
    }
    let left = try control()
    left.setMuted(true)
    #expect(left.status.isMuted && left.status.hops == 397 && left.totals.onsets == 1)
  }

  /// ThreadSanitizer finds races. This test checks that a mute arrives and that totals are never too high.
  @Test func theControlMayBeUsedWhileAnotherTaskAnalyses() async throws {
    var detector = try VoiceActivityDetector(configuration: .init())
    let control = detector.control
    async let highest = look(control)
    try await waitUntil("the mute arrives") { control.status.isMuted }
    for _ in 0..<20 {
      for start in stride(from: 0, to: Self.speech.count, by: 1600) {
        let packet = Array(Self.speech[start..<start + 1600])
        detector.process(packet.span) { _ in }
        await Task.yield()
      }
      detector.reset()
    }
    let totals = control.totals
    control.setMuted(false)
    #expect(await highest <= totals.hops)
    #expect(totals.hops == 20 * 397 && totals.mutedSpeeches == 20)
  }

  /// Mutes, and looks until unmuted. Returns the most hops seen; during a reset they may seem fewer.
  private func look(_ control: VoiceActivityControl) async -> UInt64 {
    control.setMuted(true)
    var highest: UInt64 = 0
    while control.status.isMuted {
      highest = max(highest, control.totals.hops)
      await Task.yield()
    }
    return highest
  }
}
