/// A value that tells its observers when it changes, as Combine's `@Published` with `removeDuplicates` does.
///
/// An observer gets the present value at once and then each different one, in order, on the thread that sets it. A
/// cancelled observer gets nothing more, not even the rest of a delivery that is under way. An observer may set the
/// value, subscribe and cancel; what it sets is delivered when the present delivery is over.
///
/// Not `Sendable`: it belongs to one actor, usually the one that draws. Across actors use ``values()``.
public final class ObservedValue<Value: Equatable> {
  /// The present value.
  public private(set) var value: Value
  private var observers: [Observer<Value>] = []
  private var version = 0
  /// Set, but not delivered.
  private var waiting: [(version: Int, value: Value)] = []
  private var isDelivering = false

  /// With the first value.
  public init(_ value: Value) { self.value = value }

  deinit {
    for observer in observers { observer.end() }
  }

  /// Sets the value. One that equals the present one is not told.
  public func set(_ new: Value) {
    guard new != value else { return }
    value = new
    version += 1
    waiting.append((version, new))
    deliver()
  }

  /// Changes the value in place; all that `change` does is told as one.
  public func update(_ change: (inout Value) -> Void) {
    var new = value
    change(&new)
    set(new)
  }

  /// Calls `receive` with the present value and with each that follows, until the subscription is cancelled or no
  /// longer kept.
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
      for observer in observers { observer.tell(next.value, version: next.version) }
    }
    isDelivering = false
    forgetEnded()
  }

  private func add(_ observer: Observer<Value>) {
    observers.append(observer)
    observer.tell(value, version: version)
  }

  private func forgetEnded() { observers.removeAll(where: \.isEnded) }
}

extension ObservedValue where Value: Sendable {
  /// The present value and those that follow. A reader that is slow misses values in between, never the last one.
  /// Ends with the task that reads it, or with the observed value.
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

/// Keeps an observer going. Dropping it cancels, so keep it for as long as you want values.
public final class Subscription {
  private var onCancel: (() -> Void)?

  init(onCancel: @escaping () -> Void) { self.onCancel = onCancel }

  deinit { cancel() }

  /// Nothing is delivered after this. Cancelling again does nothing.
  public func cancel() {
    onCancel?()
    onCancel = nil
  }
}

private final class Observer<Value> {
  /// Returns whether more is wanted; `nil` once nothing is.
  private var receive: ((Value) -> Bool)?
  private var onEnd: () -> Void
  /// The newest that was told: whoever subscribes during a delivery has seen what still waits.
  private var version = -1

  init(receive: @escaping (Value) -> Bool, onEnd: @escaping () -> Void) {
    self.receive = receive
    self.onEnd = onEnd
  }

  var isEnded: Bool { receive == nil }

  func tell(_ value: Value, version: Int) {
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
