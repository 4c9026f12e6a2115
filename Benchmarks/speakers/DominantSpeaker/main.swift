// dominant-speaker level|voice|posterior PARTICIPANTS < packets
//
// Reads packets, one a line and in order of time: ms, participant (0 …), level (0 … 127, -dBov), voice flag (0 or 1)
// and posterior, separated by spaces. Prints "ms participant" for each change of the dominant speaker. compare.py
// starts it.

import Glibc
import Speakers

/// The evidence that the detector receives.
enum Evidence: String {
  case level, voice, posterior
}

struct Packet {
  let time: Int64
  let participant: Int
  let level, voice, posterior: Float

  init?(_ line: String) {
    let fields = line.split(separator: " ")
    guard fields.count == 5, let time = Int64(fields[0]), let participant = Int(fields[1]),
      let level = Float(fields[2]), let voice = Float(fields[3]), let posterior = Float(fields[4])
    else { return nil }
    self.time = time
    self.participant = participant
    self.level = level
    self.voice = voice
    self.posterior = posterior
  }

  func observation(_ evidence: Evidence) -> SpeakerObservation {
    switch evidence {
    case .level: SpeakerObservation(level: -level)
    case .voice: SpeakerObservation(level: -level, posterior: voice)
    case .posterior: SpeakerObservation(level: -level, posterior: posterior)
    }
  }
}

func fail(_ code: Int32, _ sentence: String) -> Never {
  let line = "dominant-speaker: \(sentence)\n"
  _ = line.withCString { write(STDERR_FILENO, $0, strlen($0)) }
  exit(code)
}

/// Runs the detector. It decides about 20 ms of packets together, so a change is printed when the first packet of the
/// next 20 ms arrives.
func run(_ evidence: Evidence, participants: Int) {
  var detector = DominantSpeakerDetector<Int>()
  for participant in 0..<participants { detector.join(participant) }
  var number = 0
  var previous: Int64 = 0
  while let line = readLine() {
    number += 1
    guard let packet = Packet(line) else {
      fail(65, "line \(number): not \"ms participant level voice posterior\"")
    }
    if packet.time > previous, detector.advance(to: previous), let dominant = detector.dominant {
      print(previous, dominant)
    }
    previous = packet.time
    detector.observe(packet.observation(evidence), from: packet.participant, at: packet.time)
  }
  if detector.advance(to: previous), let dominant = detector.dominant { print(previous, dominant) }
}

let arguments = CommandLine.arguments
guard arguments.count == 3, let evidence = Evidence(rawValue: arguments[1]),
  let participants = Int(arguments[2]), participants > 0
else { fail(64, "usage: dominant-speaker level|voice|posterior PARTICIPANTS < packets") }
run(evidence, participants: participants)
