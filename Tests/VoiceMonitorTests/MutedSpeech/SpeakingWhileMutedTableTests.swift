import Foundation
import Testing

@testable import VoiceMonitor

/// The rows of Tests/Contract/speaking-while-muted.txt, whose head says what the columns mean. The tests of every
/// language replay them.
@Suite struct SpeakingWhileMutedTableTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var text: String?
    var steps: [[Substring]] = []
  }

  static let rows: [Row] = {
    let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Contract/speaking-while-muted.txt")
    var rows: [Row] = []
    for line in try! String(contentsOf: path, encoding: .utf8).split(separator: "\n") {
      let words = line.split(separator: " ")
      switch words[0] {
      case "#": continue
      case "row": rows.append(Row(testDescription: words.dropFirst().joined(separator: " ")))
      case "text": rows[rows.count - 1].text = String(line.dropFirst(5))
      default: rows[rows.count - 1].steps.append(words)
      }
    }
    return rows
  }()

  /// A gate with the notice that follows it, each dismissed punctually.
  private struct Host {
    var gate = SpeakingWhileMutedGate()
    var rule = MutedNoticeRule()
    var dueAt = Int.max
    var numbers: [MutedNotice.ID: Int] = [:]

    mutating func take(_ input: String, _ on: Int, at ms: Int) throws -> Bool? {
      if ms >= dueAt, let notice = rule.notice { rule.dismiss(notice.id) }
      defer {
        if let shown = rule.update(isSpeakingWhileMuted: gate.value, at: .milliseconds(ms)) {
          numbers[shown.id] = numbers.count + 1
          dueAt = ms + Int(rule.configuration.duration / .milliseconds(1))
        }
      }
      switch input {
      case "microphone_muted":
        if on == 0 { rule.microphoneUnmuted() }
        return gate.setMuted(on == 1)
      case "data_flowing": return gate.setDataFlowing(on == 1)
      case "speech": return on == 1 ? gate.speechBegan() : gate.speechEnded()
      case "input_replaced": return gate.inputReplaced()
      case "end": return gate.end()
      case "dismiss": if let id = numbers.first(where: { $0.value == on })?.key { rule.dismiss(id) }
      case "is_enabled": rule.configuration.isEnabled = on == 1
      case "is_once_per_mute": rule.configuration.limit = on == 1 ? .oncePerMute : .none
      case "interval_ms": rule.configuration.limit = .every(.milliseconds(on))
      case "wait": break
      default:
        let named = MutedSpeechRequirement.allCases.first { "\($0)" == camel(input) }
        return gate.setRequirement(try #require(named, "\(input)"), isMet: on == 1)
      }
      return nil
    }

    private func camel(_ name: String) -> String {
      let words = name.split(separator: "_")
      return words[0] + words.dropFirst().map(\.capitalized).joined()
    }
  }

  @Test func theTableIsWhole() {
    let ids = Self.rows.map(\.testDescription).filter { $0.hasPrefix("SM-") }.map { $0.prefix(5) }
    #expect(ids == (1...19).map { "SM-\($0 < 10 ? "0" : "")\($0)" })
  }

  @Test(arguments: rows)
  func eachRowGivesWhatItSays(_ row: Row) throws {
    if let text = row.text { #expect(MutedNotice.Configuration().text == text) }
    var host = Host()
    for step in row.steps {
      let numbers = [0, 2, 3, 4, 5, 6, 7].map { Int(step[$0])! }
      let change = try host.take(String(step[1]), numbers[1], at: numbers[0])
      let notice = host.rule.notice.map { host.numbers[$0.id]! } ?? 0
      let isStill = host.gate.value && notice == 0
      #expect(change == nil || change == host.gate.value)
      let found = [change != nil, host.gate.value, host.gate.isDetecting].map { $0 ? 1 : 0 }
      #expect(
        found + [notice, isStill ? 1 : 0] == Array(numbers[2...]), "\(step.joined(separator: " "))")
    }
    #expect(row.text != nil || !row.steps.isEmpty)
  }
}
