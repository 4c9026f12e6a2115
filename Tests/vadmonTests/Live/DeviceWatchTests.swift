import Testing

@testable import ALSAInput
@testable import vadmon

/// The reports on a device.
@Suite struct DeviceWatchTests {
  /// Returns the reports on a sequence of statuses, of a device whose sound is analysed at once.
  private func told(
    _ statuses: (CaptureStatus.State, [CaptureFault: UInt64])...
  ) -> [DeviceChange?] {
    var watch = DeviceWatch()
    return statuses.map { state, counts in
      watch.look(
        CaptureStatus(
          state: state, capturedFrames: 0, lostFrames: 0, counts: counts, lastFault: nil,
          isRealTime: false), analysed: 0)
    }
  }

  private func back(after faults: CaptureFault...) -> DeviceChange {
    let sentences = faults.isEmpty ? ["the device is back"] : faults.map(\.description)
    return DeviceChange(state: .capturing, sentence: sentences.joined(separator: "; "))
  }

  @Test func nothingIsReportedWhileAllIsWell() {
    #expect(told((.capturing, [:]), (.capturing, [:])) == [nil, nil])
  }

  @Test func aDeviceThatGoesAndReturnsIsReported() {
    let gone = DeviceChange(
      state: .waitingForDevice,
      sentence: "the device is gone or has failed; it is opened again as soon as it works")
    #expect(
      told(
        (.waitingForDevice, [.gone: 1]), (.waitingForDevice, [.gone: 1]),
        (.capturing, [.gone: 1]), (.capturing, [.gone: 1]))
        == [gone, nil, back(after: .gone), nil])
  }

  @Test func whatPassedBetweenTwoLooksIsReportedAfterwards() {
    #expect(
      told(
        (.capturing, [.overrun: 3]), (.capturing, [.overrun: 3]),
        (.capturing, [.overrun: 4, .suspended: 1]))
        == [back(after: .overrun), nil, back(after: .overrun, .suspended)])
  }

  @Test func aLastingFaultIsReportedWhenItBeginsAndEnds() {
    let changes = told(
      (.recovering, [.stopped: 1]), (.recovering, [.stopped: 1]), (.capturing, [.stopped: 1]))
    #expect(changes[0]?.state == .recovering)
    #expect(changes[1...] == [nil, back(after: .stopped)])
  }

  @Test func aDeviceThatIsBackWithoutAFaultIsReported() {
    #expect(told((.recovering, [:]), (.capturing, [:]))[1] == back())
  }

  @Test func aDeviceThatWasWaitedForIsReported() {
    var watch = DeviceWatch(isWaiting: true)
    let status = CaptureStatus(
      state: .capturing, capturedFrames: 0, lostFrames: 0, counts: [:], lastFault: nil,
      isRealTime: false)
    let change = DeviceChange(state: .capturing, sentence: "the device is there")
    #expect(
      [watch.look(status, analysed: 0), watch.look(status, analysed: 0)] == [change, nil])
  }

  /// The capture loses sound behind what waits in the ring: the analysis is not there yet.
  @Test func whatASlowAnalysisLosesIsReportedBehindItsGap() {
    var watch = DeviceWatch()
    func look(_ losses: UInt64, _ captured: UInt64, analysed: UInt64) -> DeviceChange? {
      watch.look(
        CaptureStatus(
          state: .capturing, capturedFrames: captured, lostFrames: 3000,
          counts: losses == 0 ? [:] : [.slowReader: losses], lastFault: nil, isRealTime: false),
        analysed: analysed)
    }
    #expect(look(0, 1000, analysed: 0) == nil)
    #expect(look(1, 2000, analysed: 0) == nil)
    #expect(look(1, 9000, analysed: 4999) == nil)
    #expect(look(1, 9000, analysed: 5000) == back(after: .slowReader))
    #expect(look(1, 9500, analysed: 6000) == nil)
    #expect(look(2, 9800, analysed: 12_800) == back(after: .slowReader))
  }

  @Test func anotherFaultDoesNotWaitForASlowAnalysis() {
    var watch = DeviceWatch()
    let status = CaptureStatus(
      state: .capturing, capturedFrames: 2000, lostFrames: 0,
      counts: [.slowReader: 1, .overrun: 1], lastFault: nil, isRealTime: false)
    #expect(watch.look(status, analysed: 0) == back(after: .overrun))
    #expect(watch.look(status, analysed: 2000) == back(after: .slowReader))
  }

  @Test func theEndIsNotReported() { #expect(told((.ended, [.gone: 1])) == [nil]) }

  @Test func theWatchKnowsWhetherTheDeviceIsThere() {
    var watch = DeviceWatch()
    #expect(watch.isCapturing)
    _ = watch.look(
      CaptureStatus(
        state: .waitingForDevice, capturedFrames: 0, lostFrames: 0, counts: [:], lastFault: nil,
        isRealTime: false), analysed: 0)
    #expect(!watch.isCapturing)
  }
}
