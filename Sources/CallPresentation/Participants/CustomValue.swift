/// A value of the application's own, which the library passes through unread.
///
/// It follows JSON's data model, so that it can come from and go to a server.
public indirect enum CustomValue: Hashable, Sendable {
  /// No value.
  case null
  /// True or false.
  case boolean(Bool)
  /// A number.
  case number(Double)
  /// A string.
  case string(String)
  /// An ordered list of values.
  case array([CustomValue])
  /// Values by key.
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
    // The last of several values with the same key counts, as in JSON parsers.
    self = .dictionary(Dictionary(elements) { $1 })
  }
}
