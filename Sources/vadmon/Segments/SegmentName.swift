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
      case .field(let field): facts.text(of: field)
      }
    }.joined()
  }

  /// Returns what a segment of one of the recordings holds that has this name; `nil` if none has it.
  func facts(of name: String, stems: SegmentStems) -> Facts? {
    let known = Facts(stem: "", index: 0, start: .zero)
    return facts(name[...], pieces[...], known, stems, read: []) { self.name($0) == name }
  }

  /// Returns the first reading of `name` that `isRight` accepts. read: the fields that are in `known`.
  private func facts(
    _ name: Substring, _ pieces: ArraySlice<Piece>, _ known: Facts, _ stems: SegmentStems,
    read: Set<Field>, _ isRight: (Facts) -> Bool
  ) -> Facts? {
    guard let piece = pieces.first else { return name.isEmpty && isRight(known) ? known : nil }
    for length in lengths(of: piece, name, known, stems, read) {
      var (facts, read) = (known, read)
      if case .field(let field) = piece {
        facts.set(field, name.prefix(length))
        read.insert(field)
      }
      let rest = (name.dropFirst(length), pieces.dropFirst())
      if let found = self.facts(rest.0, rest.1, facts, stems, read: read, isRight) { return found }
    }
    return nil
  }

  /// Returns how long the first part of `name` may be.
  private func lengths(
    of piece: Piece, _ name: Substring, _ known: Facts, _ stems: SegmentStems, _ read: Set<Field>
  ) -> [Int] {
    func whole(_ text: String) -> [Int] { name.hasPrefix(text) ? [text.count] : [] }
    switch piece {
    case .text(let text): return whole(text)
    case .field(let field) where read.contains(field): return whole(known.text(of: field))
    case .field(.stem): return stems.lengths(in: name)
    case .field(.channel) where name.hasPrefix("all"): return [3]
    case .field:
      let number = name.prefix(Self.longestNumber).prefix { "0123456789.".contains($0) }
      return (0..<number.count).map { $0 + 1 }
    }
  }

  /// The characters of the longest time, 2^64 ms in seconds.
  private static let longestNumber = 21
}

/// The stems of the recordings whose segments have names in one folder. A name is compared with a few of them only.
struct SegmentStems {
  private let byLength: [Int: Set<String>]

  init(_ stems: [String]) {
    byLength = Dictionary(grouping: stems, by: \.count).mapValues(Set.init)
  }

  /// Returns how long the stems are with which a name begins.
  fileprivate func lengths(in name: Substring) -> [Int] {
    byLength.filter { $1.contains(String(name.prefix($0))) }.keys.sorted()
  }
}

extension SegmentName.Facts {
  fileprivate func text(of field: SegmentName.Field) -> String {
    switch field {
    case .stem: stem
    // Names sort as the segments do, up to 9999 of them.
    case .index: padded(index, to: 4)
    case .start: start.seconds
    case .startMilliseconds: String(start.milliseconds)
    case .channel: channel.map(String.init) ?? "all"
    }
  }

  /// Takes over what the part of a name says.
  fileprivate mutating func set(_ field: SegmentName.Field, _ text: Substring) {
    switch field {
    case .stem: stem = String(text)
    // A name with a larger number is not one of ours, and there would be no number after it.
    case .index: index = Int32(text).map(Int.init) ?? 0
    case .start:
      let milliseconds = Double(text).flatMap { UInt64(exactly: ($0 * 1000).rounded()) }
      start = MediaTime(milliseconds: milliseconds ?? 0)
    case .startMilliseconds: start = MediaTime(milliseconds: UInt64(text) ?? 0)
    case .channel: channel = Int(text)
    }
  }
}
