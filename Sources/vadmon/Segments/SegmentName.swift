import Annotations

/// The pattern for names of segments' files, such as `{stem}-{index}`.
struct SegmentName: Sendable, Hashable {
  /// What a file holds.
  struct Facts {
    /// As ``FilePath/text`` writes it.
    var stem: String
    /// From 1.
    var index: Int
    var start: MediaTime
    /// From 1; `nil` if the file has all channels.
    var channel: Int?
  }

  fileprivate enum Piece: Sendable, Hashable {
    case text(String)
    case field(Field)
  }

  enum Field: String, CaseIterable, Sendable {
    case stem, index, start
    case startMilliseconds = "start_ms"
    case channel
  }

  static let `default` = try! SegmentName(parsing: "{stem}-{index}")
  static let perChannel = try! SegmentName(parsing: "{stem}-ch{channel}-{index}")

  let text: String
  private var pieces: [Piece] = []

  init(parsing text: String) throws(ValueError) {
    self.text = text
    var rest = text[...]
    while let open = rest.firstIndex(of: "{") {
      guard let close = rest[open...].firstIndex(of: "}") else {
        throw ValueError(description: "a '{' has no '}': close it")
      }
      let name = rest[rest.index(after: open)..<close]
      guard let field = Field(rawValue: String(name)) else {
        let known = Field.allCases.map { "{\($0.rawValue)}" }.joined(separator: ", ")
        throw ValueError(description: "'{\(name)}' is unknown: write one of \(known)")
      }
      pieces += [.text(String(rest[..<open])), .field(field)]
      rest = rest[rest.index(after: close)...]
    }
    pieces.append(.text(String(rest)))
    if text.contains("/") || text.contains("\0") {
      throw ValueError(description: "a name contains no '/': name folders in --save-segments")
    }
    guard has(.index) || has(.start) || has(.startMilliseconds) else {
      throw ValueError(
        description: "all segments would have one name: add {index}, {start} or {start_ms}")
    }
  }

  func has(_ field: Field) -> Bool { pieces.contains(.field(field)) }

  /// Returns the name, without the ending of a format.
  func name(_ facts: Facts) -> String {
    pieces.map { piece in
      switch piece {
      case .text(let text): text
      case .field(.stem): facts.stem
      case .field(.index): padded(facts.index, to: 4)
      case .field(.start): facts.start.seconds
      case .field(.startMilliseconds): String(facts.start.milliseconds)
      case .field(.channel): facts.channel.map(String.init) ?? "all"
      }
    }.joined()
  }

  /// Returns what a segment of a recording holds that has this name; `nil` if none has it.
  func facts(of name: String, stem: String) -> Facts? {
    facts(name[...], pieces[...], Facts(stem: stem, index: 0, start: .zero)) {
      self.name($0) == name
    }
  }

  /// Returns the first reading of `name` that `isRight` accepts.
  private func facts(
    _ name: Substring, _ pieces: ArraySlice<Piece>, _ known: Facts, _ isRight: (Facts) -> Bool
  ) -> Facts? {
    guard let piece = pieces.first else { return name.isEmpty && isRight(known) ? known : nil }
    for length in lengths(of: piece, name, known.stem) {
      let facts = known.adding(piece, name.prefix(length))
      if let found = self.facts(name.dropFirst(length), pieces.dropFirst(), facts, isRight) {
        return found
      }
    }
    return nil
  }

  /// Returns how long the first part of `name` may be.
  private func lengths(of piece: Piece, _ name: Substring, _ stem: String) -> [Int] {
    switch piece {
    case .text(let text): name.hasPrefix(text) ? [text.count] : []
    case .field(.stem): name.hasPrefix(stem) ? [stem.count] : []
    case .field(.channel) where name.hasPrefix("all"): [3]
    case .field: (0..<name.prefix { "0123456789.".contains($0) }.count).map { $0 + 1 }
    }
  }

  /// Names sort as the segments do, up to 9999 of them.
  private func padded(_ number: Int, to width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}

extension SegmentName.Facts {
  /// Returns these facts with what the part of a name says.
  fileprivate func adding(_ piece: SegmentName.Piece, _ text: Substring) -> Self {
    var facts = self
    guard case .field(let field) = piece else { return facts }
    switch field {
    // A name with a larger number is not one of ours, and there would be no number after it.
    case .index: facts.index = Int32(text).map(Int.init) ?? 0
    case .start:
      let milliseconds = Double(text).flatMap { UInt64(exactly: ($0 * 1000).rounded()) }
      facts.start = MediaTime(milliseconds: milliseconds ?? 0)
    case .startMilliseconds: facts.start = MediaTime(milliseconds: UInt64(text) ?? 0)
    case .channel: facts.channel = Int(text)
    case .stem: break
    }
    return facts
  }
}
