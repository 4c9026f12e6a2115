/// Returns a table whose columns are as wide as their widest cells: the first aligned left, the others right.
package func aligned(_ rows: [[String]]) -> String {
  let widths = widths(rows)
  return rows.map { row in
    zip(row, widths).enumerated().map { column, cell in
      let blanks = String(repeating: " ", count: cell.1 - cell.0.count)
      return column == 0 ? cell.0 + blanks : blanks + cell.0
    }.joined(separator: "  ") + "\n"
  }.joined()
}

/// Returns a table of words: every column is aligned left, and the last has no maximum width.
package func leftAligned(_ rows: [[String]]) -> String {
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
