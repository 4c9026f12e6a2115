/// Who is in the meeting and what they say, and what the subscriber's path carries.
struct Scene {
  struct Voice {
    let participant: String
    let file: String
    /// When the recording begins, in seconds of the meeting.
    let start: Double

    /// `ann=speech.flac@1.5`; without `@` from the start.
    init?(_ argument: String) {
      guard let equals = argument.firstIndex(of: "="), equals > argument.startIndex else {
        return nil
      }
      participant = String(argument[..<equals])
      let rest = argument[argument.index(after: equals)...]
      let at = rest.lastIndex(of: "@")
      file = String(rest[..<(at ?? rest.endIndex)])
      guard let start = at.map({ Double(rest[rest.index(after: $0)...]) }) ?? 0,
        (0...86_400).contains(start), !file.isEmpty
      else { return nil }
      self.start = start
    }
  }

  struct Capacity {
    /// Seconds of the meeting.
    let from: Double
    let bitsPerSecond: Int
  }

  let voices: [Voice]
  /// In order of time, the first from 0.
  let path: [Capacity]

  /// `0:2500,8:400`: 2,500 kbit/s from the start, 400 from 8 s on.
  static func path(_ argument: String) -> [Capacity]? {
    let path = argument.split(separator: ",").compactMap { part -> Capacity? in
      let fields = part.split(separator: ":")
      guard fields.count == 2, let from = Double(fields[0]), let kilobits = Int(fields[1]),
        (0...86_400).contains(from), (0...1_000_000).contains(kilobits)
      else { return nil }
      return Capacity(from: from, bitsPerSecond: kilobits * 1_000)
    }
    let isComplete = path.count == argument.split(separator: ",").count
    let isInOrder = zip(path, path.dropFirst()).allSatisfy { $0.from < $1.from }
    return isComplete && isInOrder && path.first?.from == 0 ? path : nil
  }

  /// What the estimator says at a time, in bits per second.
  func estimate(at seconds: Double) -> Int {
    path.last { $0.from <= seconds }?.bitsPerSecond ?? 0
  }
}
