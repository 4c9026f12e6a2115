import Foundation
import Testing
import VoiceActivity

/// Replays Tests/Contract/streams.txt, which every binding replays.
@Suite struct ContractTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../Contract")
  private static let streams = try! String(
    contentsOf: folder.appending(path: "streams.txt"), encoding: .utf8
  )
  .split(separator: "\n\n").dropFirst().map(String.init)
  private static let talk = try! Data(contentsOf: folder.appending(path: "talk.s16"))
    .withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }

  @Test(arguments: streams) func everyStreamHasTheAnswersOfC(_ text: String) throws {
    let lines = text.split(separator: "\n").map(String.init)
    var stream = try Stream(lines[0].split(separator: " ").map(String.init), Self.talk)
    for line in lines.dropFirst() where !line.hasPrefix(">") {
      let words = line.split(separator: " ").map(String.init)
      try stream.take(words[0], Array(words.dropFirst()))
    }
    #expect(stream.answers() == lines.filter { $0.hasPrefix(">") })
  }
}

private struct Stream: ~Copyable {
  let talk: [Int16]
  var configuration: VoiceActivityDetector.Configuration
  var rules: SpeechCutter.Rules?
  var reference: EchoReference?
  var detector: VoiceActivityDetector?
  var cutter: SpeechCutter?
  var position: UInt64 = 0
  var events: [String] = []
  var cuts: [String] = []
  var runs: [(count: Int, text: String)] = []

  init(_ head: [String], _ talk: [Int16]) throws {
    self.talk = talk
    configuration = .init(sampleRate: Int(head[2])!, preset: .init(rawValue: head[3])!)
    reference = nil
    detector = nil
    cutter = nil
    if head[1].contains("echo") {
      reference = try EchoReference(sampleRate: configuration.sampleRate)
    }
  }

  mutating func set(_ name: String, _ value: Float) {
    let duration = Duration.milliseconds(Int(value))
    switch name {
    case "onset_threshold": configuration.moveThresholds(onset: value)
    case "offset_threshold": configuration.offsetThreshold = value
    case "onset_debounce_ms": configuration.onsetDebounce = duration
    case "hangover_ms": configuration.hangover = duration
    case "mute_grace_ms": configuration.muteGrace = duration
    case "mute_carry_over_ms": configuration.muteCarryOver = duration
    case "muted_speech_hold_ms": configuration.mutedSpeechHold = duration
    case "muted_speech_release_ms": configuration.mutedSpeechRelease = duration
    default: Issue.record("unknown: \(name)")
    }
  }

  mutating func setRule(_ name: String, _ value: Int) {
    let length = Duration.milliseconds(value)
    var rules = rules ?? .init()
    switch name {
    case "min_silence_ms": rules.minSilence = length
    case "min_speech_ms": rules.minSpeech = length
    case "max_length_ms": rules.maxLength = length
    case "pad_before_ms": rules.padBefore = length
    case "pad_after_ms": rules.padAfter = length
    default: Issue.record("unknown: \(name)")
    }
    self.rules = rules
  }

  private func heard(_ first: Int, _ count: Int, _ shift: Int) -> [Int16] {
    (first..<first + count).flatMap {
      repeatElement($0 < 0 ? 0 : talk[$0] >> Int16(shift), count: configuration.sampleRate / 8000)
    }
  }

  mutating func take(_ step: String, _ words: [String]) throws {
    if step == "set" { return set(words[0], Float(words[1])!) }
    if step == "rule" { return setRule(words[0], Int(words[1])!) }
    if detector == nil {
      detector = try VoiceActivityDetector(configuration: configuration)
      if let rules { cutter = try SpeechCutter(rules: rules, of: configuration) }
    }
    let numbers = words.map { Float($0)! }
    let whole = numbers.map { $0.isFinite ? Int($0) : 0 }
    var (hops, found): ([VoiceActivityHop], [VoiceActivityEvent]) = ([], [])
    switch step {
    case "hear":
      let sound = heard(whole[0], whole[1], whole[2])
      hear(sound, &hops, &found)
      position += UInt64(sound.count)
    case "echo":
      for at in stride(from: whole[0], to: whole[0] + whole[1], by: 80) {
        let played = heard(at, 80, 0)
        try reference!.push(played.span)
        hear(heard(at - whole[2], 80, whole[3]), &hops, &found)
      }
    case "level":
      let level = AudioLevel(dBov: UInt8(whole[2]), hasVoice: whole[3] != 0)
      for _ in 0..<whole[0] {
        detector!.push(
          level, count: UInt64(whole[1]), onHop: { hops.append($0) }, onEvent: { found.append($0) })
      }
    case "mute": detector!.setMuted(whole[0] != 0)
    case "gap":
      detector!.pushGap(
        UInt64(whole[0]), onHop: { hops.append($0) }, onEvent: { found.append($0) })
      position += UInt64(whole[0])
    case "margin": try detector!.setSpeakerMargin(numbers[0])
    case "speaker":
      detector!.speakerLevel = .init(dBFS: numbers[0], learned: .milliseconds(whole[1]))
    case "gain": detector!.changeInputGain(by: numbers[0])
    case "flush":
      detector!.flush(onHop: { hops.append($0) }, onEvent: { found.append($0) })
    default: Issue.record("unknown: \(step)")
    }
    for event in found { note(event) }
    for hop in hops { note(hop) }
    var cuts: [SpeechCut] = []
    if cutter != nil { cutter!.push(hops: hops.span, events: found.span) { cuts.append($0) } }
    note(cuts)
  }

  private mutating func note(_ cuts: [SpeechCut]) {
    self.cuts += cuts.map { "> cut \($0.start) \($0.end) \($0.decidedAt) \($0.continues ? 1 : 0)" }
  }

  private mutating func hear(
    _ sound: [Int16], _ hops: inout [VoiceActivityHop], _ found: inout [VoiceActivityEvent]
  ) {
    if reference == nil {
      detector!.process(
        sound.span, onHop: { hops.append($0) }, onEvent: { found.append($0) })
    } else {
      detector!.process(
        sound.span, beside: &reference!, onHop: { hops.append($0) }, onEvent: { found.append($0) })
    }
  }

  private mutating func note(_ event: VoiceActivityEvent) {
    let name =
      switch event.kind {
      case .onset: "onset"
      case .offset: "offset"
      case .mutedSpeechBegin: "muted_speech_begin"
      case .mutedSpeechEnd: "muted_speech_end"
      case .discontinuity: "discontinuity"
      }
    events.append("> event \(name) \(event.position) \(event.decidedAt) \(event.missingSamples)")
  }

  private mutating func note(_ hop: VoiceActivityHop) {
    let state =
      switch hop.state {
      case .silence: "silence"
      case .pendingOnset: "pending_onset"
      case .speech: "speech"
      case .hangover: "hangover"
      }
    let flags = [
      (hop.isSpeech, "speech"), (hop.isMuted, "muted"), (hop.isMutedSpeech, "muted_speech"),
      (hop.isMissing, "missing"), (hop.isLevelOnly, "level_only"), (hop.isEcho, "echo"),
    ].filter(\.0).map(\.1)
    let text = "\(state) \(flags.isEmpty ? "-" : flags.joined(separator: "+"))"
    if runs.last?.text == text { runs[runs.count - 1].count += 1 } else { runs.append((1, text)) }
  }

  mutating func answers() -> [String] {
    var last: [SpeechCut] = []
    if cutter != nil { cutter!.finish(at: position) { last.append($0) } }
    note(last)
    // Swift's status leaves the missing samples to the events.
    let hops = runs.reduce(0) { $0 + $1.count }
    let missing = events.filter { $0.hasPrefix("> event discontinuity") }
      .reduce(0) { $0 + Int($1.split(separator: " ").last!)! }
    return events + cuts + runs.map { "> hops \($0.count) \($0.text)" } + [
      "> status \(hops) \(missing)"
    ]
  }
}
