// pause-benchmark cost COUNT estimate|speaker|tile            prints µs, µs to sort, allocations, decisions
// pause-benchmark decide COUNT estimate|speaker|tile ROUNDS   makes ROUNDS decisions, for valgrind
// pause-benchmark noise DEVIATION                             prints a line for each policy
//
// measure.py starts it and makes tables of its output, whose fields are separated by tabs.

import CountedMalloc
import Glibc

func fail(_ code: Int32, _ sentence: String) -> Never {
  let line = "pause-benchmark: \(sentence)\n"
  _ = line.withCString { write(STDERR_FILENO, $0, strlen($0)) }
  exit(code)
}

/// Checks that allocations are counted: a counter that counts nothing would prove nothing.
func checkCounter() {
  let before = counted_allocations()
  let array = Array(repeating: counted_allocations(), count: 1_000)
  guard array.count == 1_000, counted_allocations() > before else {
    fail(70, "an allocation was not counted: the allocator is not the one of counted_malloc.c")
  }
}

func printCost(_ count: Int, _ event: Meeting.Event) throws {
  checkCounter()
  let cost = try Cost.measure(count, event)
  print(
    cost.microseconds, cost.microsecondsToSort, cost.allocations, cost.decisions, separator: "\t")
}

func printNoise(_ deviation: Double) throws {
  let count = Stability.streams
  let policies: [(String, (Int) throws -> any Policy)] = [
    ("decides anew on each estimate", { _ in Immediate(count: count) }),
    ("Jitsi: ignores 15 %", { _ in Jitsi(count: count) }),
    ("mediasoup: once a second, no larger size for 10 s", { _ in Mediasoup(count: count) }),
    ("Signal: adds by the least of 2.5 to 5 s", { _ in Signal(count: count) }),
    ("this coordinator", { _ in try Ours(count: count) }),
    ("one that knows the capacity", { Clairvoyant(count: count, capacity: $0) }),
  ]
  for (name, make) in policies {
    let it = try Stability.measure(deviation: deviation, make)
    print(name, it.togglesPerMinute, it.worst, it.use, it.overload, separator: "\t")
  }
}

let arguments = Array(CommandLine.arguments.dropFirst())
let count = arguments.count > 1 ? Int(arguments[1]).flatMap { $0 > 0 ? $0 : nil } : nil
let event = arguments.count > 2 ? Meeting.Event(rawValue: arguments[2]) : nil
switch (arguments.first, arguments.count) {
case ("cost", 3):
  guard let count, let event else { fallthrough }
  try printCost(count, event)
case ("decide", 4):
  guard let count, let event, let rounds = Int(arguments[3]) else { fallthrough }
  var meeting = try Meeting(count: count)
  for _ in 0..<rounds { try meeting.decide(about: event) }
case ("noise", 2):
  guard let deviation = Double(arguments[1]), (0...1).contains(deviation) else { fallthrough }
  try printNoise(deviation)
default:
  fail(64, "usage: cost COUNT EVENT | decide COUNT EVENT ROUNDS | noise DEVIATION")
}
