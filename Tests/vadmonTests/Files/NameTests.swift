import Annotations
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import vadmon

@Suite struct ArgumentBytesTests {
  @Test func ordinaryTextIsItself() {
    for text in ["", "plain", "grüße 日本語 🎤", "e\u{301}", "--flag=value", "\u{FFFD}"] {
      #expect(ArgumentBytes.string(from: Array(text.utf8)) == text)
      #expect(ArgumentBytes.bytes(of: text) == Array(text.utf8))
    }
  }

  @Test(
    arguments: [
      [0xFF], [0x61, 0x80, 0x62], [0xC3], [0xE6, 0x97], [0xF0, 0x9F, 0x8E], [0xED, 0xA0, 0x80],
      [0xC0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xC3, 0xA9, 0xC3], [0xF4, 0x8F, 0xBF, 0xBF],
      [0xF4, 0x8F, 0xBC, 0x80], [0xCC, 0x81, 0x65],
    ] as [[UInt8]])
  func bytesThatAreNoTextComeBack(bytes: [UInt8]) {
    #expect(ArgumentBytes.bytes(of: ArgumentBytes.string(from: bytes)) == bytes)
  }

  @Test func anyBytesComeBack() {
    var random = SeededGenerator(seed: 1)
    for _ in 0..<2000 {
      let bytes = (0..<Int.random(in: 0...12, using: &random)).map { _ in
        UInt8.random(in: 1...255, using: &random)
      }
      #expect(ArgumentBytes.bytes(of: ArgumentBytes.string(from: bytes)) == bytes)
    }
  }
}

@Suite struct ProcessArgumentTests {
  /// The kernel's own list is the oracle.
  @Test func theyAreThoseOfTheProcess() throws {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: "/proc/self/cmdline"))
    let expected = bytes.split(separator: 0, omittingEmptySubsequences: false).dropFirst()
      .dropLast()
    #expect(ArgumentBytes.commandLine() == expected.map { ArgumentBytes.string(from: $0) })
    #expect(!expected.isEmpty)
  }
}

@Suite struct URLTextTests {
  @Test(arguments: [
    "http://x", "s3://bucket/a", "HTTPS://x/y.wav", "git+ssh://h/p", "file:///a.wav",
  ])
  func urlsAreRecognised(text: String) { #expect(URLText.isURL(text)) }

  @Test(arguments: [
    "", "a.wav", "C:/x", "c:\\x", "http:/x", "://x", "1a://x", "a b://x", "x://", "-",
  ])
  func otherNamesAreNotURLs(text: String) { #expect(!URLText.isURL(text)) }
}

@Suite struct NameListTests {
  private let folder = TemporaryFolder()

  /// Returns what a list yields: the name of each file, and `nil` for entries that cannot be one.
  private func names(_ text: String, _ separator: NameList.Separator) throws -> [String?] {
    let path = FilePath(try folder.write(text, to: "list"))
    var list = try NameList(path, separator: separator, mayBeEmpty: true)
    var names: [String?] = []
    while let input = try list.next() {
      if case .listed(let path) = input { names.append(path.string) } else { names.append(nil) }
    }
    return names
  }

  @Test(
    arguments: [
      ("", []), ("a", ["a"]), ("a\nb\n", ["a", "b"]), ("a\r\nb", ["a", "b"]),
      ("\u{FEFF}a\n", ["a"]), ("\n\r\n a \n", [nil, nil, " a "]),
      ("a\rb", ["a\rb"]), ("http://x/a.wav\nb", [nil, "b"]),
      ("tab\tname\n\"quoted\"", ["tab\tname", "\"quoted\""]),
    ] as [(String, [String?])])
  func linesAreNames(row: (String, [String?])) throws {
    #expect(try names(row.0, .line) == row.1)
  }

  @Test(
    arguments: [
      ("", []), ("a", ["a"]), ("a\0b\0", ["a", "b"]), ("\0a\0\0", [nil, "a", nil]),
      ("a\nb\r\n\0 ", ["a\nb\r\n", " "]), ("\u{FEFF}a\0", ["\u{FEFF}a"]),
    ] as [(String, [String?])])
  func withNULEveryOtherByteBelongsToAName(row: (String, [String?])) throws {
    #expect(try names(row.0, .null) == row.1)
  }

  /// A file with a NUL is not a list of lines, but a writer on standard input waits for a result of each name.
  @Test func aNULEndsAFileButNotAStream() throws {
    let error = #expect(throws: RunError.self) { try names("a\nb\0c\nd\n", .line) }
    #expect(error?.exitCode == 66 && error?.messages.count == 1)
    #expect(error?.messages.first?.hasPrefix(folder / "list, name 2: it has a NUL byte") == true)
    let streamed = try Program.analyze(
      "--files-from", "-", "--format", "file-jsonl", input: Data("none\nb\0c\nnone\n".utf8))
    #expect(streamed.status == 66 && streamed.lines.count == 3)
    expectMessage(
      String(streamed.errors.split(separator: "\n")[1]), "standard input, name 2", "NUL", "--null")
  }

  @Test func aBadNameIsReportedWithItsListAndPlace() throws {
    let path = try folder.write("a\n\n", to: "list")
    var list = try NameList(FilePath(path), separator: .line)
    _ = try list.next()
    guard case .unusable(let error)? = try list.next() else {
      Issue.record("an empty line is no file")
      return
    }
    #expect(error.message.hasPrefix("\(path), name 2: it is empty"))
    #expect(error.exitCode == 66)
  }
}

@Suite struct FileNamesTests {
  @Test(arguments: [
    ("a.wav", "a"), ("x/y.z/a.b.wav", "a.b"), ("x/noending", "noending"), (".hidden", ".hidden"),
    ("x/.hidden.wav", ".hidden"), ("-", "stdin"), ("a.", "a"), ("..wav", "."),
  ])
  func stemsLackTheExtension(row: (String, String)) { #expect(RecordingName.stem(row.0) == row.1) }

  @Test func printableNamesHaveNoControlCharacters() {
    let printable = printable("a\nb\u{1B}[31m\u{85}é\u{7F}")
    #expect(printable == "a\\nb\\u{1B}[31m\\u{0085}é\\u{7F}")
  }

  /// All of Unicode 15's Bidi_Control (UAX #9, table 2) and its two separators; joiners are kept.
  @Test func printableNamesDoNotTurnTheLineAround() {
    let controls: [UInt32] =
      [0x061C, 0x200E, 0x200F, 0x2028, 0x2029] + Array(0x202A...0x202E) + Array(0x2066...0x2069)
    for control in controls {
      let scalar = Unicode.Scalar(control)!
      let hex = String(control, radix: 16, uppercase: true)
      let escape = "\\u{" + String(repeating: "0", count: 4 - hex.count) + hex + "}"
      #expect(printable("a\(scalar)b") == "a\(escape)b")
    }
    for name in ["👩‍👩‍👧", "می‌خواهم", "שלום", "\u{FEFF}", "🏴\u{E0067}\u{E0062}\u{E007F}"] {
      #expect(printable(name) == name)
    }
  }
}
