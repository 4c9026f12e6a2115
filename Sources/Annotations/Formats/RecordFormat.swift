/// An output format for records.
///
/// A format is a value that appends text and does nothing else: it uses no file, terminal or clock. It appends valid
/// UTF-8 whatever the file names are.
public protocol RecordFormat {
  /// Appends the text before the first record.
  mutating func begin(_ run: RunConfiguration, into text: inout String)
  /// Appends a record, or keeps it until it can be written.
  mutating func write(_ record: Record, into text: inout String)
  /// Appends the text after the last record.
  mutating func end(into text: inout String)
}

extension RecordFormat {
  /// Appends nothing.
  public mutating func begin(_ run: RunConfiguration, into text: inout String) {}
  /// Appends nothing.
  public mutating func end(into text: inout String) {}
}
