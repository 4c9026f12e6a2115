/// A table in columns that are as wide as their widest cell: the first to the left, the others to the right.
func aligned(_ rows: [[String]]) -> String {
  let widths = (rows.first?.indices ?? 0..<0).map { column in
    rows.map { $0[column].count }.max() ?? 0
  }
  return rows.map { row in
    zip(row, widths).enumerated().map { column, cell in
      let blanks = String(repeating: " ", count: cell.1 - cell.0.count)
      return column == 0 ? cell.0 + blanks : blanks + cell.0
    }.joined(separator: "  ") + "\n"
  }.joined()
}
