import RealTime
import Synchronization
import Testing

/// A counter of the signals that a half sends. Relaxed order is enough: no other memory depends on the number.
final class Signals: Sendable {
  private let sent = Atomic(0)
  var count: Int { sent.load(ordering: .relaxed) }
  func send() { sent.add(1, ordering: .relaxed) }
}

/// The ends of a stream, and wake-ups.
@Suite struct RingEndTests {
  @Test func aStreamEndsOnceTheWriterIsGoneAndAllIsRead() {
    let ring = SampleRing(capacity: 4)
    var writer = ring.writer
    var reader = ring.reader
    writer.write(0..<3)
    writer.close()
    let outcomes = (0..<4).map { _ in reader.take(upTo: 2).outcome }
    #expect(outcomes == [.samples(count: 2), .samples(count: 1), .endOfStream, .endOfStream])
  }

  /// It may continue to write.
  @Test func aWriterSeesThatTheReaderIsGone() {
    let ring = SampleRing(capacity: 2)
    var writer = ring.writer
    let reader = ring.reader
    let before = writer.isReaderGone
    discard(reader)
    let after = writer.isReaderGone
    let stored = (0..<3).map { writer.write($0..<($0 + 1)) }
    #expect(!before && after)
    #expect(stored == [true, true, false])
  }

  @Test func theHalvesOfARingAreReleasedInAnyOrder() {
    do { _ = SampleRing(capacity: 3) }
    do {
      let ring = SampleRing(capacity: 3)
      let writer = ring.writer
      discard(ring.reader)
      writer.close()
    }
  }

  /// A reader that is awake gets no signal.
  @Test func aWriteWakesASleepingReaderOnce() {
    let signals = Signals()
    let ring = SampleRing(capacity: 8, wakeReader: { signals.send() })
    var writer = ring.writer
    var reader = ring.reader
    writer.write(0..<1)
    let whileAwake = signals.count
    let sleepsOnSamples = reader.prepareToSleep()
    _ = reader.take()
    let sleepsOnNothing = reader.prepareToSleep()
    writer.write(1..<2)
    writer.write(2..<3)
    let whileAsleep = signals.count
    #expect(whileAwake == 0)
    #expect(!sleepsOnSamples && sleepsOnNothing)
    #expect(whileAsleep == 1)
  }

  @Test func aPatientReaderIsWokenForEnoughSamplesOrAtOnce() {
    let signals = Signals()
    let ring = SampleRing(capacity: 8, startPosition: .max - 2, wakeReader: { signals.send() })
    var writer = ring.writer
    var reader = ring.reader
    writer.write(0..<1)
    let sleepsOnOne = reader.prepareToSleep(for: 3)
    writer.write(1..<2)
    let afterTwo = signals.count
    writer.write(2..<4)
    let afterFour = signals.count
    let sleepsOnFour = reader.prepareToSleep(for: 3)
    _ = reader.take()
    let sleepsAgain = reader.prepareToSleep(for: 2)
    writer.write(4..<5)
    writer.wake()
    let afterUrgentOne = signals.count
    _ = reader.take()
    let sleepsAtLast = reader.prepareToSleep(for: 8)
    writer.close()
    #expect(sleepsOnOne && !sleepsOnFour && sleepsAgain && sleepsAtLast)
    #expect([afterTwo, afterFour, afterUrgentOne, signals.count] == [0, 1, 2, 3])
  }

  /// A gap in front of too few samples ends the wait no later than they do.
  @Test func aPatientReaderDoesNotSleepBeforeAGap() {
    let ring = SampleRing(capacity: 8)
    var writer = ring.writer
    var reader = ring.reader
    writer.skip(5)
    writer.write(0..<1)
    let sleeps = reader.prepareToSleep(for: 3)
    #expect(!sleeps)
  }

  @Test func theEndWakesTheReaderButALostBlockDoesNot() {
    let signals = Signals()
    let ring = SampleRing(capacity: 1, wakeReader: { signals.send() })
    var writer = ring.writer
    var reader = ring.reader
    let sleeps = reader.prepareToSleep()
    writer.write(0..<2)
    let afterLoss = signals.count
    writer.close()
    let afterEnd = signals.count
    let sleepsAtTheEnd = reader.prepareToSleep()
    #expect(sleeps && !sleepsAtTheEnd)
    #expect(afterLoss == 0)
    #expect(afterEnd == 1)
  }

  @Test func aReadWakesAWriterThatWaitsForRoom() {
    let signals = Signals()
    let ring = SampleRing(capacity: 4, wakeWriter: { signals.send() })
    var writer = ring.writer
    var reader = ring.reader
    writer.write(0..<3)
    let sleepsForOne = writer.prepareToSleep(untilRoomFor: 1)
    let sleepsForTwo = writer.prepareToSleep(untilRoomFor: 2)
    _ = reader.take(upTo: 1)
    let afterRead = signals.count
    let sleepsAgain = writer.prepareToSleep(untilRoomFor: 2)
    #expect(!sleepsForOne && sleepsForTwo && !sleepsAgain)
    #expect(afterRead == 1)
  }

  @Test func aDepartingReaderWakesTheWriter() {
    let signals = Signals()
    let ring = SampleRing(capacity: 1, wakeWriter: { signals.send() })
    var writer = ring.writer
    let reader = ring.reader
    writer.write(0..<1)
    let sleeps = writer.prepareToSleep(untilRoomFor: 1)
    discard(reader)
    let sleepsAlone = writer.prepareToSleep(untilRoomFor: 1)
    #expect(sleeps && !sleepsAlone)
    #expect(signals.count == 1)
  }

  /// The writer waits because all marks are in use.
  @Test func takingAGapMarkWakesAWaitingWriter() {
    let signals = Signals()
    let ring = SampleRing(capacity: 100, wakeWriter: { signals.send() })
    var writer = ring.writer
    var reader = ring.reader
    for sample in 0..<16 {
      writer.skip(1)
      writer.write(sample..<(sample + 1))
    }
    writer.skip(1)
    let sleeps = writer.prepareToSleep(untilRoomFor: 1)
    let outcome = reader.take().outcome
    let room = writer.room()
    #expect(sleeps)
    #expect(outcome == .gap(missing: 1))
    #expect(signals.count == 1)
    #expect(room == 84)
  }

  private func discard(_ reader: consuming SampleRing.Reader) {}
}
