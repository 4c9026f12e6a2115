/// A view for one video, before there is a view: what a declarative layout describes, and what it does when the
/// platform has made one.
public struct VideoRendererView<View: AnyObject>: Identifiable {
  public let id: String
  /// The room for it, in points.
  public let size: ViewSize
  /// How the picture fills the view.
  public let contentMode: ContentMode
  private let onRender: (View) -> Void

  /// - Parameter onRender: called at each rendering, with the view.
  public init(
    id: String, size: ViewSize, contentMode: ContentMode = .gridDefault,
    onRender: @escaping (View) -> Void
  ) {
    self.id = id
    self.size = size
    self.contentMode = contentMode
    self.onRender = onRender
  }

  /// The platform rendered `view` for this description.
  public func render(_ view: View) { onRender(view) }
}

/// What happens when a participant's view is rendered: its track is put in, and its size is reported once the layout
/// has settled. For applications that lay their views out themselves; assumes nothing about the layout.
public struct VideoRendering<View: AnyObject> {
  /// Which stream is in which view.
  public var attachments: ViewAttachmentRegistry<View>
  /// What sizes are told to the server.
  public var sizes: TrackSizeReporter

  /// Without views.
  public init(
    attachments: ViewAttachmentRegistry<View> = ViewAttachmentRegistry(),
    sizes: TrackSizeReporter = TrackSizeReporter()
  ) {
    self.attachments = attachments
    self.sizes = sizes
  }

  /// To be called at each rendering of a participant's view. A participant without a track is passed over: nothing is
  /// attached or reported.
  ///
  /// - Parameters:
  ///   - bounds: of the view, in points.
  ///   - scale: pixels per point of its screen.
  /// - Returns: what to do with the views; the size comes from `sizes`, after its delay.
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
