import TestSupport
import Testing

/// The tests of messages are able to fail.
@Suite struct MessageExpectationTests {
  @Test func aMessageThatNamesAllPasses() {
    expectMessage("vadmon: cannot read 'a b.wav': install ffmpeg\n", "a b.wav", "ffmpeg")
    expectMessage("--rate cannot be '-1': write 8000 to 192000", "--rate", "'-1'", "8000")
  }

  @Test(arguments: [
    ("vadmon: --channels is wrong\n", ["--channel"]), ("write 16000\n", ["1600"]),
    ("cannot read a.wav\n", ["a.wav", "ffmpeg"]), ("a.wav\na.wav\n", ["a.wav"]), ("", ["a.wav"]),
    ("a.wav\n", []),
  ])
  func anyOtherFails(row: (text: String, names: [String])) {
    withKnownIssue { expectMessage(row.text, names: row.names) }
  }
}
