import Testing
import VideoPause

@testable import CallPresentation

@Suite("Observed value")
struct ObservedValueTests {
  @Test("LB-15 A cancelled subscription delivers nothing more")
  func cancelled() {
    let observed = ObservedValue(0)
    var received: [Int] = []
    let subscription = observed.sink { received.append($0) }
    observed.set(1)
    subscription.cancel()
    observed.set(2)
    subscription.cancel()
    #expect(received == [0, 1])
  }

  @Test("LB-15 A subscription that is not kept is cancelled")
  func dropped() {
    let observed = ObservedValue(0)
    var received: [Int] = []
    do {
      let subscription = observed.sink { received.append($0) }
      withExtendedLifetime(subscription) {}
    }
    observed.set(1)
    #expect(received == [0])
  }

  @Test("LB-15 A subscription may outlive what it observes")
  func outlived() {
    var observed: ObservedValue<Int>? = ObservedValue(0)
    var received: [Int] = []
    let subscription = observed?.sink { received.append($0) }
    observed = nil
    subscription?.cancel()
    #expect(received == [0])
  }

  @Test("LB-15 A late observer gets the present value, and equal values are told once")
  func presentValueAndDuplicates() {
    let observed = ObservedValue(0)
    observed.set(1)
    var received: [Int] = []
    let subscription = observed.sink { received.append($0) }
    for value in [1, 2, 2, 1, 1] { observed.set(value) }
    observed.update { value in
      value = 7
      value = 1
    }
    #expect(received == [1, 2, 1])
    subscription.cancel()
  }

  @Test("LB-15 An observer that cancels itself, or another, is obeyed within the delivery")
  func cancelWithinDelivery() {
    let observed = ObservedValue(0)
    var received: [String] = []
    var second: Subscription?
    var first: Subscription?
    first = observed.sink { value in
      received.append("first \(value)")
      guard value == 1 else { return }
      first?.cancel()
      second?.cancel()
    }
    second = observed.sink { received.append("second \($0)") }
    observed.set(1)
    observed.set(2)
    #expect(received == ["first 0", "second 0", "first 1"])
  }

  @Test("LB-15 What an observer sets is delivered after the present value, to all in order")
  func setWithinDelivery() {
    let observed = ObservedValue(0)
    var received: [[Int]] = [[], []]
    let first = observed.sink { value in
      received[0].append(value)
      if value < 3 { observed.set(value + 1) }
    }
    let second = observed.sink { received[1].append($0) }
    observed.set(10)
    observed.set(1)
    // The first observer raised the value from 0 to 3 before the second one subscribed.
    #expect(received == [[0, 1, 2, 3, 10, 1, 2, 3], [3, 10, 1, 2, 3]])
    first.cancel()
    second.cancel()
  }

  @Test("LB-15 Who subscribes during a delivery gets the present value once, not what still waits")
  func subscribeWithinDelivery() {
    let observed = ObservedValue(0)
    var received: [Int] = []
    var late: Subscription?
    let first = observed.sink { value in
      guard value == 1 else { return }
      observed.set(2)
      late = observed.sink { received.append($0) }
    }
    observed.set(1)
    observed.set(3)
    #expect(received == [2, 3])
    first.cancel()
    late?.cancel()
  }

  @Test("LB-15 As an async sequence: the present value, then the newest, and an end")
  func asyncValues() async {
    var observed: ObservedValue<Int>? = ObservedValue(0)
    var values = observed?.values().makeAsyncIterator()
    let first = await values?.next()
    observed?.set(1)
    observed?.set(2)
    // The reader was slow and missed 1.
    let second = await values?.next()
    observed?.set(3)
    observed = nil
    let third = await values?.next()
    let end = await values?.next()
    #expect([first, second, third, end] == [0, 2, 3, nil])
  }

  @Test("LB-15 A reader that stops is forgotten, and the others go on")
  func stoppedReader() async {
    let observed = ObservedValue(0)
    do {
      var values = observed.values().makeAsyncIterator()
      let first = await values.next()
      #expect(first == 0)
    }
    var received: [Int] = []
    let subscription = observed.sink { received.append($0) }
    observed.set(1)
    observed.set(2)
    #expect(received == [0, 1, 2])
    subscription.cancel()
  }
}
