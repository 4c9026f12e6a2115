/// What is wrong with a line, and how to correct it.
public struct LineFault: Error, Hashable {
  /// One clause that names the problem and the remedy.
  public let message: String
  /// Creates a fault.
  public init(_ message: String) { self.message = message }
}

/// The faulty lines of one file. In a file of the wrong kind every line is faulty, so only the first ten are reported.
public struct LineFaults: Sendable {
  /// The reported faults that `takeFirst(_:)` has not returned yet.
  private var messages: [String] = []
  private var count = 0

  private static let limit = 10

  /// Creates an empty list.
  public init() {}

  /// Whether there are no faults.
  public var isEmpty: Bool { count == 0 }

  /// Adds the fault of a line, which is numbered from 1, or of the file as a whole.
  public mutating func add(_ fault: LineFault, line: Int?) {
    count += 1
    let place = line.map { ", line \($0)" } ?? ""
    if count <= Self.limit { messages.append("\(place): \(fault.message)") }
  }

  /// Calls `body` with each line, and adds what it throws.
  mutating func collect(
    _ lines: some Sequence<TextLines.Line>, _ body: (TextLines.Line) throws(LineFault) -> Void
  ) {
    for line in lines {
      do throws(LineFault) { try body(line) } catch { add(error, line: line.number) }
    }
  }

  /// Returns the sentence of the next fault, or `nil` if all were returned. It is for callers that report faults as
  /// they occur.
  public mutating func takeFirst(_ file: String) -> String? {
    messages.isEmpty ? nil : "\(file)\(messages.removeFirst())"
  }

  /// Returns one sentence for each fault that ``takeFirst(_:)`` has not returned, and how many more there are.
  public func sentences(_ file: String) -> [String] {
    let sentences = messages.map { "\(file)\($0)" }
    return count > Self.limit
      ? sentences + ["\(file) has \(counted(count - Self.limit, "more bad line"))"] : sentences
  }
}
