/// The elements that one observer has not taken yet. The owner's lock protects it.
protocol Mailbox<Element>: Sendable {
  associatedtype Element: Sendable

  /// Whether a new observer receives the element that was sent last, if any.
  static var replaysLast: Bool { get }

  /// Returns the mailbox of a new observer. It shares no storage with this one, so that ``put(_:)`` does not copy it.
  func forNewObserver() -> Self

  /// Whether ``take()`` would return `nil`.
  var isEmpty: Bool { get }

  /// Adds an element. Does not allocate, because the analysis calls it.
  mutating func put(_ element: Element)

  /// Removes and returns the next element.
  mutating func take() -> Element?
}

/// The newest value, unless the observer last took an equal one: a value that changes and changes back has not changed.
struct NewestValue<Value: Sendable & Equatable>: Mailbox {
  static var replaysLast: Bool { true }

  private(set) var newest: Value
  private var taken: Value?

  init(_ value: Value) { newest = value }

  var isEmpty: Bool { taken == newest }

  func forNewObserver() -> Self { self }

  mutating func put(_ value: Value) { newest = value }

  mutating func take() -> Value? {
    guard !isEmpty else { return nil }
    taken = newest
    return newest
  }
}
