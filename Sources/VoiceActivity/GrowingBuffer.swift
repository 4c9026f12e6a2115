/// A buffer of trivial values that keeps its memory when it is emptied.
///
/// Unlike an array's, its address is stable until ``append(_:)`` or ``reserve(_:)`` grows it, so that C may hold
/// pointers into it for the length of a call.
struct GrowingBuffer<Element: BitwiseCopyable>: ~Copyable {
  /// The elements. Valid until the buffer grows, and freed in `deinit`.
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

  /// Makes room for `wanted` elements in all and keeps those that are there.
  mutating func reserve(_ wanted: Int) {
    guard wanted > capacity else { return }
    capacity = max(wanted, 2 * capacity)
    let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
    larger.initialize(from: start, count: count)
    start.deallocate()
    start = larger
  }
}
