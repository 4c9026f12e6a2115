internal import Annotations
internal import VideoPause

/// The ranges of a trace where the coordinator has none: far beyond any call, so that what is outside has a wrong unit.
private enum TraceLimits {
  static let counts = 0...1_000_000
  static let framesPerSecond = 0.0...1_000
  /// Seconds, in which microseconds are exact.
  static let times = 0.0...9e9
}

/// The kind of a member's value: how it is read, and how a message asks for it.
struct FieldKind<Value> {
  /// The text that follows "write" and "add" in messages.
  let description: String
  /// A function that returns the value, or `nil` if it is of another kind.
  let read: (JSONValue) -> Value?
}

// MARK: Plain values

extension FieldKind where Value == JSONValue {
  static var anything: Self { Self(description: "an object") { $0 } }
}

extension FieldKind where Value == [JSONValue] {
  static var list: Self {
    Self(description: "a list") { if case .array(let values) = $0 { values } else { nil } }
  }
}

extension FieldKind where Value == Bool {
  static var flag: Self {
    Self(description: "true or false") { if case .bool(let flag) = $0 { flag } else { nil } }
  }
}

extension FieldKind where Value == String {
  static var name: Self { Self(description: "a name in quotes", read: Self.text) }

  fileprivate static func text(_ value: JSONValue) -> String? {
    if case .string(let text) = value, !text.isEmpty { text } else { nil }
  }
}

extension FieldKind where Value == Int {
  static func whole(_ range: ClosedRange<Int>, _ unit: String = "") -> Self {
    let (first, last) = (range.lowerBound, range.upperBound)
    let bounds = last == .max ? "of at least \(first)" : "from \(first) to \(last)"
    return Self(description: "a whole number\(unit) \(bounds)") { value in
      guard case .number(let digits) = value,
        let number = Int(digits) ?? Double(digits).flatMap({ Int(exactly: $0) })
      else { return nil }
      return range.contains(number) ? number : nil
    }
  }

  static var bitrate: Self { bitrate(VideoPauseLimits.bitrates) }
  static func bitrate(_ range: ClosedRange<Int>) -> Self { whole(range, " of bit/s") }
  static var layerIndex: Self { whole(VideoPauseLimits.layerIndices) }
  /// A side of a layer.
  static var pixels: Self { whole(1...VideoPauseLimits.maximumSide, " of pixels") }
  /// A side of a view, which may be 0: an empty view shows nothing.
  static var viewPixels: Self { whole(0...VideoPauseLimits.maximumSide, " of pixels") }
  static var count: Self { whole(TraceLimits.counts) }
}

extension FieldKind where Value == Int? {
  static var limit: Self {
    let count = FieldKind<Int>.count
    return Self(description: "\(count.description), or null for no limit") { value in
      value == .null ? .some(nil) : count.read(value).map(Optional.some)
    }
  }
}

extension FieldKind where Value == Double {
  static func decimal(_ range: ClosedRange<Double>, noun: String = "a number") -> Self {
    let bounds = "from \(shown(range.lowerBound)) to \(shown(range.upperBound))"
    return decimal(bounds, noun: noun, range.contains)
  }

  static func decimal(_ range: Range<Double>) -> Self {
    decimal("from \(shown(range.lowerBound)) to below \(shown(range.upperBound))", range.contains)
  }

  static var framesPerSecond: Self { decimal(TraceLimits.framesPerSecond) }
  /// A limit for frame rates. It excludes 0, because showing no frames is a matter of visibility.
  static var frameRateLimit: Self {
    let range = TraceLimits.framesPerSecond
    return decimal("above \(shown(range.lowerBound)), at most \(shown(range.upperBound))") {
      range.contains($0) && $0 > range.lowerBound
    }
  }

  private static func decimal(
    _ range: String, noun: String = "a number", _ isInRange: @escaping (Double) -> Bool
  ) -> Self {
    Self(description: "\(noun) \(range)") { value in
      guard case .number(let digits) = value, let number = Double(digits) else { return nil }
      return isInRange(number) ? number : nil
    }
  }

  /// Returns the end of a range, which is a whole number.
  private static func shown(_ end: Double) -> String { fixed(end, places: 0) }
}

extension FieldKind where Value == Duration {
  /// A length in milliseconds, as a configuration allows it.
  static var milliseconds: Self {
    let longest = Int(VideoPauseLimits.lengths.upperBound / .milliseconds(1))
    let whole = FieldKind<Int>.whole(0...longest, " of ms")
    return Self(description: whole.description) { whole.read($0).map { .milliseconds($0) } }
  }
}

// MARK: The coordinator's own

extension FieldKind where Value == Timestamp {
  /// A time in seconds, rounded to microseconds.
  static var timestamp: Self {
    let seconds = FieldKind<Double>.decimal(TraceLimits.times, noun: "a time in seconds")
    return Self(description: "\(seconds.description), like 3.25") { value in
      seconds.read(value).map { Timestamp(microseconds: Int64(($0 * 1e6).rounded())) }
    }
  }
}

extension FieldKind where Value == ParticipantID {
  static var participant: Self {
    Self(description: "a participant's name in quotes") { value in
      FieldKind<String>.text(value).map { ParticipantID($0) }
    }
  }
}

extension FieldKind where Value == [ParticipantID] {
  static var participants: Self {
    Self(description: "a list of participants' names") { value in
      all(of: value, FieldKind<ParticipantID>.participant)
    }
  }
}

extension FieldKind where Value == TrackType {
  static var track: Self {
    Self(description: "\"video\" or \"screenShare\"") { value in
      FieldKind<String>.text(value).map(TrackType.init(rawValue:)).flatMap { $0.isVideo ? $0 : nil }
    }
  }
}

extension FieldKind where Value: CaseIterable {
  /// A case by its name in Swift, which is also the name in the library's documentation.
  static var word: Self {
    let words = Value.allCases.map { "\"\($0)\"" }.joined(separator: ", ")
    return Self(description: "one of \(words)") { value in
      guard let text = FieldKind<String>.text(value) else { return nil }
      return Value.allCases.first { "\($0)" == text }
    }
  }
}

extension FieldKind where Value == Set<ClientCapability> {
  static var capabilities: Self {
    let one = FieldKind<ClientCapability>.word
    return Self(description: "a list, each \(one.description)") { all(of: $0, one).map { Set($0) } }
  }
}

private func all<Element>(of value: JSONValue, _ kind: FieldKind<Element>) -> [Element]? {
  guard case .array(let values) = value else { return nil }
  let elements = values.compactMap(kind.read)
  return elements.count == values.count ? elements : nil
}
