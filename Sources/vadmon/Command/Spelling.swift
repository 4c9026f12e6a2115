/// How much two words differ.
enum Spelling {
  /// The first of those words that are nearest to `word`, unless even they are more than `limit` letters away.
  static func nearest(to word: String, among words: [String], within limit: Int) -> String? {
    let distances = words.map { (word: $0, distance: distance($0, word)) }
    guard let nearest = distances.min(by: { $0.distance < $1.distance }),
      nearest.distance <= limit
    else { return nil }
    return nearest.word
  }

  /// How many letters have to be inserted, removed or replaced (V. Levenshtein, 1965).
  static func distance(_ left: String, _ right: String) -> Int {
    let right = Array(right)
    var row = Array(0...right.count)
    for (index, letter) in left.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for column in right.indices {
        let replaced = diagonal + (letter == right[column] ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(replaced, diagonal + 1, row[column] + 1)
      }
    }
    return row[right.count]
  }
}
