// Numbers in label files and frame tables: plain decimals, without the other notations that C libraries accept.

/// Returns a finite number: digits with an optional sign, point or exponent, but not `nan`, `inf` or hexadecimal.
package func decimal(_ bytes: ArraySlice<UInt8>) -> Double? {
  guard bytes.allSatisfy(isDecimalByte) else { return nil }
  guard let value = Double(String(decoding: bytes, as: UTF8.self)), value.isFinite else {
    return nil
  }
  return value
}

private func isDecimalByte(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"),
    UInt8(ascii: "+"), UInt8(ascii: "e"), UInt8(ascii: "E"):
    true
  default: false
  }
}

/// Returns a time in seconds. Throws a sentence that says what is wrong with it.
package func seconds(_ bytes: ArraySlice<UInt8>, _ name: String) throws(LineFault) -> Double {
  guard let time = decimal(bytes) else {
    throw LineFault("the \(name) \(quoted(bytes)) is not a number: write seconds, like 3.25")
  }
  guard time >= 0 else {
    throw LineFault("the \(name) \(quoted(bytes)) is negative: write seconds from 0 on")
  }
  guard time <= latestTime else {
    throw LineFault("the \(name) \(quoted(bytes)) \(LineFault.tooLate)")
  }
  return time
}

/// Returns a number and a noun, "1 field" or "3 fields".
///
/// - Parameter nouns: The plural if it is not `noun` with an s.
package func counted(_ number: some BinaryInteger, _ noun: String, _ nouns: String? = nil) -> String
{
  "\(number) \(number == 1 ? noun : nouns ?? noun + "s")"
}

/// The latest valid time in seconds, 11 days. A later one is in the wrong unit, and its cells would take gigabytes.
let latestTime = 1e6

extension LineFault {
  /// What is wrong with a later time.
  static let tooLate =
    "is beyond 1000000 s: write seconds, not samples, nor units of 100 ns as HTK does"
}
