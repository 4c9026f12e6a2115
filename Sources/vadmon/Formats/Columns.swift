/// A table in columns that are as wide as their widest cell: the first to the left, the others to the right.
func aligned(_ rows: [[String]]) -> String {
  let widths = widths(rows)
  return rows.map { row in
    zip(row, widths).enumerated().map { column, cell in
      let blanks = String(repeating: " ", count: cell.1 - cell.0.count)
      return column == 0 ? cell.0 + blanks : blanks + cell.0
    }.joined(separator: "  ") + "\n"
  }.joined()
}

/// A table of words: every column to the left, the last as long as it likes.
func leftAligned(_ rows: [[String]]) -> String {
  let widths = widths(rows)
  return rows.map { row in
    let cells = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
    let line = cells.joined(separator: "  ")
    return line.prefix(through: line.lastIndex { $0 != " " } ?? line.startIndex) + "\n"
  }.joined()
}

private func widths(_ rows: [[String]]) -> [Int] {
  (rows.first?.indices ?? 0..<0).map { column in rows.map { $0[column].count }.max() ?? 0 }
}
