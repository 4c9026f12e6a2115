import RealTime
import TestSupport
import Testing

@Suite struct WakeupTests {
  @Test func eachSignalEndsOneWaitAlsoOneThatComesLater() async {
    let wake = Wakeup()
    wake.signal()
    wake.wait()
    await whileBlocked(in: { wake.wait() }, act: { wake.signal() })
  }

  @Test func aWaitWithoutASignalLastsToItsDeadline() {
    let wake = Wakeup()
    let deadline = monotonicTime() + 20_000_000
    wake.wait(until: deadline)
    #expect(monotonicTime() >= deadline)
    wake.wait(until: deadline)
    wake.wait(atMost: .zero)
  }

  @Test func limitsOfAnyLengthGiveATime() {
    #expect(monotonicTime(after: .seconds(Int64.max)) > monotonicTime())
    #expect(monotonicTime(after: .seconds(Int64.min)) < monotonicTime())
  }

  @Test func aReaderSleepsUntilThereIsEnough() async {
    let wake = Wakeup()
    let ring = SampleRing(capacity: 8, wakeReader: { wake.signal() })
    let (writer, reader) = (Parcel(ring.writer), Parcel(ring.reader))
    let count = await whileBlocked(
      in: {
        var reader = reader.open()
        while reader.waiting() < 3 { _ = reader.sleep(for: 3, on: wake) }
        return reader.waiting()
      },
      act: {
        var writer = writer.open()
        writer.write(0..<2)
        writer.write(2..<4)
      })
    #expect(count == 4)
  }

  @Test func aReaderDoesNotSleepBeyondItsDeadline() {
    let wake = Wakeup()
    let ring = SampleRing(capacity: 8, wakeReader: { wake.signal() })
    var writer = ring.writer
    var reader = ring.reader
    writer.write(0..<2)
    let hasThree = reader.sleep(for: 3, on: wake, until: monotonicTime())
    let hasTwo = reader.sleep(for: 2, on: wake, until: monotonicTime())
    #expect(!hasThree && hasTwo)
    writer.close()
  }
}
