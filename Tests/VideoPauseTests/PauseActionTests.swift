import Synchronization
import Testing

@testable import VideoPause

/// The actions that a coordinator has reported.
final class Told: Sendable {
  private let all = Mutex<[PauseAction]>([])

  func note(_ action: PauseAction) { all.withLock { $0.append(action) } }

  func take() -> Set<PauseAction> {
    all.withLock { all in
      defer { all = [] }
      // No action is reported twice.
      #expect(Set(all).count == all.count)
      return Set(all)
    }
  }
}

/// Derives the actions from the rows of the decisions alone.
private struct Follower {
  private var paused: [StreamID: (reason: PauseReason, since: Timestamp)] = [:]

  mutating func actions(_ rows: [StreamDecision], at now: Timestamp) -> Set<PauseAction> {
    var actions: Set<PauseAction> = []
    for id in paused.keys where !rows.contains(where: { $0.id == id }) { paused[id] = nil }
    for row in rows {
      let old = paused[row.id]
      if let reason = row.target.pauseReason {
        if old == nil { actions.insert(.paused(row.id, reason)) }
        if old?.reason != reason { paused[row.id] = (reason, now) }
      } else if let old {
        actions.insert(.resumed(row.id, old.reason, after: old.since.duration(to: now)))
        paused[row.id] = nil
      }
    }
    return actions
  }
}

@Suite struct PauseActionTests {
  private let told = Told()

  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func actionsMatchTheRowsOfTheDecisions(seed: UInt64) throws {
    var world = try World(seed: seed)
    world.coordinator.onAction = told.note
    var follower = Follower()
    var counts: [PauseReason: Int] = [:]
    try world.run(2_000) { world, _ in
      let actions = told.take()
      let expected = follower.actions(world.coordinator.decision.streams, at: world.now)
      #expect(actions == expected)
      for case .resumed(_, let reason, _) in actions { counts[reason, default: 0] += 1 }
    }
    #expect(counts[.bandwidth] ?? 0 > 5 && counts.count >= 2, "\(counts)")
  }

  @Test func aResumeReportsHowLongTheLastReasonHeld() throws {
    var coordinator = try VideoPauseCoordinator.cameras(1, .pure)
    coordinator.onAction = told.note
    func decided(_ bits: Int, _ seconds: Int64) throws -> Set<PauseAction> {
      try coordinator.step(bits, at: .seconds(seconds))
      return told.take()
    }
    #expect(try decided(0, 1) == [.paused(camera("a"), .bandwidth)])
    #expect(try decided(0, 2) == [])
    #expect(try decided(9_000_000, 5) == [.resumed(camera("a"), .bandwidth, after: .seconds(4))])
    try coordinator.setPublisherMuted(true, for: camera("a"), at: .seconds(6))
    #expect(try decided(0, 6) == [.paused(camera("a"), .publisherMuted)])
    try coordinator.setPublisherMuted(false, for: camera("a"), at: .seconds(60))
    #expect(try decided(0, 60) == [])
    #expect(
      try decided(9_000_000, 62) == [.resumed(camera("a"), .bandwidth, after: .seconds(2))])
  }

  @Test func aSessionReportsTheSameActions() async throws {
    let session = try VideoPauseSession(configuration: .pure, onAction: told.note)
    try await session.update(at: .zero) { (coordinator) throws(VideoPauseError) in
      try coordinator.upsertStream(
        camera("a"), kind: .camera, layers: simulcast(100), at: .zero)
      try coordinator.setBandwidthEstimate(0, at: .zero)
    }
    #expect(told.take() == [.paused(camera("a"), .bandwidth)])
  }
}
