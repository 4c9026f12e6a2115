/// A stable sort in O(n log n), and in O(n) for sorted input, whose memory is reused between calls: the standard
/// library's sort allocates.
struct MergeSort<Element: Sendable>: Sendable {
  /// The length of the runs that are sorted by insertion, which is faster for so few.
  private static var run: Int { 8 }
  private var spare: [Element] = []

  mutating func sort(_ items: inout [Element], by precedes: (Element, Element) -> Bool) {
    // Reserved in the first call, not at the first disorder, which may come late.
    if spare.capacity < items.capacity { spare.reserveCapacity(items.capacity) }
    if isSorted(items, precedes) { return }
    for start in stride(from: 0, to: items.count, by: Self.run) {
      insert(&items, start..<min(start + Self.run, items.count), precedes)
    }
    var width = Self.run
    while width < items.count {
      spare.removeAll(keepingCapacity: true)
      var low = 0
      while low < items.count {
        let middle = min(low + width, items.count)
        let high = min(middle + width, items.count)
        merge(items, low..<middle, middle..<high, precedes)
        low = high
      }
      swap(&items, &spare)
      width *= 2
    }
  }

  private func isSorted(_ items: [Element], _ precedes: (Element, Element) -> Bool) -> Bool {
    items.indices.dropFirst().allSatisfy { !precedes(items[$0], items[$0 - 1]) }
  }

  private func insert(
    _ items: inout [Element], _ range: Range<Int>, _ precedes: (Element, Element) -> Bool
  ) {
    for next in range.dropFirst() {
      let item = items[next]
      var place = next
      while place > range.lowerBound, precedes(item, items[place - 1]) {
        items[place] = items[place - 1]
        place -= 1
      }
      items[place] = item
    }
  }

  private mutating func merge(
    _ items: [Element], _ left: Range<Int>, _ right: Range<Int>,
    _ precedes: (Element, Element) -> Bool
  ) {
    var (a, b) = (left.lowerBound, right.lowerBound)
    while a < left.upperBound || b < right.upperBound {
      let takeRight =
        a == left.upperBound || b < right.upperBound && precedes(items[b], items[a])
      spare.append(items[takeRight ? b : a])
      if takeRight { b += 1 } else { a += 1 }
    }
  }
}
