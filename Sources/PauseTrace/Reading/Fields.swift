internal import Annotations

/// The members of one object of a trace, read one at a time. Members that were not read are reported as faults at the
/// end.
struct Fields {
  private let members: [String: JSONValue]
  private let names: [String]
  /// The text before names in messages, such as `layers[2].`.
  private let path: String
  private var asked: [String] = []

  init(_ value: JSONValue, path: String = "") throws(LineFault) {
    guard case .object(let members) = value else {
      throw LineFault(
        "\(path.isEmpty ? "the line" : path) is not an object: write {\"name\": value, …}")
    }
    names = members.map(\.name)
    self.members = Dictionary(uniqueKeysWithValues: members.map { ($0.name, $0.value) })
    self.path = path.isEmpty ? "" : path + "."
  }

  mutating func required<Value>(
    _ name: String, _ kind: FieldKind<Value>
  ) throws(LineFault) -> Value {
    noteAsked(name)
    guard let value = members[name] else {
      throw LineFault("\(path)\(name) is missing: add \(kind.description)")
    }
    guard let result = kind.read(value) else {
      throw LineFault("\(path)\(name): write \(kind.description), not \(Self.shown(value))")
    }
    return result
  }

  /// Returns the value of a member, or `nil` if it is missing or null.
  mutating func optional<Value>(
    _ name: String, _ kind: FieldKind<Value>
  ) throws(LineFault) -> Value? {
    guard let value = members[name], value != .null else {
      noteAsked(name)
      return nil
    }
    return try required(name, kind)
  }

  /// Returns a list of objects, each of which must be read completely.
  mutating func list<Element>(
    _ name: String, _ read: (inout Fields) throws(LineFault) -> Element
  ) throws(LineFault) -> [Element] {
    let values = try required(name, .list)
    var elements: [Element] = []
    for (index, value) in values.enumerated() {
      elements.append(try Self.whole(value, path: "\(path)\(name)[\(index)]", read))
    }
    return elements
  }

  mutating func object<Value>(
    _ name: String, _ read: (inout Fields) throws(LineFault) -> Value
  ) throws(LineFault) -> Value? {
    guard let value = try optional(name, .anything) else { return nil }
    return try Self.whole(value, path: path + name, read)
  }

  /// Reads an object, which must have no members except those that `read` asks for.
  static func whole<Value>(
    _ value: JSONValue, path: String = "", _ read: (inout Fields) throws(LineFault) -> Value
  ) throws(LineFault) -> Value {
    var fields = try Fields(value, path: path)
    let result = try read(&fields)
    if let name = fields.names.first(where: { !fields.asked.contains($0) }) {
      throw LineFault(
        "\(fields.path)\(name) is unknown: remove it, or use one of "
          + fields.asked.joined(separator: ", "))
    }
    return result
  }

  private mutating func noteAsked(_ name: String) {
    if !asked.contains(name) { asked.append(name) }
  }

  private static func shown(_ value: JSONValue) -> String { quoted(Array(value.text.utf8)[...]) }
}
