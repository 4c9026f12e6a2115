import Testing
import VideoPause

@testable import CallPresentation

@Suite struct ContentModeTests {
  /// Videos and views of every shape: wide, tall, square, tiny, huge, and extremely thin.
  static let videos = [(1, 1), (1280, 720), (720, 1280), (640, 480), (100, 100), (7, 4999)].map {
    VideoSize(width: $0.0, height: $0.1)
  }
  static let views = [
    Rectangle(width: 1, height: 1), Rectangle(x: 10, y: -20, width: 100, height: 100),
    Rectangle(x: -5, y: 3, width: 390, height: 844), Rectangle(width: 844, height: 390),
    Rectangle(x: 0.25, y: 0.5, width: 33.3, height: 0.1),
  ]

  @Test(
    "IV-28 A video without area is not drawn",
    arguments: ContentMode.allCases,
    [(0, 720), (1280, 0), (-1280, 720), (0, 0)])
  func aVideoWithoutAreaIsNotDrawn(mode: ContentMode, side: (width: Int, height: Int)) {
    let video = VideoSize(width: side.width, height: side.height)
    let view = Rectangle(width: 100, height: 100)
    #expect(mode.videoRectangle(of: video, in: view) == nil)
    #expect(mode.cropRectangle(of: video, in: view) == nil)
  }

  @Test(
    "IV-28 Nothing is drawn in a view without area or with invalid numbers",
    arguments: ContentMode.allCases, [0, -1, .nan, .infinity] as [Double])
  func nothingIsDrawnInAViewWithoutArea(mode: ContentMode, side: Double) {
    let video = VideoSize(width: 1280, height: 720)
    var views = [Rectangle(width: side, height: 10), Rectangle(width: 10, height: side)]
    if !side.isFinite { views.append(Rectangle(x: side, y: 0, width: 10, height: 10)) }
    for view in views {
      #expect(mode.videoRectangle(of: video, in: view) == nil)
      #expect(mode.cropRectangle(of: video, in: view) == nil)
    }
  }

  @Test("IV-28 Rectangles match a hand calculation: 1280 × 720 in 90 × 90 points at (10, 20)")
  func rectanglesMatchAHandCalculation() {
    let video = VideoSize(width: 1280, height: 720)
    let view = Rectangle(x: 10, y: 20, width: 90, height: 90)
    // Fit: 90 wide, therefore 90 · 9/16 = 50.625 high, with bars of 19.6875 above and below.
    #expect(
      ContentMode.scaleAspectFit.videoRectangle(of: video, in: view)
        == Rectangle(x: 10, y: 39.6875, width: 90, height: 50.625))
    // Fill: 90 high, therefore 160 wide, with 35 cropped on either side.
    #expect(
      ContentMode.scaleAspectFill.videoRectangle(of: video, in: view)
        == Rectangle(x: -25, y: 20, width: 160, height: 90))
    #expect(
      ContentMode.scaleAspectFill.cropRectangle(of: video, in: view)
        == Rectangle(x: 280, y: 0, width: 720, height: 720))
    #expect(ContentMode.scaleToFill.videoRectangle(of: video, in: view) == view)
  }

  @Test("IV-28 Fit and fill keep the aspect ratio of the video", arguments: videos, views)
  func fitAndFillKeepTheAspectRatio(video: VideoSize, view: Rectangle) throws {
    for mode in [ContentMode.scaleAspectFit, .scaleAspectFill] {
      let drawn = try #require(mode.videoRectangle(of: video, in: view))
      let (a, b) = (drawn.width * Double(video.height), drawn.height * Double(video.width))
      #expect(isClose(a, b))
    }
  }

  @Test("IV-28 Fit shows the whole video and touches two opposite sides", arguments: videos, views)
  func fitShowsTheWholeVideo(video: VideoSize, view: Rectangle) throws {
    let drawn = try #require(ContentMode.scaleAspectFit.videoRectangle(of: video, in: view))
    #expect(isClose(max(drawn.width / view.width, drawn.height / view.height), 1))
    #expect(sharesCentre(drawn, view))
  }

  @Test("IV-28 Fill leaves no bars and crops in one direction only", arguments: videos, views)
  func fillLeavesNoBars(video: VideoSize, view: Rectangle) throws {
    let drawn = try #require(ContentMode.scaleAspectFill.videoRectangle(of: video, in: view))
    #expect(isClose(min(drawn.width / view.width, drawn.height / view.height), 1))
    #expect(sharesCentre(drawn, view))
  }

  @Test("IV-28 Fit and stretch crop not even a pixel", arguments: videos, views)
  func fitAndStretchCropNothing(video: VideoSize, view: Rectangle) {
    let whole = Rectangle(width: Double(video.width), height: Double(video.height))
    #expect(ContentMode.scaleAspectFit.cropRectangle(of: video, in: view) == whole)
    #expect(ContentMode.scaleToFill.cropRectangle(of: video, in: view) == whole)
  }

  @Test("IV-28 The pixels that are not cropped cover the view exactly", arguments: videos, views)
  func theUncroppedPixelsCoverTheView(video: VideoSize, view: Rectangle) throws {
    let drawn = try #require(ContentMode.scaleAspectFill.videoRectangle(of: video, in: view))
    let crop = try #require(ContentMode.scaleAspectFill.cropRectangle(of: video, in: view))
    let pointsPerPixel = drawn.width / Double(video.width)
    #expect(isClose(crop.width * pointsPerPixel, view.width))
    #expect(isClose(crop.height * pointsPerPixel, view.height))
    let size = max(drawn.width, drawn.height)
    #expect(abs(drawn.x + crop.x * pointsPerPixel - view.x) < 1e-9 * size)
    #expect(abs(drawn.y + crop.y * pointsPerPixel - view.y) < 1e-9 * size)
  }

  @Test("IV-28 A mode that video does not support stretches the picture")
  func unsupportedModesStretch() {
    for name in ["center", "redraw", "topLeft", "", "ScaleAspectFit"] {
      #expect(ContentMode(named: name) == .scaleToFill)
    }
    #expect(ContentMode(named: "scaleAspectFit") == .scaleAspectFit)
    #expect(ContentMode(named: "scaleAspectFill") == .scaleAspectFill)
    #expect(ContentMode(named: "scaleToFill") == .scaleToFill)
  }

  @Test("IV-28 A double tap toggles between fit and fill, and changes stretch to fit")
  func aDoubleTapTogglesBetweenFitAndFill() {
    #expect(ContentMode.scaleAspectFit.toggled == .scaleAspectFill)
    #expect(ContentMode.scaleAspectFill.toggled == .scaleAspectFit)
    #expect(ContentMode.scaleToFill.toggled == .scaleAspectFit)
  }

  @Test("IV-29 A container with the fitted video's rectangle has neither bars nor cropping")
  func aContainerOfTheFittedSizeNeedsNoBars() throws {
    let view = Rectangle(x: 7, y: 9, width: 300, height: 200)
    for stream in [(320, 180), (1280, 720), (640, 480)].map(stream) {
      let container = try #require(
        ContentMode.scaleAspectFit.videoRectangle(of: stream.resolution, in: view))
      for mode in ContentMode.allCases {
        let drawn = try #require(mode.videoRectangle(of: stream.resolution, in: container))
        #expect(isClose(drawn.width, container.width) && isClose(drawn.height, container.height))
        let crop = try #require(mode.cropRectangle(of: stream.resolution, in: container))
        #expect(isClose(crop.width, Double(stream.resolution.width)))
      }
    }
  }

  @Test("VR-15 A grid fills its tiles; a custom layout fits")
  func gridsFillAndCustomLayoutsFit() {
    #expect(ContentMode.gridDefault == .scaleAspectFill)
    #expect(ContentMode.customLayoutDefault == .scaleAspectFit)
  }

  private func stream(width: Int, height: Int) -> VideoStream {
    VideoStream(
      id: StreamID(participant: "p"), resolution: VideoSize(width: width, height: height))
  }

  private func isClose(_ a: Double, _ b: Double) -> Bool { abs(a - b) <= 1e-9 * max(a, b) }

  private func sharesCentre(_ a: Rectangle, _ b: Rectangle) -> Bool {
    let size = max(a.width, a.height, b.width, b.height)
    return abs(a.x + a.width / 2 - b.x - b.width / 2) < 1e-9 * size
      && abs(a.y + a.height / 2 - b.y - b.height / 2) < 1e-9 * size
  }
}
