/// A JSON value (RFC 8259), written on one line, with the members of objects in the given order.
public enum JSONValue: Sendable, Hashable {
  /// No value.
  case null
  /// True or false.
  case bool(Bool)
  /// A number as it is written.
  case number(String)
  /// Text.
  case string(String)
  /// A list.
  case array([JSONValue])
  /// Members in order.
  case object([Member])

  /// A member of an object.
  public struct Member: Sendable, Hashable {
    /// The name.
    public var name: String
    /// The value.
    public var value: JSONValue

    /// Creates a member.
    public init(name: String, value: JSONValue) { (self.name, self.value) = (name, value) }
  }

  /// Appends the value.
  public func write(into text: inout String) {
    switch self {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .number(let digits): text += digits
    case .string(let value): Self.write(value, into: &text)
    case .array(let values): Self.write(values, "[", "]", into: &text) { $0.write(into: &$1) }
    case .object(let members):
      Self.write(members, "{", "}", into: &text) { member, text in
        Self.write(member.name, into: &text)
        text += ": "
        member.value.write(into: &text)
      }
    }
  }

  private static func write<Element>(
    _ elements: [Element], _ opening: String, _ closing: String, into text: inout String,
    element: (Element, inout String) -> Void
  ) {
    text += opening
    for (index, value) in elements.enumerated() {
      if index > 0 { text += ", " }
      element(value, &text)
    }
    text += closing
  }

  /// Writes a string, escaping what RFC 8259 §7 requires and all other characters that are commands to a terminal. All
  /// of these lie below U+10000.
  private static func write(_ string: String, into text: inout String) {
    text += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case " "..."~": text.unicodeScalars.append(scalar)
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case _ where scalar.isCommand:
        text += "\\u" + String(scalar.value, radix: 16).padded(to: 4, right: true, with: "0")
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}

extension JSONValue {
  /// The value as text.
  public var text: String {
    var text = ""
    write(into: &text)
    return text
  }

  /// Returns the members of an object, one on each line, and each element on a line in the arrays with a name that
  /// `isListed`.
  package func memberLines(indentedBy indent: Int, isListed: (String) -> Bool) -> String {
    guard case .object(let members) = self else { return text }
    let margin = String(repeating: " ", count: indent)
    return members.map { member in
      var value = member.value.text
      if case .array(let elements) = member.value, !elements.isEmpty, isListed(member.name) {
        let lines = elements.map { "\(margin)  \($0.text)" }
        value = "[\n\(lines.joined(separator: ",\n"))\n\(margin)]"
      }
      return "\(margin)\(JSONValue.string(member.name).text): \(value)"
    }.joined(separator: ",\n")
  }

  /// Returns a whole number.
  public static func integer(_ value: some BinaryInteger) -> JSONValue { .number(String(value)) }

  /// Returns the shortest decimal that reads back as the same float.
  public static func float(_ value: Float) -> JSONValue { .number("\(value)") }

  /// Returns the shortest decimal that reads back as the same number, which must be finite.
  public static func double(_ value: Double) -> JSONValue { .number("\(value)") }

  /// Returns seconds with three decimals.
  public static func seconds(_ time: MediaTime) -> JSONValue { .number(time.seconds) }

  /// Returns decibels with one decimal; smaller differences are inaudible.
  public static func decibels(_ value: Float) -> JSONValue {
    .number(fixed(Double(value), places: 1))
  }
}

extension JSONValue: ExpressibleByDictionaryLiteral, ExpressibleByStringLiteral {
  /// Creates an object.
  public init(dictionaryLiteral members: (String, JSONValue)...) {
    self = .object(members.map { Member(name: $0, value: $1) })
  }

  /// Creates text.
  public init(stringLiteral value: String) { self = .string(value) }

  /// Returns one object with the members of both.
  public static func + (left: JSONValue, right: JSONValue) -> JSONValue {
    guard case .object(let first) = left, case .object(let second) = right else { return right }
    return .object(first + second)
  }
}
