/// A strict reader of XML 1.0 in UTF-8 (W3C, fifth edition): elements, attributes, text, CDATA, comments, processing
/// instructions, and the entities that XML itself declares. It refuses a document type, which could declare others.
///
/// Names lose their namespace's prefix. The reader checks that tags match, so that a torn file is noticed, but not
/// which characters names may have.
struct XMLReader {
  /// A part of the document.
  enum Event {
    case start(name: String, attributes: [String: String])
    case end(name: String)
    case text(String)
  }

  private var scanner: XMLScanner
  /// The elements that are open, by their full names.
  private var open: [String] = []
  /// The end of an element that is written as one tag.
  private var pendingEnd: String?
  private var hasRoot = false
  /// The line on which the last event began.
  private(set) var line = 1

  init(_ text: PlainText) { scanner = XMLScanner(text) }

  /// Returns the next part, or `nil` after the end of the document.
  mutating func next() throws(LineFault) -> Event? {
    if let name = pendingEnd {
      pendingEnd = nil
      open.removeLast()
      return .end(name: name)
    }
    while !scanner.isAtEnd {
      line = scanner.line
      if scanner.take("<!--") {
        _ = try scanner.text(until: "-->", of: "the comment")
      } else if scanner.take("<?") {
        _ = try scanner.text(until: "?>", of: "the instruction")
      } else if scanner.take("<![CDATA[") {
        return .text(try outside(scanner.text(until: "]]>", of: "the CDATA section")))
      } else if scanner.take("<!") {
        throw LineFault("a document type is not supported: delete <!DOCTYPE …>")
      } else if scanner.take("</") {
        return try endTag()
      } else if scanner.take("<") {
        return try startTag()
      } else {
        return .text(try outside(scanner.characters(until: "<")))
      }
    }
    line = scanner.line
    if let name = open.last {
      throw LineFault("<\(name)> is not closed: check that the file is complete")
    }
    return nil
  }

  private mutating func startTag() throws(LineFault) -> Event {
    guard !open.isEmpty || !hasRoot else {
      throw LineFault("a second element follows the first one: keep one")
    }
    let name = try scanner.name()
    var attributes: [String: String] = [:]
    while true {
      let hasSpace = scanner.skipBlanks()
      if scanner.take("/>") {
        pendingEnd = Self.local(name)
        break
      }
      if scanner.take(">") { break }
      guard hasSpace else {
        throw LineFault("the tag <\(name)> is broken: check that the file is complete")
      }
      let attribute = try scanner.name()
      guard attributes.updateValue(try scanner.attributeValue(), forKey: attribute) == nil else {
        throw LineFault("<\(name)> has \(attribute) twice: keep one")
      }
    }
    open.append(name)
    hasRoot = true
    return .start(name: Self.local(name), attributes: attributes)
  }

  private mutating func endTag() throws(LineFault) -> Event {
    let name = try scanner.name()
    _ = scanner.skipBlanks()
    guard scanner.take(">"), open.last == name else {
      let expected = open.last.map { "write </\($0)>" } ?? "delete it"
      throw LineFault("</\(name)> closes nothing that is open: \(expected)")
    }
    open.removeLast()
    return .end(name: Self.local(name))
  }

  /// Returns the text if it is in an element, and nothing if it is blank.
  private func outside(_ text: String) throws(LineFault) -> String {
    guard !open.isEmpty || text.allSatisfy(\.isWhitespace) else {
      throw LineFault("text stands outside the document's element: delete it")
    }
    return text
  }

  private static func local(_ name: String) -> String {
    name.split(separator: ":").last.map(String.init) ?? name
  }
}
