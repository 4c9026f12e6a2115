/// The least that was available during the last seconds: what has been carried for so long may be used.
///
/// Time is cut into tenths of the window, and of each the minimum is kept: constant memory and time however often
/// the estimate comes. Between one and 1.1 windows are looked back.
struct EvidenceWindow {
  private static let parts = 10
  private let partLength: Int64
  /// The minima of the present part and the `parts` before it, a ring by the part's number.
  private var minima: [Int]
  private var present: Int64?
  private var latest = 0

  init(window: Duration) {
    partLength = window.wholeMicroseconds / Int64(Self.parts)
    minima = Array(repeating: 0, count: Self.parts + 1)
  }

  /// Begins anew with the next value.
  mutating func forget() { present = nil }

  mutating func record(_ available: Int, at now: Timestamp) {
    advance(to: now)
    latest = available
    guard let present else { return fill(available, at: now) }
    let place = place(of: present)
    minima[place] = min(minima[place], available)
  }

  /// The least of the window that ends now.
  mutating func minimum(at now: Timestamp) -> Int {
    guard partLength > 0 else { return latest }
    advance(to: now)
    return minima.min() ?? latest
  }

  /// The minimum will rise if nothing new comes.
  var isSettling: Bool { partLength > 0 && minima.contains { $0 < latest } }

  /// Until the next value, the latest holds.
  private mutating func advance(to now: Timestamp) {
    guard partLength > 0, let old = present else { return }
    let new = part(of: now)
    guard new > old else { return }
    let (passed, overflow) = new.subtractingReportingOverflow(old)
    if overflow || passed >= Int64(minima.count) { return fill(latest, at: now) }
    for part in (old + 1)...new { minima[place(of: part)] = latest }
    present = new
  }

  private mutating func fill(_ value: Int, at now: Timestamp) {
    guard partLength > 0 else { return }
    for place in minima.indices { minima[place] = value }
    present = part(of: now)
  }

  /// Division that rounds down, before the clock's origin too.
  private func part(of time: Timestamp) -> Int64 {
    let (quotient, remainder) = time.microseconds.quotientAndRemainder(dividingBy: partLength)
    return remainder < 0 ? quotient - 1 : quotient
  }

  private func place(of part: Int64) -> Int {
    let count = Int64(minima.count)
    return Int((part % count + count) % count)
  }
}
