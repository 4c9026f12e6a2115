import Testing
import VideoPause

@testable import CallPresentation

@Suite struct TrackSizeTests {
  let stream = StreamID(participant: "a")
  let start = Timestamp.seconds(5)

  @Test("VR-08 A size is reported once, 10 ms after the rendering and not before")
  func aSizeIsReportedOnceAfterTheDelay() {
    var sizes = TrackSizeReporter()
    sizes.rendered(stream, bounds: ViewSize(width: 100, height: 50), scale: 1, at: start)
    let due = start.advanced(by: .milliseconds(10))
    #expect(sizes.nextReportAt == due)
    let early = sizes.reports(at: due.advanced(by: .microseconds(-1)))
    let onTime = sizes.reports(at: due)
    let later = sizes.reports(at: due.advanced(by: .seconds(60)))
    #expect(early == [])
    #expect(
      onTime == [TrackSizeReport(stream: stream, size: VideoSize(width: 100, height: 50))])
    #expect(later == [])
    #expect(sizes.nextReportAt == nil)
  }

  @Test("VR-08 The size at the end of the delay is reported")
  func theSizeAtTheEndOfTheDelayCounts() {
    var sizes = TrackSizeReporter()
    for (milliseconds, side) in [(0, 10.0), (4, 200), (9, 30)] {
      sizes.rendered(
        stream, bounds: ViewSize(width: side, height: side), scale: 1,
        at: start.advanced(by: .milliseconds(milliseconds)))
    }
    let reports = sizes.reports(at: start.advanced(by: .milliseconds(10)))
    #expect(reports.map(\.size) == [VideoSize(width: 30, height: 30)])
  }

  @Test("VR-08 After any renderings, the last size is known 10 ms later, and no report repeats")
  func theLastSizeIsAlwaysReported() {
    // Sizes change every few milliseconds, including during a delay and just as it ends.
    for gap in 1...25 {
      var sizes = TrackSizeReporter()
      var reported = [TrackSizeReporter.initialSize]
      var rendered = TrackSizeReporter.initialSize
      for millisecond in 0..<400 {
        let now = start.advanced(by: .milliseconds(millisecond))
        if millisecond % gap == 0 && millisecond < 300 {
          let side = 100 + (millisecond / gap * 7) % 3
          rendered = VideoSize(width: side, height: side)
          sizes.rendered(
            stream, bounds: ViewSize(width: Double(side), height: Double(side)), scale: 1,
            at: now)
        }
        reported += sizes.reports(at: now).map(\.size)
      }
      #expect(reported.last == rendered)
      #expect(zip(reported, reported.dropFirst()).allSatisfy { $0 != $1 })
    }
  }

  @Test(
    "VR-09 The size is in pixels: points times the scale of the screen, rounded",
    arguments: [
      (375.0, 667.0, 2.0, 750, 1334), (390, 844, 3, 1170, 2532), (100.5, 50.25, 3, 302, 151),
      (0, 0, 2, 0, 0), (0.2, 0.2, 1, 0, 0), (1920, 1080, 0.5, 960, 540),
    ])
  func sizesAreInPixels(width: Double, height: Double, scale: Double, wide: Int, high: Int) {
    var sizes = TrackSizeReporter()
    let isSize = sizes.rendered(
      stream, bounds: ViewSize(width: width, height: height), scale: scale, at: start)
    let reports = sizes.reports(at: start.advanced(by: .milliseconds(10)))
    #expect(isSize)
    #expect(reports.map(\.size) == [VideoSize(width: wide, height: high)])
  }

  @Test("VR-09 A cap on the density limits only dense screens")
  func aDensityCapLimitsOnlyDenseScreens() {
    for (scale, expected) in [(1.0, 100), (2, 200), (3, 300), (4, 300)] {
      var sizes = TrackSizeReporter(maximumDensity: 3)
      sizes.rendered(stream, bounds: ViewSize(width: 100, height: 100), scale: scale, at: start)
      let reports = sizes.reports(at: start.advanced(by: .milliseconds(10)))
      #expect(reports.map(\.size.width) == [expected])
    }
  }

  @Test(
    "VR-09 Invalid sizes change nothing",
    arguments: [
      (Double.nan, 100.0, 2.0), (100, .infinity, 2), (-1, 100, 2), (100, -1, 2), (100, 100, 0),
      (100, 100, -2), (100, 100, .nan), (1e300, 1e300, 1e300), (1e19, 1, 1),
    ])
  func invalidSizesChangeNothing(width: Double, height: Double, scale: Double) {
    var sizes = TrackSizeReporter()
    let isSize = sizes.rendered(
      stream, bounds: ViewSize(width: width, height: height), scale: scale, at: start)
    #expect(!isSize)
    #expect(sizes.nextReportAt == nil)
    #expect(sizes.trackSize(of: stream) == TrackSizeReporter.initialSize)
  }

  @Test("VR-10 A rendering that leaves the size unchanged is not reported")
  func anUnchangedSizeIsNotReported() {
    var sizes = TrackSizeReporter()
    var counts: [Int] = []
    for (second, width) in [200.0, 200, 300, 300, 200].enumerated() {
      let now = start.advanced(by: .seconds(second))
      sizes.rendered(stream, bounds: ViewSize(width: width, height: 100), scale: 1, at: now)
      counts.append(sizes.reports(at: now.advanced(by: .milliseconds(10))).count)
    }
    #expect(counts == [1, 0, 1, 0, 1])
  }

  @Test("VR-10 A size that changes back during the delay is not reported")
  func aTemporarySizeIsNotReported() {
    var sizes = TrackSizeReporter()
    sizes.rendered(stream, bounds: ViewSize(width: 7, height: 7), scale: 1, at: start)
    sizes.rendered(
      stream, bounds: ViewSize(width: 1024, height: 720), scale: 1,
      at: start.advanced(by: .milliseconds(5)))
    let reports = sizes.reports(at: start.advanced(by: .milliseconds(10)))
    #expect(reports == [])
  }

  @Test("VR-10 Each stream is reported separately, in the order of the streams")
  func eachStreamIsReportedSeparately() {
    var sizes = TrackSizeReporter()
    for (name, milliseconds) in [("c", 0), ("a", 1), ("b", 20)] {
      sizes.rendered(
        StreamID(participant: ParticipantID(name)), bounds: ViewSize(width: 9, height: 9),
        scale: 1, at: start.advanced(by: .milliseconds(milliseconds)))
    }
    let first = sizes.reports(at: start.advanced(by: .milliseconds(12)))
    let second = sizes.reports(at: start.advanced(by: .milliseconds(30)))
    #expect(first.map(\.stream.participant) == ["a", "c"])
    #expect(second.map(\.stream.participant) == ["b"])
  }

  @Test("VR-11 A track is 1024 × 720 until a report, and that size needs no report")
  func theInitialSizeNeedsNoReport() {
    var sizes = TrackSizeReporter()
    #expect(sizes.trackSize(of: stream) == VideoSize(width: 1024, height: 720))
    sizes.rendered(stream, bounds: ViewSize(width: 512, height: 360), scale: 2, at: start)
    let reports = sizes.reports(at: start.advanced(by: .milliseconds(10)))
    #expect(reports == [])
  }

  @Test("VR-11 A view that returns starts anew")
  func aViewThatReturnsStartsAnew() {
    var sizes = TrackSizeReporter()
    sizes.rendered(stream, bounds: ViewSize(width: 9, height: 9), scale: 1, at: start)
    sizes.removed(stream)
    let reports = sizes.reports(at: start.advanced(by: .milliseconds(10)))
    #expect(reports == [])
    #expect(sizes.trackSize(of: stream) == TrackSizeReporter.initialSize)
  }

  @Test("VR-12 A report changes the wanted size and nothing else")
  func aReportChangesOnlyTheWantedSize() {
    var demand = VideoDemand(
      isVisible: false, viewSize: VideoSize(width: 1, height: 1), pin: Pin(pinnedAt: start),
      priority: .low, maximumQuality: .r90p_3fps, pausePolicy: .never,
      maximumFramesPerSecond: 11)
    var expected = demand
    expected.viewSize = VideoSize(width: 640, height: 360)
    TrackSizeReport(stream: stream, size: VideoSize(width: 640, height: 360)).apply(to: &demand)
    #expect(demand == expected)
  }
}
