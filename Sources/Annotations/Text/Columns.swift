extension String {
  /// Returns the text with blanks behind it, or with `fill` before it if it is `right`, so that it has at least `width`
  /// characters.
  package func padded(to width: Int, right: Bool = false, with fill: Character = " ") -> String {
    let padding = String(repeating: fill, count: max(0, width - count))
    return right ? padding + self : self + padding
  }
}

/// Returns a table whose columns are as wide as their widest cells: the first aligned left, the others right.
package func aligned(_ rows: [[String]]) -> String {
  let widths = widths(rows)
  return rows.map { row in
    zip(row, widths).enumerated().map { $1.0.padded(to: $1.1, right: $0 > 0) }
      .joined(separator: "  ") + "\n"
  }.joined()
}

/// Returns a table of words: every column is aligned left, and the last has no maximum width.
package func leftAligned(_ rows: [[String]]) -> String {
  let widths = widths(rows)
  return rows.map { row in
    let cells = zip(row, widths).map { $0.padded(to: $1) }
    let line = cells.joined(separator: "  ")
    return line.prefix(through: line.lastIndex { $0 != " " } ?? line.startIndex) + "\n"
  }.joined()
}

private func widths(_ rows: [[String]]) -> [Int] {
  (rows.first?.indices ?? 0..<0).map { column in rows.map { $0[column].count }.max() ?? 0 }
}
