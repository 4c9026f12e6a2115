/// What one observer has not taken yet. A value; the lock is its owner's.
package protocol Mailbox<Element>: Sendable {
  associatedtype Element: Sendable

  /// An observer that subscribes finds what the last `put` left, rather than an empty mailbox.
  static var replaysLast: Bool { get }

  /// `take` would return `nil`.
  var isEmpty: Bool { get }

  /// Does not allocate: the thread that analyses calls it.
  mutating func put(_ element: Element)

  mutating func take() -> Element?
}

/// The newest value, unless the observer took an equal one last: a value that changes and changes back is no change.
package struct NewestValue<Value: Sendable & Equatable>: Mailbox {
  package static var replaysLast: Bool { true }

  private(set) var newest: Value
  private var taken: Value?

  package init(_ value: Value) { newest = value }

  package var isEmpty: Bool { taken == newest }

  package mutating func put(_ value: Value) { newest = value }

  package mutating func take() -> Value? {
    guard !isEmpty else { return nil }
    taken = newest
    return newest
  }
}
