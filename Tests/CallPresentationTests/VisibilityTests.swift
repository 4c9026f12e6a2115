import Testing
import VideoPause

@testable import CallPresentation

@Suite struct VisibilityTests {
  static let viewport = Rectangle(width: 100, height: 100)

  @Test("VR-03 A view without area is not visible anywhere")
  func aViewWithoutAreaIsNotVisible() {
    let rule = VisibilityRule(threshold: 0)
    for side in [0, -10, .nan] as [Double] {
      #expect(
        !rule.isVisible(Rectangle(x: 5, y: 5, width: side, height: 10), in: Self.viewport))
      #expect(
        !rule.isVisible(Rectangle(x: 5, y: 5, width: 10, height: side), in: Self.viewport))
      let view = Rectangle(x: 5, y: 5, width: 10, height: 10)
      #expect(!rule.isVisible(view, in: Rectangle(width: side, height: 100)))
      #expect(!rule.isVisible(view, in: Rectangle(width: 100, height: side)))
    }
  }

  @Test(
    "VR-03 A view at an invalid position is not visible, nor is one in such a viewport",
    arguments: [.nan, .infinity, -.infinity] as [Double])
  func aViewAtAnInvalidPositionIsNotVisible(place: Double) {
    let rule = VisibilityRule(threshold: 0)
    let view = Rectangle(x: 5, y: 5, width: 10, height: 10)
    for lost in [
      Rectangle(x: place, y: 5, width: 10, height: 10),
      Rectangle(x: 5, y: place, width: 10, height: 10),
    ] {
      #expect(!rule.isVisible(lost, in: Self.viewport))
      #expect(!rule.isVisible(view, in: lost))
    }
  }

  @Test("VR-03 A share equal to the threshold is sufficient, a slightly smaller one is not")
  func theThresholdIsInclusive() {
    let rule = VisibilityRule(threshold: 0.25)
    #expect(rule.isVisible(Rectangle(x: -30, y: 0, width: 40, height: 40), in: Self.viewport))
    #expect(
      !rule.isVisible(Rectangle(x: -30.01, y: 0, width: 40, height: 40), in: Self.viewport))
    #expect(rule.isVisible(Rectangle(x: 0, y: 90, width: 40, height: 40), in: Self.viewport))
    #expect(
      !rule.isVisible(Rectangle(x: 0, y: 90.01, width: 40, height: 40), in: Self.viewport))
  }

  @Test("VR-03 A view that only touches the viewport is not visible, even without a threshold")
  func aViewThatOnlyTouchesIsNotVisible() {
    let rule = VisibilityRule(threshold: 0)
    #expect(!rule.isVisible(Rectangle(x: 100, y: 0, width: 40, height: 40), in: Self.viewport))
    #expect(!rule.isVisible(Rectangle(x: -40, y: 0, width: 40, height: 40), in: Self.viewport))
    #expect(rule.isVisible(Rectangle(x: 99.9, y: 0, width: 40, height: 40), in: Self.viewport))
  }

  @Test("VR-03 A view larger than the viewport is visible: the user sees nothing else")
  func aViewLargerThanTheViewportIsVisible() {
    for threshold in [0.3, 1] {
      let rule = VisibilityRule(threshold: threshold)
      #expect(
        rule.isVisible(Rectangle(x: -50, y: -50, width: 200, height: 200), in: Self.viewport))
      #expect(
        rule.isVisible(Rectangle(x: -5000, y: 0, width: 9000, height: 100), in: Self.viewport))
    }
  }

  // Positions and results of the cases in the tests of Stream's client SDK, for both directions.
  @Test(
    "VR-03 The cases of Stream's client give the same results",
    arguments: [
      (0.5, Rectangle(x: 10, y: 10, width: 80, height: 80), true),
      (0.5, Rectangle(x: -10, y: -10, width: 60, height: 60), true),
      (0.5, Rectangle(x: -110, y: -110, width: 60, height: 60), false),
      (0.5, Rectangle(x: 10, y: 10, width: 40, height: 40), true),
      (0.8, Rectangle(x: -35, y: -35, width: 40, height: 40), false),
      (0.5, Rectangle(x: -10, y: 0, width: 60, height: 100), true),
      (0.5, Rectangle(x: 0, y: 110, width: 100, height: 60), false),
      (0.5, Rectangle(x: 110, y: 0, width: 60, height: 100), false),
    ])
  func casesMatchStreamsClient(threshold: Double, view: Rectangle, expected: Bool) {
    #expect(VisibilityRule(threshold: threshold).isVisible(view, in: Self.viewport) == expected)
  }

  @Test("VR-03 The rule matches a count of the visible columns and rows")
  func theRuleMatchesCountedPixels() {
    // Every position of small views on a viewport of 8 × 6 pixels, counted pixel by pixel.
    let viewport = Rectangle(x: 2, y: 1, width: 8, height: 6)
    let rule = VisibilityRule(threshold: 0.5)
    for (width, height) in [(1, 1), (3, 2), (8, 6), (20, 3), (5, 15)] {
      for x in -22...12 {
        for y in -16...9 {
          let columns = (x..<x + width).filter { (2..<10).contains($0) }.count
          let rows = (y..<y + height).filter { (1..<7).contains($0) }.count
          let isSeen =
            columns > 0 && rows > 0 && 2 * columns >= min(width, 8) && 2 * rows >= min(height, 6)
          let view = Rectangle(
            x: Double(x), y: Double(y), width: Double(width), height: Double(height))
          #expect(rule.isVisible(view, in: viewport) == isSeen)
        }
      }
    }
  }

  @Test("VR-03 A threshold outside 0 … 1 is clamped; the default is 0.3")
  func thresholdsAreClamped() {
    #expect(VisibilityRule().threshold == 0.3)
    #expect(VisibilityRule(threshold: -1).threshold == 0)
    #expect(VisibilityRule(threshold: 2).threshold == 1)
    #expect(VisibilityRule(threshold: .nan).threshold == 0)
  }
}

@Suite struct VisibilityTrackerTests {
  static let viewport = Rectangle(width: 100, height: 100)
  static let inside = Rectangle(x: 10, y: 10, width: 50, height: 50)
  static let outside = Rectangle(x: 300, y: 10, width: 50, height: 50)
  let stream = StreamID(participant: "a")

  @Test("VR-03 Hidden views are not wanted, visible ones are again, and nothing else changes")
  func visibilityChangesOnlyWhetherAViewIsWanted() {
    var tracker = VisibilityTracker()
    let before = VideoDemand(
      viewSize: VideoSize(width: 1, height: 2), pin: Pin(pinnedAt: .zero), priority: .high,
      maximumQuality: .r360p_15fps, pausePolicy: .lastResort, maximumFramesPerSecond: 24)
    var demand = before

    let away = tracker.moved(stream, to: Self.outside, in: Self.viewport)
    away?.apply(to: &demand)
    var hidden = before
    hidden.isVisible = false
    #expect(demand == hidden)

    let back = tracker.moved(stream, to: Self.inside, in: Self.viewport)
    back?.apply(to: &demand)
    #expect(demand == before)

    let closed = tracker.disappeared(stream)
    closed?.apply(to: &demand)
    #expect(demand == hidden)
  }

  @Test("VR-03 A view that was never shown is not visible, and its first layout is reported")
  func aViewThatWasNeverShownIsNotVisible() {
    var tracker = VisibilityTracker()
    #expect(!tracker.isVisible(stream))
    let change = tracker.moved(stream, to: Self.outside, in: Self.viewport)
    #expect(change == VisibilityChange(stream: stream, isVisible: false))
    tracker.removed(stream)
    let again = tracker.moved(stream, to: Self.outside, in: Self.viewport)
    #expect(again == change)
  }

  @Test("VR-03 Scrolling reports only changes")
  func scrollingReportsOnlyChanges() {
    var tracker = VisibilityTracker()
    var told: [Bool] = []
    // Moves from far right to far left: hidden, visible, hidden.
    for x in stride(from: 200.0, through: -200, by: -1) {
      let view = Rectangle(x: x, y: 0, width: 50, height: 50)
      if let change = tracker.moved(stream, to: view, in: Self.viewport) {
        told.append(change.isVisible)
      }
    }
    #expect(told == [false, true, false])
  }

  @Test("VR-03 A tile that a placeholder replaces while its video is paused stays wanted")
  func aTileReplacedWhilePausedStaysWanted() {
    var tracker = VisibilityTracker()
    _ = tracker.moved(stream, to: Self.inside, in: Self.viewport)
    let replaced = tracker.disappeared(stream, because: .replacedWhilePaused)
    #expect(replaced == nil)
    #expect(tracker.isVisible(stream))
    // When the placeholder is scrolled away, the stream is hidden; when it returns, the stream is wanted again.
    let away = tracker.moved(stream, to: Self.outside, in: Self.viewport)
    let back = tracker.moved(stream, to: Self.inside, in: Self.viewport)
    #expect(away?.isVisible == false)
    #expect(back?.isVisible == true)
  }

  @Test("VR-03 A placeholder does not make a hidden tile visible")
  func aPlaceholderDoesNotMakeAHiddenTileVisible() {
    var tracker = VisibilityTracker()
    let replaced = tracker.disappeared(stream, because: .replacedWhilePaused)
    #expect(replaced == nil)
    #expect(!tracker.isVisible(stream))
  }

  @Test("VR-17 Any number of views come and go in any order, independently", arguments: 0..<20)
  func viewsComeAndGoIndependently(rotation: Int) {
    // Every stream gets the same five events, interleaved differently each time. The last event decides.
    var tracker = VisibilityTracker()
    let streams = (0..<20).map { StreamID(participant: ParticipantID("p\($0)")) }
    var last: [StreamID: Bool] = [:]
    var told: [StreamID: Bool] = [:]
    for step in 0..<100 {
      let stream = streams[(step * 7 + rotation) % streams.count]
      let event = (step + rotation) % 3
      let change =
        event == 0
        ? tracker.disappeared(stream)
        : tracker.moved(
          stream, to: event == 1 ? Self.inside : Self.outside, in: Self.viewport)
      last[stream] = event == 1
      if let change {
        #expect(change.stream == stream)
        #expect(told[stream] != change.isVisible)
        told[stream] = change.isVisible
      }
    }
    #expect(told == last)
    #expect(streams.allSatisfy { tracker.isVisible($0) == last[$0] })
  }
}
