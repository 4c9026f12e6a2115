public import VideoPause

/// The description of a view for one video in a declarative layout, with what to do once the platform has made the
/// view.
public struct VideoRendererView<View: AnyObject>: Identifiable {
  /// The identity of the view in a layout.
  public let id: String
  /// The available size, in points.
  public let size: ViewSize
  /// How the picture fills the view.
  public let contentMode: ContentMode
  private let onRender: (View) -> Void

  /// Creates a description.
  ///
  /// - Parameter onRender: called with the view at each rendering.
  public init(
    id: String, size: ViewSize, contentMode: ContentMode = .gridDefault,
    onRender: @escaping (View) -> Void
  ) {
    self.id = id
    self.size = size
    self.contentMode = contentMode
    self.onRender = onRender
  }

  /// Reports that the platform rendered `view` for this description.
  public func render(_ view: View) { onRender(view) }
}

/// Handles the rendering of participants' views: attaches the track, and reports the size once the layout has settled.
///
/// It is meant for applications that lay out their views themselves, and assumes nothing about the layout.
public struct VideoRendering<View: AnyObject> {
  /// The streams and the views that show them.
  public var attachments: ViewAttachmentRegistry<View>
  /// The sizes to report to the server.
  public var sizes: TrackSizeReporter

  /// Creates a handler without views.
  public init(
    attachments: ViewAttachmentRegistry<View> = ViewAttachmentRegistry(),
    sizes: TrackSizeReporter = TrackSizeReporter()
  ) {
    self.attachments = attachments
    self.sizes = sizes
  }

  /// Handles one rendering of a participant's view. Call it at each rendering.
  ///
  /// A participant without a track is ignored: nothing is attached or reported.
  ///
  /// - Parameters:
  ///   - bounds: the size of the view, in points.
  ///   - scale: pixels per point of its screen.
  /// - Returns: the changes to carry out on the views; `sizes` reports the size after its delay.
  public mutating func handleViewRendering(
    of view: View, for participant: CallParticipant, bounds: ViewSize, scale: Double,
    at now: Timestamp
  ) -> AttachParticipantStreamResult<View> {
    guard let track = participant.track else { return .success([]) }
    let result = attachments.attach(track, to: view)
    if case .success = result { sizes.rendered(track, bounds: bounds, scale: scale, at: now) }
    return result
  }
}

extension VideoRendering: Sendable where View: Sendable {}
