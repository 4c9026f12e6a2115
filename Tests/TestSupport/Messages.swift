public import Testing

/// Expects one line that names each of these: a file, an option, a value, what helps. How its sentence puts it is left
/// to the program.
public func expectMessage(
  _ text: String, names: [String], sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(text.split(separator: "\n").count == 1, "\(text)", sourceLocation: sourceLocation)
  #expect(!names.isEmpty, "a message names something", sourceLocation: sourceLocation)
  for name in names {
    #expect(isNamed(name, in: text), "\(name): \(text)", sourceLocation: sourceLocation)
  }
}

/// The same for few names.
public func expectMessage(
  _ text: String, _ names: String..., sourceLocation: SourceLocation = #_sourceLocation
) {
  expectMessage(text, names: names, sourceLocation: sourceLocation)
}

/// Whether a text has a name as a whole, not as a part of a longer word, number or option.
private func isNamed(_ name: String, in text: String) -> Bool {
  text.ranges(of: name).contains { range in
    let before = text[..<range.lowerBound].last
    let after = text[range.upperBound...].first
    return before?.isPartOfName != true && after?.isPartOfName != true
  }
}

extension Character {
  fileprivate var isPartOfName: Bool { isLetter || isNumber || self == "-" || self == "_" }
}
