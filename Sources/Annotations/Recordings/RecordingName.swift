/// The name of a recording, derived from its file.
public enum RecordingName {
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
    let stem = stem(file)
    let safe = stem.unicodeScalars.map { scalar in
      scalar.properties.isWhitespace || scalar.value < 0x20 || scalar.value == 0x7F ? "_" : scalar
    }
    var id = String(String.UnicodeScalarView(safe))
    // A line that begins with ";;" is a comment. An ID that begins so is not, but some readers take it for one.
    while id.hasPrefix(";") { id.removeFirst() }
    return id.isEmpty ? "_" : id
  }
}
