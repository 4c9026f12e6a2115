/// Memory for values without references, which grows and is used again: unlike an array's, its address stays while
/// nothing is appended.
struct GrowingBuffer<Element: BitwiseCopyable>: ~Copyable {
  private(set) var start = UnsafeMutablePointer<Element>.allocate(capacity: 16)
  private(set) var count = 0
  private var capacity = 16

  deinit { start.deallocate() }

  mutating func append(_ elements: UnsafeBufferPointer<Element>) {
    reserve(count + elements.count)
    if let first = elements.baseAddress {
      (start + count).initialize(from: first, count: elements.count)
    }
    count += elements.count
  }

  mutating func append(_ element: Element) {
    reserve(count + 1)
    (start + count).initialize(to: element)
    count += 1
  }

  mutating func removeAll() { count = 0 }

  /// Room for so many. What is there stays.
  mutating func reserve(_ wanted: Int) {
    guard wanted > capacity else { return }
    capacity = max(wanted, 2 * capacity)
    let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
    larger.initialize(from: start, count: count)
    start.deallocate()
    start = larger
  }
}
