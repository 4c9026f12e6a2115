import TestSupport
import Testing

@testable import Charts

@Suite struct SHA256Tests {
  /// Python's hashlib is the oracle, at the lengths where the padding takes another block.
  @Test func hashesAreThoseOfPython() throws {
    let lengths = [0, 1, 3, 55, 56, 63, 64, 65, 119, 120, 1000]
    let script = """
      import hashlib, json, sys
      messages = (bytes((7 * i + 3) % 256 for i in range(length)) for length in json.load(sys.stdin))
      print(json.dumps([hashlib.sha256(message).hexdigest() for message in messages]))
      """
    let hashes = try #require(try Python.json(script, input: "\(lengths)") as? [String])
    #expect(hashes.count == lengths.count)
    for (length, expected) in zip(lengths, hashes) {
      let message = (0..<length).map { UInt8(truncatingIfNeeded: 7 * $0 + 3) }
      let hash = SHA256.hash(message).map { byte in
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }
      #expect(hash.joined() == expected, "\(length) bytes")
    }
  }
}
