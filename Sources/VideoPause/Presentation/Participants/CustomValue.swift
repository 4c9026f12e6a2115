/// A value of the application's own, which the library hands through and never looks at. It is JSON's model of data, so
/// that it can come from and go to a server.
public indirect enum CustomValue: Hashable, Sendable {
  /// Nothing.
  case null
  /// True or false.
  case boolean(Bool)
  /// A number.
  case number(Double)
  /// A text.
  case string(String)
  /// Values in order.
  case array([CustomValue])
  /// Values by name.
  case dictionary([String: CustomValue])
}

extension CustomValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  public init(nilLiteral: ()) { self = .null }
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
  public init(integerLiteral value: Int) { self = .number(Double(value)) }
  public init(floatLiteral value: Double) { self = .number(value) }
  public init(stringLiteral value: String) { self = .string(value) }
  public init(arrayLiteral elements: CustomValue...) { self = .array(elements) }
  public init(dictionaryLiteral elements: (String, CustomValue)...) {
    // The last of several with the same key counts, as in JSON parsers.
    self = .dictionary(Dictionary(elements) { $1 })
  }
}
