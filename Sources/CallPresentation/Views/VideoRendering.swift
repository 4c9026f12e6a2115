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
/// It is meant for applications that lay out their views themselves, and assumes nothing about the layout. It needs no
/// meeting: a participant's track is enough, paused or not. A view of a participant without a track waits for it. Each
/// method returns the changes to carry out on the views, in order.
///
/// ```swift
/// carryOut(rendering.handleViewRendering(of: view, for: participant, bounds: bounds, scale: 2, at: now))
/// let following = participants.sink { carryOut(rendering.participantsChanged($0, at: now)) }  // once
/// ```
/// Only one thread at a time may use it.
public struct VideoRendering<View: AnyObject> {
  /// The streams and the views that show them.
  public var attachments: ViewAttachmentRegistry<View>
  /// The sizes to report to the server.
  public var sizes: TrackSizeReporter
  /// The views of participants without a track.
  private var waiting: [ParticipantID: Rendering] = [:]

  fileprivate struct Rendering {
    weak var view: View?
    var bounds: ViewSize
    var scale: Double
  }

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
  /// For a participant without a track, nothing is attached or reported until ``participantsChanged(_:at:)`` brings the
  /// track; another participant's stream leaves the view at once.
  ///
  /// - Parameters:
  ///   - bounds: the size of the view, in points.
  ///   - scale: pixels per point of its screen.
  /// - Returns: the changes to carry out; `sizes` reports the size after its delay.
  public mutating func handleViewRendering(
    of view: View, for participant: CallParticipant, bounds: ViewSize, scale: Double,
    at now: Timestamp
  ) -> [ViewChange<View>] {
    forgetWaiting(view)
    waiting[participant.id] = nil
    if let track = participant.track {
      sizes.rendered(track, bounds: bounds, scale: scale, at: now)
      return attachments.show(track, in: view)
    }
    let isShown = attachments.stream(in: view)?.participant == participant.id
    let changes = isShown ? [] : viewRemoved(view)
    waiting[participant.id] = Rendering(view: view, bounds: bounds, scale: scale)
    return changes
  }

  /// Reports that participants changed, and attaches the tracks that came or came back to the views that wait for them.
  ///
  /// - Returns: the changes to carry out, ordered by participant; `sizes` reports the sizes after its delay.
  public mutating func participantsChanged(
    _ list: ParticipantList, at now: Timestamp
  ) -> [ViewChange<View>] {
    waiting.sorted { $0.key < $1.key }.flatMap { id, rendering -> [ViewChange<View>] in
      guard let view = rendering.view, let participant = list[id], participant.track != nil else {
        return []
      }
      return handleViewRendering(
        of: view, for: participant, bounds: rendering.bounds, scale: rendering.scale, at: now)
    }
  }

  /// Reports that a view left the hierarchy: it is detached, waits for nothing, and has no size to report.
  public mutating func viewRemoved(_ view: View) -> [ViewChange<View>] {
    forgetWaiting(view)
    if let stream = attachments.stream(in: view) { sizes.removed(stream) }
    return attachments.viewRemoved(view)
  }

  private mutating func forgetWaiting(_ view: View) {
    waiting = waiting.filter { $0.value.view !== view && $0.value.view != nil }
  }
}

extension VideoRendering: Sendable where View: Sendable {}
extension VideoRendering.Rendering: Sendable where View: Sendable {}
