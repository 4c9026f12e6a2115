/// A view has a new size.
public struct TrackSizeReport: Hashable, Sendable {
  /// Whose size it is.
  public var stream: StreamID
  /// Pixels.
  public var size: VideoSize

  /// A report.
  public init(stream: StreamID, size: VideoSize) {
    self.stream = stream
    self.size = size
  }

  /// Limits what is wanted of the stream to what the view can show. Changes nothing else.
  public func apply(to demand: inout VideoDemand) { demand.viewSize = size }
}

/// Turns the layout of views into the few reports that a server needs: in pixels, once the layout has settled, and
/// only when something changed.
///
/// A value without a clock: ask for ``reports(at:)`` at ``nextReportAt``. For one thread at a time.
public struct TrackSizeReporter: Sendable {
  /// What a track's size is taken to be until its view is laid out.
  public static let initialSize = VideoSize(width: 1024, height: 720)

  /// From a rendering to its report. A view that is rendered for the first time has its size only when the layout
  /// pass is over, hence the 10 ms.
  public let delay: Duration
  /// Most pixels per point that are asked for; `nil`: as many as there are. LiveKit's Swift SDK asks for 3 at most.
  public let maximumDensity: Double?
  private var renderers: [StreamID: Renderer] = [:]

  private struct Renderer {
    var reported = TrackSizeReporter.initialSize
    var laidOut = TrackSizeReporter.initialSize
    /// When to look again; `nil` while nothing was rendered since the last look.
    var dueAt: Timestamp?
  }

  /// With how long a size must stay before it is told, and the most pixels per point, if any.
  public init(delay: Duration = .milliseconds(10), maximumDensity: Double? = nil) {
    self.delay = delay
    self.maximumDensity = maximumDensity
  }

  /// The view of a stream was rendered.
  ///
  /// - Parameters:
  ///   - bounds: of the view, in points.
  ///   - scale: pixels per point of its screen.
  /// - Returns: whether the numbers make a size. NaN, infinite or negative ones change nothing.
  @discardableResult
  public mutating func rendered(
    _ stream: StreamID, bounds: ViewSize, scale: Double, at now: Timestamp
  ) -> Bool {
    guard let size = pixels(of: bounds, scale: scale) else { return false }
    var renderer = renderers[stream] ?? Renderer()
    renderer.laidOut = size
    // A rendering during the delay is seen at its end; a later one starts the next delay.
    renderer.dueAt = renderer.dueAt ?? now.advanced(by: delay)
    renderers[stream] = renderer
    return true
  }

  /// The view is gone; so is what was waiting for it. The next one starts anew.
  public mutating func removed(_ stream: StreamID) { renderers[stream] = nil }

  /// The changes whose delay is over, in the order of the streams.
  public mutating func reports(at now: Timestamp) -> [TrackSizeReport] {
    let due = renderers.filter { $0.value.dueAt.map { $0 <= now } ?? false }.keys.sorted()
    return due.compactMap { report($0) }
  }

  /// When ``reports(at:)`` is worth the next call; `nil`: not before another rendering.
  public var nextReportAt: Timestamp? { renderers.values.compactMap(\.dueAt).min() }

  /// What was reported last, in pixels.
  public func trackSize(of stream: StreamID) -> VideoSize {
    renderers[stream]?.reported ?? Self.initialSize
  }

  private mutating func report(_ stream: StreamID) -> TrackSizeReport? {
    guard var renderer = renderers[stream] else { return nil }
    let isChanged = renderer.laidOut != renderer.reported
    renderer.reported = renderer.laidOut
    renderer.dueAt = nil
    renderers[stream] = renderer
    return isChanged ? TrackSizeReport(stream: stream, size: renderer.reported) : nil
  }

  private func pixels(of bounds: ViewSize, scale: Double) -> VideoSize? {
    let density = maximumDensity.map { min(scale, $0) } ?? scale
    guard density > 0, bounds.width >= 0, bounds.height >= 0 else { return nil }
    guard
      let width = Int(exactly: (bounds.width * density).rounded()),
      let height = Int(exactly: (bounds.height * density).rounded())
    else { return nil }
    return VideoSize(width: width, height: height)
  }
}
