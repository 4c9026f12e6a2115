/// The similarity of words.
enum Spelling {
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
