/// Returns a number rounded to `places` decimals, without Foundation.
package func fixed(_ value: Double, places: Int) -> String {
  let power = (0..<places).reduce(1.0) { power, _ in power * 10 }
  let scaled = (value.magnitude * power).rounded()
  // Scores may be of any size. Numbers beyond 2^53 have no decimals.
  guard scaled < 9e15 else { return "\(value)" }
  let digits = padded(UInt64(scaled), to: places + 1)
  let sign = value < 0 && scaled > 0 ? "-" : ""
  return sign + digits.dropLast(places) + (places > 0 ? "." + digits.suffix(places) : "")
}

/// Returns a range of numbers, such as `0.1 … 0.2`, rounded in the same way.
package func fixed(_ range: ClosedRange<Double>, places: Int) -> String {
  "\(fixed(range.lowerBound, places: places)) … \(fixed(range.upperBound, places: places))"
}
