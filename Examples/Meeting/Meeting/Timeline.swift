import VideoPause

/// Prints what happens, a line for each change.
struct Timeline {
  private let participants: [String]
  private var row: [String] = []

  init(participants: [String]) {
    self.participants = participants
    print(line("time", "estimate", participants, "video, kbit/s"))
  }

  func speaks(_ participant: String, at now: Int64) {
    note("\(participant) has the floor", at: now)
  }

  mutating func forwards(_ decision: AllocationDecision, at now: Int64) {
    let cells = participants.map { name in
      decision.streams.first { $0.id.participant.rawValue == name }.map { text($0.target) } ?? ""
    }
    guard cells != row else { return }
    row = cells
    let estimate = "\(decision.budget.estimate / 1_000)"
    print(line(clock(now), estimate, cells, "\(decision.targetBitrate / 1_000)"))
  }

  func reports(_ change: PausedTracksChange, at now: Int64) {
    for (participant, _) in change.paused.sorted(by: { $0.key < $1.key }) {
      note("sent to the subscriber: \(participant)'s video is paused", at: now)
    }
    for (participant, _) in change.resumed.sorted(by: { $0.key < $1.key }) {
      note("sent to the subscriber: \(participant)'s video is back", at: now)
    }
  }

  private func note(_ text: String, at now: Int64) { print("\(clock(now))  · \(text)") }

  private func text(_ target: StreamTarget) -> String {
    switch target {
    case .forward(let layer): "\(layer.size.height)p\(Int(layer.framesPerSecond))"
    case .paused(let reason): "(\(reason))"
    }
  }

  private func line(_ time: String, _ estimate: String, _ cells: [String], _ rate: String)
    -> String
  {
    ([padLeft(time, 6), padLeft(estimate, 9)] + cells.map { padLeft($0, 12) } + ["  " + rate])
      .joined(separator: " ")
  }

  private func padLeft(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }

  /// Seconds with two decimals.
  private func clock(_ milliseconds: Int64) -> String {
    let hundredths = milliseconds / 10
    let fraction = hundredths % 100
    return padLeft("\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction)", 6)
  }
}
