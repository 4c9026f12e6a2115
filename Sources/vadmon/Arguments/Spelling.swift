/// The similarity of words.
enum Spelling {
  /// Returns the names that `name` may stand for, joined by "or": those spelled almost the same, or else those that it
  /// abbreviates, or else those whose words all occur in it, or else those with its last word. Returns `nil` if there
  /// are none, or more than three.
  static func similar(to name: String, among names: [String]) -> String? {
    let typed = words(name)
    guard let last = typed.last else { return nil }
    let rules: [([String]) -> Bool] = [
      { isAlike(typed.joined(), $0.joined(), from: 3) },
      { typed.count <= $0.count && zip(typed, $0).allSatisfy(isShort) },
      { known in typed.allSatisfy { word in known.contains { isShort(word, for: $0) } } },
      { known in known.allSatisfy { word in typed.contains { isShort(word, for: $0) } } },
      { last.count > 3 && $0.last == last },
    ]
    let found = rules.lazy.map { rule in names.filter { rule(words($0)) } }.first { !$0.isEmpty }
    return found.flatMap { $0.count <= 3 ? $0.joined(separator: " or ") : nil }
  }

  private static func isShort(_ word: String, for whole: String) -> Bool {
    word.count > 2 && whole.hasPrefix(word) || isAlike(word, whole, from: 4)
  }

  /// Returns whether two words differ by at most one letter, or by two in long words. Words of fewer letters must be
  /// equal, because too many others resemble them.
  private static func isAlike(_ left: String, _ right: String, from length: Int) -> Bool {
    distance(left, right) <= (max(left.count, right.count) < length ? 0 : left.count < 8 ? 1 : 2)
  }

  private static func words(_ name: String) -> [String] {
    name.lowercased().split { "-_".contains($0) }.map(String.init)
  }

  /// Returns the word nearest to `word`, ignoring case, or the first of several. Returns `nil` if even that word is
  /// more than `limit` letters away.
  static func nearest(to word: String, among words: [String], within limit: Int) -> String? {
    let distances = words.map { (word: $0, distance: distance($0, word.lowercased())) }
    guard let nearest = distances.min(by: { $0.distance < $1.distance }),
      nearest.distance <= limit
    else { return nil }
    return nearest.word
  }

  /// Returns the number of letters to insert, remove, replace or exchange with their neighbours (F. J. Damerau, 1964).
  /// No letter is changed twice.
  static func distance(_ left: String, _ right: String) -> Int {
    let (left, right) = (Array(left), Array(right))
    var rows = [Array(0...right.count)]
    for (line, letter) in left.enumerated() {
      var row = [line + 1]
      for (column, other) in right.enumerated() {
        let replaced = rows[line][column] + (letter == other ? 0 : 1)
        var best = min(replaced, row[column] + 1, rows[line][column + 1] + 1)
        if line > 0, column > 0, letter == right[column - 1], left[line - 1] == other {
          best = min(best, rows[line - 1][column - 1] + 1)
        }
        row.append(best)
      }
      rows.append(row)
    }
    return rows[left.count][right.count]
  }
}
