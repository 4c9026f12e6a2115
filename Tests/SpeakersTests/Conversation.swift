@testable import Speakers

/// What a participant sends in a stretch of time, as a packet every 20 ms.
struct Stretch {
  let who: String
  /// The time in ms; the first packet arrives at its lower bound.
  let time: Range<Int64>
  let packet: SpeakerObservation
}

/// Clear speech at −25 dBov with the voice flag set.
func speech(_ who: String, _ time: Range<Int64>, level: Float = -25) -> Stretch {
  Stretch(who: who, time: time, packet: SpeakerObservation(level: level, posterior: 1))
}

/// Packets without speech.
func silence(_ who: String, _ time: Range<Int64>, level: Float = -70) -> Stretch {
  Stretch(who: who, time: time, packet: SpeakerObservation(level: level, posterior: 0))
}

struct Switch: Equatable {
  let at: Int64
  let dominant: String?
}

/// Plays stretches, where later ones in the list override earlier ones, and reports who became dominant when.
struct Conversation {
  var detector: DominantSpeakerDetector<String>
  private(set) var switches: [Switch] = []
  private var now: Int64 = 0

  init(_ participants: [String], configuration: DominantSpeakerConfiguration = .init()) {
    detector = DominantSpeakerDetector(configuration: configuration)
    for participant in participants { detector.join(participant) }
  }

  mutating func play(_ stretches: [Stretch], until end: Int64) {
    while now <= end {
      for who in detector.recencyOrder.sorted() {
        if let stretch = stretches.last(where: { $0.who == who && $0.time.contains(now) }) {
          record(detector.observe(stretch.packet, from: who, at: now), at: now)
        }
      }
      record(detector.advance(to: now), at: now)
      now += 20
    }
  }

  private mutating func record(_ changed: Bool, at now: Int64) {
    if changed { switches.append(Switch(at: now, dominant: detector.dominant)) }
  }
}

/// Returns the switches of a conversation.
func switches(
  _ participants: [String], _ stretches: [Stretch], until end: Int64
) -> [Switch] {
  var conversation = Conversation(participants)
  conversation.play(stretches, until: end)
  return conversation.switches
}
