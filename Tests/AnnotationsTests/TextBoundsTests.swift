import Testing

@testable import Annotations

/// What a file of text may be, while it is read block by block.
@Suite struct TextBoundsTests {
  /// Returns the message of the first block that is refused.
  private func fault(_ blocks: [[UInt8]]) -> String? {
    var bounds = TextBounds()
    for block in blocks {
      do throws(LineFault) { try bounds.add(block) } catch { return error.message }
    }
    return nil
  }

  private func utf16(_ text: String, isBigEndian: Bool) -> [UInt8] {
    [UInt16(0xFEFF)].appending(text.utf16).flatMap { unit in
      let bytes = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
      return isBigEndian ? bytes : bytes.reversed()
    }
  }

  @Test func aNULByteIsNoText() throws {
    #expect(fault([Array("0\t1\tx\n".utf8)]) == nil)
    for text in ["\0", "0\t1\tx\n\0", "{\"files\": [\0"] {
      #expect(try #require(fault([Array(text.utf8)])).contains("NUL"))
    }
    #expect(fault([Array("1".utf8), [0]])?.contains("NUL") == true)
  }

  /// Every letter of ASCII has a byte 0 in UTF-16, also where the blocks of a pipe are odd.
  @Test(arguments: [false, true])
  func utf16IsTextUnlessACharacterIsNUL(isBigEndian: Bool) {
    // U+0100 and U+0001 side by side have two zeros side by side.
    let text = utf16("0\t1\tx\u{100}\u{1}\u{1}\u{100}\n", isBigEndian: isBigEndian)
    let torn = utf16("0\t1\tx\n\0", isBigEndian: isBigEndian)
    for length in 1...5 {
      let blocks = { (bytes: [UInt8]) in
        stride(from: 0, to: bytes.count, by: length).map {
          Array(bytes[$0..<min($0 + length, bytes.count)])
        }
      }
      #expect(fault(blocks(text)) == nil, "blocks of \(length)")
      #expect(fault(blocks(torn))?.contains("NUL") == true, "blocks of \(length)")
    }
  }

  @Test func praatsBinaryFilesAreNamed() {
    #expect(fault([Array("ooBinaryFile\u{8}TextGrid\0".utf8)])?.contains("Praat") == true)
  }

  @Test func aLineEndsInTime() throws {
    let full = [UInt8](repeating: UInt8(ascii: "x"), count: TextBounds.longestLine)
    let (end, more) = (Array("\n".utf8), Array("x".utf8))
    #expect(fault([full, end, full, Array("\r".utf8), full, end]) == nil)
    #expect(try #require(fault([full, more])).contains("16 MiB"))
    #expect(try #require(fault([end, more, full])).contains("16 MiB"))
    // JSON and XML may stand on one line.
    for head in ["{", "\u{FEFF}\n <"] {
      #expect(fault([Array(head.utf8), full, full]) == nil)
    }
  }

  @Test func aFileEndsInTime() throws {
    let block = [UInt8](repeating: lineFeed, count: 1 << 26)
    let blocks = Array(repeating: block, count: TextBounds.longestFile / block.count)
    #expect(fault(blocks) == nil)
    #expect(try #require(fault(blocks + [[lineFeed]])).contains("1 GiB"))
  }
}

extension [UInt16] {
  fileprivate func appending(_ units: some Sequence<UInt16>) -> [UInt16] { self + units }
}
