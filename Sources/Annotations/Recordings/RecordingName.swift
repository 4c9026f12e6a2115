/// The name of a recording, derived from its file.
public enum RecordingName {
  /// Returns the name of an input for people. Records write standard input as `-`.
  package static func shown(_ file: String) -> String {
    file == "-" ? "standard input" : printable(file)
  }

  /// Returns the name without folders and without its last extension: `a/b.c.wav` gives `b.c`. Standard input gives
  /// `stdin`. A leading dot does not begin an extension.
  public static func stem(_ path: String) -> String {
    if path == "-" { return "stdin" }
    // A character may join a separator with a combining mark that follows it.
    let name =
      path.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) } ?? path
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else {
      return name
    }
    return String(name[..<dot])
  }

  /// Returns the file's name without folders and extension, with `_` for whitespace and control characters.
  public static func fileID(_ file: String) -> String {
    id(stem(file))
  }

  private static func id(_ stem: String) -> String {
    var id = stem.replacingScalars { scalar in
      scalar.properties.isWhitespace || scalar.value < 0x20 || scalar.value == 0x7F
    }
    // A line that begins with ";;" is a comment. An ID that begins so is not, but some readers take it for one.
    while id.hasPrefix(";") { id.removeFirst() }
    return id.isEmpty ? "_" : id
  }

  /// Returns the name, without extension, under which the label editor of a report saves the labels of a recording. It
  /// joins the parts with `_`, and writes `_` for each character that a browser would change in the name of a file.
  ///
  /// - Parameter location: The folders that tell the recording from others, and its ``fileID(_:)``.
  public static func saved(_ location: some Sequence<String>) -> String {
    let name = id(location.joined(separator: "_")).replacingScalars { scalar in
      [.control, .format].contains(scalar.properties.generalCategory)
        || #":?*<>"|\%"#.unicodeScalars.contains(scalar)
    }
    let rest = name.drop { $0 == "." || $0 == "~" }
    return rest.count < name.count ? "_\(rest)" : name
  }
}

extension String {
  /// Returns the text with `_` for the scalars of a kind.
  fileprivate func replacingScalars(_ isReplaced: (Unicode.Scalar) -> Bool) -> String {
    String(String.UnicodeScalarView(unicodeScalars.map { isReplaced($0) ? "_" : $0 }))
  }
}
