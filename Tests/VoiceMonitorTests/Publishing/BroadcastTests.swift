import TestSupport
import Testing

@testable import VoiceMonitor

/// Who is to be resumed, and when: the state machine alone. Waiters are numbers.
@Suite struct BroadcastTests {
  private typealias States = Broadcast<NewestValue<Int>, Int>

  @Test func anObserverWithValuesDoesNotWait() {
    var states = States(fresh: NewestValue(1))
    let observer = states.subscribe()
    #expect(with(&states) { $0.wait(observer, 7) } == 7)
    #expect(with(&states) { $0.take(observer) } == .element(1))
    #expect(with(&states) { $0.take(observer) } == .empty)
    #expect(with(&states) { $0.wait(observer, 7) } == nil)
  }

  @Test func aRevertedChangeWakesNobody() {
    var states = States(fresh: NewestValue(1))
    let observer = states.subscribe()
    _ = (states.take(observer), states.wait(observer, 7))
    #expect(with(&states) { $0.send(2) })
    #expect(!with(&states) { $0.send(1) })
    #expect(with(&states) { $0.wake() } == [])
    #expect(with(&states) { $0.send(3) })
    #expect(with(&states) { $0.wake() } == [7])
    #expect(with(&states) { $0.wake() } == [])
    #expect(with(&states) { $0.take(observer) } == .element(3))
  }

  @Test func theEndResumesEverybodyOnce() {
    var states = States(fresh: NewestValue(1))
    let observers = (0..<3).map { _ in states.subscribe() }
    for (waiter, observer) in observers.enumerated() {
      _ = (states.take(observer), states.wait(observer, waiter))
    }
    #expect(with(&states) { $0.finish() } == [0, 1, 2])
    #expect(with(&states) { $0.finish() } == [])
    #expect(!with(&states) { $0.send(2) })
    #expect(with(&states) { $0.take(observers[0]) } == .finished)
    #expect(with(&states) { $0.wait(observers[0], 9) } == 9)
    // Whoever comes now finds the last value.
    let late = states.subscribe()
    #expect(with(&states) { $0.take(late) } == .element(1))
    #expect(with(&states) { $0.take(late) } == .finished)
  }

  @Test func aCancelledWaiterIsNotResumedAgain() {
    var states = States(fresh: NewestValue(1))
    let observer = states.subscribe()
    _ = (states.take(observer), states.wait(observer, 7))
    #expect(with(&states) { $0.stopWaiting(observer) } == 7)
    #expect(with(&states) { $0.stopWaiting(observer) } == nil)
    #expect(!with(&states) { $0.send(2) })
    #expect(with(&states) { $0.wake() } == [])
    states.unsubscribe(observer)
    #expect(with(&states) { $0.take(observer) } == .finished)
    #expect(with(&states) { $0.stopWaiting(observer) } == nil)
  }

  /// Against the plain account of it: every waiter is resumed exactly once, when there is something or all is over, and
  /// what an observer takes are the sent values without repetitions, the last one included.
  @Test(arguments: UInt64(0)..<200) func everyWaiterIsResumedExactlyOnceInAnyOrder(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var states = States(fresh: NewestValue(0))
    var (present, waiter) = (0, 0)
    let observers = (0..<3).map { _ in states.subscribe() }
    var taken = [[Int]](repeating: [], count: 3)
    var waiting = [Int?](repeating: nil, count: 3)
    func resume(_ waiters: [Int]) {
      for resumed in waiters {
        let index = waiting.firstIndex(of: resumed)
        #expect(index != nil)
        if let index { waiting[index] = nil }
      }
    }
    for _ in 0..<100 {
      let index = Int.random(in: 0..<3, using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0:
        present = Int.random(in: 0..<3, using: &random)
        let isDue = zip(waiting, taken).contains { $0 != nil && $1.last != present }
        #expect(with(&states) { $0.send(present) } == isDue)
      case 1: resume(states.wake())
      case 2:
        resume(states.stopWaiting(observers[index]).map { [$0] } ?? [])
        #expect(waiting[index] == nil)
      default:
        guard waiting[index] == nil else { continue }
        if taken[index].last == present {
          #expect(with(&states) { $0.take(observers[index]) } == .empty)
          waiter += 1
          #expect(with(&states) { $0.wait(observers[index], waiter) } == nil)
          waiting[index] = waiter
        } else {
          #expect(with(&states) { $0.take(observers[index]) } == .element(present))
          taken[index].append(present)
        }
      }
    }
    resume(states.finish())
    #expect(waiting == [nil, nil, nil])
    for values in taken { #expect(zip(values, values.dropFirst()).allSatisfy { $0 != $1 }) }
  }
}

/// `#expect` evaluates no mutating call on a variable.
private func with<Machine, Result>(_ machine: inout Machine, _ body: (inout Machine) -> Result)
  -> Result
{
  body(&machine)
}

extension Broadcast.Outcome: Equatable where Box.Element: Equatable {
  static func == (a: Self, b: Self) -> Bool {
    switch (a, b) {
    case (.element(let a), .element(let b)): a == b
    case (.empty, .empty), (.finished, .finished): true
    default: false
    }
  }
}
