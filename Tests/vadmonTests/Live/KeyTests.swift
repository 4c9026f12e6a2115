import Testing

@testable import vadmon

/// The bytes that a keyboard sends.
@Suite struct KeyTests {
  @Test(
    arguments: [
      ("m", [.mute]), ("M q", [.mute, .freeze, .quit]), ("xyz\n\t", []), ("", []),
      // An arrow key, F1 as xterm sends it, F5, and keys next to them.
      ("\u{1B}[A", []), ("\u{1B}OPm", [.mute]), ("\u{1B}[15~q", [.quit]),
      ("q\u{1B}[1;5Cm", [.quit, .mute]),
      // Escape alone, and sequences that are incomplete.
      ("\u{1B}", []), ("\u{1B}[", []), ("\u{1B}O", []), ("\u{1B}m", [.mute]),
    ] as [(String, [Key])])
  func keysAreFoundAmongSequences(text: String, keys: [Key]) {
    #expect(Key.keys(in: Array(text.utf8)[...]) == keys)
  }

  @Test func everyByteIsSafe() {
    for byte in UInt8.min...UInt8.max {
      for sequence in [[byte], [0x1B, byte], [0x1B, 0x5B, byte], [byte, byte, byte]] {
        #expect(Key.keys(in: sequence[...]).count <= sequence.count)
      }
    }
  }
}
