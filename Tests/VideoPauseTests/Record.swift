/// Every value that was available, with the moment from which on it held: an oracle for what depends on the past.
struct Record {
  private var changes: [(at: Int64, value: Int)] = []
  private var start: Int64 = 0

  /// Adds a value. The first one is assumed to have held forever.
  mutating func add(_ value: Int, at time: Int64) {
    if changes.isEmpty { start = time }
    changes.append((changes.isEmpty ? -1_000_000_000_000 : time, value))
    // What is longer ago than any window does not matter.
    if changes.count > 4_000 { changes.removeFirst(2_000) }
  }

  /// Returns the means of the last parts of a length in microseconds, the latest first. Parts are counted from the
  /// first value, and the present one is left out.
  func parts(_ count: Int, of length: Int64 = 150_000, before now: Int64) -> [Double] {
    let present = start + (now - start) / length * length
    return (1...count).map { back in
      mean(from: present - Int64(back) * length, to: present - Int64(back - 1) * length)
    }
  }

  /// Returns what a quarter of the last 30 s exceeded, in parts of 0.75 s.
  func usual(before now: Int64) -> Double { parts(40, of: 750_000, before: now).sorted()[29] }

  private func mean(from begin: Int64, to end: Int64) -> Double {
    var sum = 0.0
    var next = Int64.max
    for change in changes.reversed() {
      sum += Double(max(0, min(end, next) - max(begin, change.at))) * Double(change.value)
      next = change.at
      if next <= begin { break }
    }
    return sum / Double(end - begin)
  }
}
