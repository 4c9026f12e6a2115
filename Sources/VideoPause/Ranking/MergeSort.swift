/// Sorts stably in O(n log n), and in O(n) what is sorted already, with memory that is kept between calls: the
/// standard library's sort allocates.
struct MergeSort<Element: Sendable>: Sendable {
  private var spare: [Element] = []

  mutating func sort(_ items: inout [Element], by precedes: (Element, Element) -> Bool) {
    // At the first call, not at the first disorder, which may come late.
    if spare.capacity < items.capacity { spare.reserveCapacity(items.capacity) }
    if isSorted(items, precedes) { return }
    var width = 1
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
