/// ArgumentParser's messages, as one sentence each.
enum ParserMessage {
  /// Begins with a small letter, and names the values that an option takes behind a colon instead of in a second
  /// sentence or a list.
  static func sentence(_ message: String) -> String {
    let lines = message.split(separator: "\n").map { line in
      String(line.drop { $0 == " " }.trimmingPrefix("- "))
    }
    guard let first = lines.first else { return "" }
    let (head, values) = split(first, at: ". Please provide one of ")
    var list = lines.dropFirst().joined(separator: ", ")
    if let values, list.isEmpty {
      list = values.hasSuffix(".") ? String(values.dropLast()) : values
    }
    let sentence = head.prefix(1).lowercased() + head.dropFirst()
    return list.isEmpty ? sentence : "\(sentence): write \(list)"
  }

  /// What stands before and behind a text; `nil` without it.
  private static func split(_ line: String, at text: String) -> (String, String?) {
    guard let range = line.firstRange(of: text) else { return (line, nil) }
    return (String(line[..<range.lowerBound]), String(line[range.upperBound...]))
  }
}
