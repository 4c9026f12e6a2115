// meeting TRACE NAME=FILE[@SECONDS]…
//
// Plays a meeting: recordings are the participants' voices, TRACE is what the subscriber's path carries
// (SECONDS:KBITS,…, the first from 0). ../README.md shows a run.

import AudioInput
import Glibc

func fail(_ code: Int32, _ sentence: String) -> Never {
  let line = "meeting: \(sentence)\n"
  _ = line.withCString { write(STDERR_FILENO, $0, strlen($0)) }
  exit(code)
}

let arguments = CommandLine.arguments.dropFirst()
guard let trace = arguments.first, arguments.count > 1 else {
  fail(64, "usage: meeting SECONDS:KBITS,… NAME=FILE[@SECONDS]…")
}
guard let path = Scene.path(trace) else {
  fail(64, "\"\(trace)\" is not a trace: write SECONDS:KBITS,… in order of time, the first from 0")
}
let voices = arguments.dropFirst().map { argument in
  guard let voice = Scene.Voice(argument) else {
    fail(64, "\"\(argument)\" is not a participant: write NAME=FILE or NAME=FILE@SECONDS")
  }
  return voice
}
guard Set(voices.map(\.participant)).count == voices.count else {
  fail(64, "two participants have one name: give each another")
}
do {
  var meeting = try Meeting(Scene(voices: voices, path: path))
  try meeting.run()
} catch let error as AudioInputError {
  fail(65, "\(error)")
} catch {
  fail(70, "\(error)")
}
