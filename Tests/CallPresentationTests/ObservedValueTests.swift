import Testing
import VideoPause

@testable import CallPresentation

@Suite struct ObservedValueTests {
  @Test("LB-15 A cancelled subscription delivers nothing more")
  func aCancelledSubscriptionDeliversNothing() {
    let observed = ObservedValue(0)
    var received: [Int] = []
    let subscription = observed.sink { received.append($0) }
    observed.set(1)
    subscription.cancel()
    observed.set(2)
    subscription.cancel()
    #expect(received == [0, 1])
  }

  @Test("LB-15 A subscription that is not retained is cancelled")
  func anUnretainedSubscriptionIsCancelled() {
    let observed = ObservedValue(0)
    var received: [Int] = []
    do {
      let subscription = observed.sink { received.append($0) }
      withExtendedLifetime(subscription) {}
    }
    observed.set(1)
    #expect(received == [0])
  }

  @Test("LB-15 A subscription may outlive the observed value")
  func aSubscriptionMayOutliveTheObservedValue() {
    var observed: ObservedValue<Int>? = ObservedValue(0)
    var received: [Int] = []
    let subscription = observed?.sink { received.append($0) }
    observed = nil
    subscription?.cancel()
    #expect(received == [0])
  }

  @Test("LB-15 A late observer gets the present value, and equal values are delivered once")
  func aLateObserverGetsThePresentValue() {
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

  @Test("LB-15 An observer can cancel itself or another during a delivery")
  func cancellingDuringADeliveryTakesEffectAtOnce() {
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

  @Test("LB-15 A value set by an observer is delivered after the present one, to all in order")
  func aValueSetDuringADeliveryIsDeliveredNext() {
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

  @Test(
    "LB-15 A subscription made during a delivery gets the present value once, and none that wait"
  )
  func subscribingDuringADeliveryGetsThePresentValueOnce() {
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

  @Test("LB-15 The async sequence delivers the present value, then the newest, and ends")
  func theAsyncSequenceDeliversTheNewestValue() async {
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

  @Test("LB-15 A reader that stops is released, and the others continue")
  func aReaderThatStopsIsReleased() async {
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
