import ALSAInput
import Foundation
import RealTime
import TestSupport
import Testing
import VirtualDevice
import VirtualDeviceSupport

/// Opening, ending and stopping sources.
@Suite struct SourceTests {
  // MARK: Devices that cannot be opened

  @Test(arguments: [("EBUSY", "another program is using it"), ("EACCES", "join the group audio")])
  func aRefusedDeviceIsReported(_ error: String, remedy: String) throws {
    let device = try TestDevice("refuse \(error)\n")
    let thrown = try #require(throws: CaptureError.self) { try device.source() }
    let expected: CaptureError =
      error == "EBUSY" ? .busy(name: device.name) : .notPermitted(name: device.name)
    #expect(thrown == expected)
    #expect("\(thrown)".contains(remedy) && "\(thrown)".contains(device.name))
    #expect(device.state.opens == 0 && device.state.refusals == 1)
  }

  @Test(arguments: ["ENODEV", "ENOENT"]) func anAbsentDeviceIsReported(_ error: String) throws {
    let device = try TestDevice("refuse \(error)\n")
    #expect(throws: CaptureError.noSuchDevice(name: device.name)) { try device.source() }
  }

  @Test func anUnknownNameIsReported() throws {
    _ = try TestDevice("")
    let error = try #require(throws: CaptureError.self) { try ALSASource("nonsense") }
    #expect(error == .noSuchDevice(name: "nonsense"))
    expectMessage("\(error)", "nonsense", "arecord -L")
  }

  /// The name may have what a shell would interpret.
  @Test func aCommandInAMessageCanBePasted() {
    let name = "plug:'x"
    let error = CaptureError.failed(name: name, reason: "why")
    #expect("\(error)".hasSuffix(#"arecord -D 'plug:'\''x' -f cd /dev/null"#))
    #expect("\(CaptureError.failed(name: "hw:1,0", reason: "why"))".contains("-D hw:1,0 -f"))
  }

  @Test func aDeviceThatIsFreeAgainCanBeOpened() throws {
    let device = try TestDevice("refuse EBUSY 1\nat 1000 end\n")
    #expect(throws: CaptureError.busy(name: device.name)) { try device.source() }
    #expect(try Recording(try device.source(), until: 1000).captured == 1000)
  }

  @Test func refusedParametersAreReported() throws {
    let device = try TestDevice("refuse-parameters EIO\n")
    let error = try #require(throws: CaptureError.self) { try device.source() }
    guard case .unsuitable(device.name, let reason) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(reason.contains("Input/output error"))
    #expect(device.state.opens == 1 && device.state.closes == 1)
  }

  @Test(arguments: [
    ("format U8", "samples of the format"), ("rate 4000", "no rate from 8000 to 192000 Hz"),
  ])
  func anUnsuitableDeviceIsReported(_ line: String, reason: String) throws {
    let device = try TestDevice(line + "\n")
    let error = try #require(throws: CaptureError.self) { try device.source() }
    #expect("\(error)".contains(reason))
    #expect(device.state.closes == 1)
  }

  @Test func aMissingChannelIsReported() throws {
    let device = try TestDevice("channels 2\n")
    let error = CaptureError.noSuchChannel(name: device.name, 3, channelCount: 2)
    #expect(throws: error) { try device.source { $0.channels = .channel(3) } }
    #expect(device.state.closes == 1)
  }

  // MARK: Devices that disappear

  /// What was missed until the stop is reported although no frame follows it: at least what the test's own clock
  /// measures.
  @Test func aStopReportsWhatADeviceThatIsGoneMissed() throws {
    let device = try TestDevice("at 3037 gone 0\n")
    let source = try device.source()
    var recording = try Recording(source, until: 3037)
    try blockUntil("the source waits") { source.status.state == .waitingForDevice }
    let gone = ContinuousClock.now
    usleep(300_000)
    let seconds = (ContinuousClock.now - gone) / .seconds(1)
    source.stop()
    recording = try Recording(source, until: .max)
    #expect(recording.captured == 0 && recording.gaps.count == 1)
    #expect(Double(recording.lost) >= seconds * 16_000)
    #expect(recording.lost == source.status.lostFrames)
  }

  /// Whatever is behind a plugin may be another device when it is opened again. One that only stumbles is the same.
  @Test(arguments: [
    ("at 3000 gone 8000", 1), ("at 3000 overrun 800", 0), ("at 3000 suspend 800", 0),
  ])
  func aDeviceThatIsOpenedAgainMayBeAnother(fault: String, count: Int) throws {
    let device = try TestDevice(fault + "\n")
    let source = try device.source()
    var block = PCMBlock(channelCount: 1)
    var (position, others) = (UInt64(0), [UInt64]())
    while position < 16_000, try source.read(into: &block) {
      if block.isOtherDevice { others.append(position) }
      position += block.missingFrames + UInt64(block.frameCount)
    }
    #expect(others == Array(repeating: 3000, count: count))
  }

  @Test func aSourceThatDoesNotWaitEndsWithItsDevice() throws {
    let device = try TestDevice("at 3037 gone 0\n")
    let source = try device.source { $0.waitsForDevice = false }
    #expect(throws: CaptureError.gone(name: device.name)) {
      try Recording(source, until: .max)
    }
    #expect(source.status.state == .ended)
    #expect(source.status.capturedFrames == 3037 && source.status.lostFrames == 0)
    // The error is thrown once; then the source has ended like any other.
    var block = PCMBlock(channelCount: 1)
    #expect(try !source.read(into: &block))
  }

  @Test func framesInTheBufferOfADeviceThatIsGoneCountAsLost() throws {
    let device = try TestDevice("at 7037 gone 0 abrupt\n")
    let source = try device.source {
      $0.waitsForDevice = false
      $0.period = .milliseconds(250)
    }
    #expect(throws: CaptureError.gone(name: device.name)) {
      try Recording(source, until: .max)
    }
    let status = source.status
    #expect(status.capturedFrames + status.lostFrames == 7037)
    #expect(device.state.made == 7037)
  }

  @Test func aSourceWaitsForItsDeviceUntilItIsStopped() throws {
    let device = try TestDevice("at 1000 gone 0\n")
    let source = try device.source()
    #expect(try Recording(source, until: 1000).captured == 1000)
    try blockUntil("the source waits") { source.status.state == .waitingForDevice }
    try blockUntil("two refusals") { device.state.refusals >= 2 }
    #expect(source.status.lastFault == .gone)
    var block = PCMBlock(channelCount: 1)
    #expect(try source.read(into: &block))
    #expect(block.isInterrupted && block.frameCount == 0 && block.missingFrames == 0)
    source.stop()
    #expect(try source.read(into: &block))
    #expect(!block.isInterrupted && block.frameCount == 0 && block.missingFrames > 0)
    #expect(try !source.read(into: &block))
  }

  // MARK: Stopping

  /// A silent device does not prevent a stop.
  @Test func stopEndsAWait() async throws {
    let device = try TestDevice("at 100 end\n")
    let source = try device.source()
    await whileBlocked {
      var block = PCMBlock(channelCount: 1)
      while (try? source.read(into: &block)) == true {}
    } act: {
      source.stop()
    }
    try await waitUntil("the end") { source.status.state == .ended }
    // The device is free although the source still exists.
    #expect(device.state.opens == device.state.closes)
  }

  @Test(arguments: ["", "at 300 end", "at 300 gone 0", "at 300 stall 900000", "at 300 sleep 4000"])
  func aDroppedSourceClosesItsDevice(_ line: String) throws {
    let device = try TestDevice(line + "\n")
    var source: ALSASource? = try device.source()
    #expect(try Recording(source!, until: 100).wrong == [])
    weak let gone = source
    source = nil
    #expect(gone == nil)
    try waitForClose(of: device)
  }

  /// Waits for the device to be closed. A thread that is kept from running closes its device later.
  private func waitForClose(of device: TestDevice) throws {
    try blockUntil("the device is closed") { device.state.opens == device.state.closes }
  }

  /// While libasound does not return, the source ends all the same and reports how much is missing. The device is
  /// closed when libasound returns, and can then be opened again.
  @Test func aStopEndsASourceWhileLibasoundHangs() throws {
    let hang: UInt64 = 80_000  // 5 s
    let device = try TestDevice("at 3000 sleep \(hang)\n")
    var source: ALSASource? = try device.source()
    var recording = try Recording(source!, until: 2000)
    try blockUntil("libasound hangs") { device.state.next_fault > 0 }
    source!.stop()
    recording = try Recording(source!, until: .max)
    #expect(recording.hasEnded && recording.gaps.count <= 1)
    var block = PCMBlock(channelCount: 1)
    #expect(try !source!.read(into: &block))
    weak let gone = source
    source = nil
    #expect(gone == nil)
    #expect(device.state.closes == 0, "the thread still hangs")
    try waitForClose(of: device)
    #expect(try Recording(device.source(), until: 100).captured >= 100)
  }

  /// A stop ends the wait for a period through the wake event, without waiting for the period to end.
  @Test func stopDoesNotWaitForAPeriod() throws {
    let device = try TestDevice("")
    do {
      let source = try device.source {
        $0.period = .seconds(20)
        $0.buffer = .seconds(60)
      }
      #expect(source.periodFrames == 320_000)
    }
    #expect(device.state.closes == 1)
    #expect(device.state.made < 320_000)
  }

  /// What the device handed over before the stop is read, however long this thread waited for its turn.
  @Test func aStopAtOnceKeepsWhatTheDeviceDelivered() throws {
    for _ in 0..<20 {
      let device = try TestDevice("")
      let source = try device.source()
      source.stop()
      var block = PCMBlock(channelCount: 1)
      var captured = 0
      while try source.read(into: &block) { captured += block.frameCount }
      #expect(captured == Int(device.state.position))
    }
  }

  @Test func eightSourcesCaptureAtATime() throws {
    // A second between the fault and the end leaves a busy machine time for the recovery.
    let devices = try (0..<8).map { _ in try TestDevice("at 2000 overrun 70\nat 18070 end\n") }
    let sources = try devices.map { try $0.source() }
    for source in sources {
      let recording = try Recording(source, until: 18_070)
      #expect(recording.wrong == [])
      #expect(recording.gaps == [Gap(position: 2000, length: 70)])
    }
  }
}
