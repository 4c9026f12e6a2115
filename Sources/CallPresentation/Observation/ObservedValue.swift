/// A value that notifies its observers of changes, as Combine's `@Published` with `removeDuplicates` does.
///
/// An observer receives the present value at once and then each different one, in order, on the thread that sets it. A
/// cancelled observer receives nothing more, not even the rest of a delivery in progress. An observer may set the
/// value, subscribe and cancel; what it sets is delivered after the present delivery.
///
/// Not `Sendable`: the value belongs to one actor, usually the one that draws. Across actors, use ``values()``.
public final class ObservedValue<Value: Equatable> {
  /// The present value.
  public private(set) var value: Value
  private var observers: [Observer<Value>] = []
  private var version = 0
  /// Values that were set but not delivered yet.
  private var waiting: [(version: Int, value: Value)] = []
  private var isDelivering = false

  /// Creates an observed value with its first value.
  public init(_ value: Value) { self.value = value }

  deinit {
    for observer in observers { observer.end() }
  }

  /// Sets the value. Observers are not notified of a value that equals the present one.
  public func set(_ new: Value) {
    guard new != value else { return }
    value = new
    version += 1
    waiting.append((version, new))
    deliver()
  }

  /// Changes the value in place; observers receive all changes that `change` makes as one.
  public func update(_ change: (inout Value) -> Void) {
    var new = value
    change(&new)
    set(new)
  }

  /// Calls `receive` with the present value and with each later one, until the subscription is cancelled or released.
  public func sink(_ receive: @escaping (Value) -> Void) -> Subscription {
    let observer = Observer<Value>(
      receive: { value in
        receive(value)
        return true
      }, onEnd: {})
    add(observer)
    return Subscription { [weak self, weak observer] in
      observer?.end()
      self?.forgetEnded()
    }
  }

  private func deliver() {
    guard !isDelivering else { return }
    isDelivering = true
    while !waiting.isEmpty {
      let next = waiting.removeFirst()
      for observer in observers { observer.deliver(next.value, version: next.version) }
    }
    isDelivering = false
    forgetEnded()
  }

  private func add(_ observer: Observer<Value>) {
    observers.append(observer)
    observer.deliver(value, version: version)
  }

  private func forgetEnded() { observers.removeAll(where: \.isEnded) }
}

extension ObservedValue where Value: Sendable {
  /// Returns a stream of the present value and those that follow.
  ///
  /// A slow reader misses intermediate values, never the last one. The stream ends with the task that reads it, or with
  /// the observed value.
  public func values() -> AsyncStream<Value> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Value.self, bufferingPolicy: .bufferingNewest(1))
    add(
      Observer(
        receive: { value in
          if case .terminated = continuation.yield(value) { false } else { true }
        },
        onEnd: { continuation.finish() }))
    return stream
  }
}

/// Keeps an observer active. Releasing the subscription cancels it, so keep it for as long as you want values.
public final class Subscription {
  private var onCancel: (() -> Void)?

  init(onCancel: @escaping () -> Void) { self.onCancel = onCancel }

  deinit { cancel() }

  /// Ends delivery. Cancelling again does nothing.
  public func cancel() {
    onCancel?()
    onCancel = nil
  }
}

private final class Observer<Value> {
  /// Returns whether the observer wants more; nil once it has ended.
  private var receive: ((Value) -> Bool)?
  private var onEnd: () -> Void
  /// The newest version delivered: an observer that subscribes during a delivery has already received the values still
  /// waiting.
  private var version = -1

  init(receive: @escaping (Value) -> Bool, onEnd: @escaping () -> Void) {
    self.receive = receive
    self.onEnd = onEnd
  }

  var isEnded: Bool { receive == nil }

  func deliver(_ value: Value, version: Int) {
    guard version > self.version, let receive else { return }
    self.version = version
    if !receive(value) { end() }
  }

  func end() {
    guard !isEnded else { return }
    receive = nil
    onEnd()
  }
}
