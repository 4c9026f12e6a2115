import Foundation
import Testing

@testable import Annotations

/// The reader of trace lines, compared with RFC 8259 and Foundation's reader.
@Suite struct JSONReaderTests {
  private func read(_ text: String) throws(LineFault) -> JSONValue {
    try JSONReader.value(of: Array(text.utf8)[...])
  }

  private func fault(_ bytes: [UInt8]) -> String? {
    do throws(LineFault) {
      _ = try JSONReader.value(of: bytes[...])
      return nil
    } catch {
      return error.message
    }
  }

  private func foundation(_ text: String) throws -> NSObject {
    let value = try JSONSerialization.jsonObject(
      with: Data(text.utf8), options: .fragmentsAllowed)
    return try #require(value as? NSObject)
  }

  /// Foundation reads the original and the rewritten text.
  @Test(
    arguments: [
      "null", "true", "false", "0", "-0", "7", "-12", "1.5", "0.25e3", "1E+2", "1e-2", "\"\"",
      #""é \u00e9 \ud83d\ude00 😀""#, #""\"\\\/\b\f\n\r\t\u0000""#, "[]", "[ ]", "[1,[2,[3]]]", "{}",
      "{ }", #"{"a":{"b":[true,null]},"":2}"#, " \t{ \"a\" :\t1 , \"b\" : [ 1 , 2 ] } ",
    ])
  func rewrittenJSONMeansTheSame(_ text: String) throws {
    #expect(try foundation(read(text).text) == foundation(text))
  }

  @Test func terminalControlCharactersAreEscaped() throws {
    let text = "a\u{7F}\u{85}\u{61C}\u{200E}\u{202E}\u{2028}\u{2069}b\u{200D}\u{FEFF}é"
    let written = JSONValue.string(text).text
    #expect(
      written == #""a\u007f\u0085\u061c\u200e\u202e\u2028\u2069b"# + "\u{200D}\u{FEFF}é\"")
    #expect(try foundation(written) as? String == text)
  }

  @Test(
    arguments: [
      ("", "column 1: a JSON value is missing: check that the file is complete"),
      ("nul", "column 1: this is not a JSON value: put text in double quotes"),
      ("NaN", "column 1: this is not a JSON value"), ("+1", "column 1: this is not a JSON value"),
      ("01", "column 2: text follows the object"), ("1.", "column 3: a digit is missing"),
      ("-", "column 2: a digit is missing"), ("1e", "column 3: a digit is missing"),
      ("\"a", "column 3: the closing quote is missing"),
      ("\"\t\"", "a string contains a control character"), (#""\x""#, "this escape does not exist"),
      (#""\u12g4""#, "four hexadecimal digits"), (#""\u12"#, "four hexadecimal digits"),
      (#""\ud83d""#, "half of a surrogate pair is missing"),
      (#""\ud83d\u0041""#, "half of a surrogate pair is missing"),
      (#""\ude00""#, "half of a surrogate pair is missing"),
      ("[1,]", "column 4: this is not a JSON value"), ("[1 2]", "column 4: expected ',' or ']'"),
      ("{\"a\":1,}", "column 8: expected a name in quotes"),
      ("{a:1}", "column 2: expected a name in quotes"),
      ("{\"a\" 1}", "expected ':' after a"), ("{\"a\":1", "expected ',' or '}'"),
      ("{\"a\":1,\"a\":2}", "a appears twice: keep one"), ("{} {}", "column 4: text follows"),
      (String(repeating: "[", count: 17), "lists and objects are nested too deep"),
    ])
  func invalidJSONIsReportedWithItsColumn(_ row: (text: String, message: String)) {
    #expect(fault(Array(row.text.utf8))?.contains(row.message) == true)
  }

  @Test func sixteenLevelsOfNestingAreRead() throws {
    let text = String(repeating: "[", count: 16) + String(repeating: "]", count: 16)
    #expect(try read(text).text == text)
  }

  @Test func stringsThatAreNotUTF8AreRefused() {
    #expect(fault([0x22, 0xFF, 0x22])?.contains("the string is not UTF-8") == true)
    // A slash in two bytes, and half of a scalar.
    #expect(fault([0x22, 0xC0, 0xAF, 0x22]) != nil)
    #expect(fault([0x22, 0xC3, 0x22]) != nil)
  }

  @Test func truncatedJSONIsRefused() throws {
    let text = Array(#"{"a":[1.5e3,"é\ud83d\ude00\n",true],"b":{"c":null}}"#.utf8)
    _ = try JSONReader.value(of: text[...])
    for length in text.indices { #expect(fault(Array(text.prefix(length))) != nil) }
  }

  /// Foundation reads what is not refused in the same way.
  @Test func anyChangedByteIsReadCorrectlyOrRefused() throws {
    let text = Array(#"{"a":[1,"é\n",true],"b":-0.5}"#.utf8)
    for index in text.indices {
      for byte: UInt8 in 0...255 {
        var changed = text
        changed[index] = byte
        guard let value = try? JSONReader.value(of: changed[...]) else { continue }
        let ours = try foundation(value.text)
        #expect(try ours == foundation(String(decoding: changed, as: UTF8.self)))
      }
    }
  }
}
