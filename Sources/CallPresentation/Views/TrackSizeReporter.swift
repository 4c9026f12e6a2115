public import VideoPause

/// The new size of a view.
public struct TrackSizeReport: Hashable, Sendable {
  /// The stream that the view shows.
  public var stream: StreamID
  /// The size in pixels.
  public var size: VideoSize

  /// Creates a report.
  public init(stream: StreamID, size: VideoSize) {
    self.stream = stream
    self.size = size
  }

  /// Limits the demand to what the view can show. Nothing else changes.
  public func apply(to demand: inout VideoDemand) { demand.viewSize = size }
}

/// Reduces the layout of views to the few reports that a server needs: in pixels, after the layout has settled, and
/// only on a change.
///
/// This is a value without a clock: call ``reports(at:)`` at ``nextReportAt``. Only one thread at a time may use it.
public struct TrackSizeReporter: Sendable {
  /// The size assumed for a track until its view is laid out.
  public static let initialSize = VideoSize(width: 1024, height: 720)

  /// The time from a rendering to its report. A view that is rendered for the first time has its size only after the
  /// layout pass, hence the default of 10 ms.
  public let delay: Duration
  /// The most pixels per point to request; nil for no limit. LiveKit's Swift SDK requests at most 3.
  public let maximumDensity: Double?
  private var renderers: [StreamID: Renderer] = [:]

  private struct Renderer {
    var reported = TrackSizeReporter.initialSize
    var laidOut = TrackSizeReporter.initialSize
    /// When to look again; nil while nothing was rendered since the last look.
    var dueAt: Timestamp?
  }

  /// Creates a reporter with the delay of a report and the most pixels per point, if limited.
  public init(delay: Duration = .milliseconds(10), maximumDensity: Double? = nil) {
    self.delay = delay
    self.maximumDensity = maximumDensity
  }

  /// Reports that the view of a stream was rendered.
  ///
  /// - Parameters:
  ///   - bounds: the size of the view, in points.
  ///   - scale: pixels per point of its screen.
  /// - Returns: whether the numbers give a size. NaN, infinite or negative numbers change nothing.
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

  /// Removes a view with its pending report. The stream's next view starts afresh.
  public mutating func removed(_ stream: StreamID) { renderers[stream] = nil }

  /// Returns the changes whose delay is over, ordered by stream.
  public mutating func reports(at now: Timestamp) -> [TrackSizeReport] {
    let due = renderers.filter { $0.value.dueAt.map { $0 <= now } ?? false }.keys.sorted()
    return due.compactMap { report($0) }
  }

  /// The time at which to call ``reports(at:)`` next; nil if nothing is pending until another rendering.
  public var nextReportAt: Timestamp? { renderers.values.compactMap(\.dueAt).min() }

  /// Returns the size reported last, in pixels.
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
