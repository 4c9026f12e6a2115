public import VideoPause

/// Which view shows which stream: a stream in at most one view, and at most one stream in a view.
///
/// The registry decides and the caller acts: each method returns its changes as ``ViewChange`` values, to be carried
/// out in order on the thread that the views require. Applied together, all changes give ``attachedViews`` at any time.
///
/// The registry holds views weakly. A view that no longer exists is no longer attached, and no change reports it.
///
/// A stream that is paused, or whose participant turns video off, keeps its view and reappears there when it returns.
/// Only one thread at a time may use the registry.
public struct ViewAttachmentRegistry<View: AnyObject> {
  fileprivate struct Attachment {
    weak var view: View?
    var contentMode: ContentMode
  }

  private struct Meeting {
    var participants: Set<ParticipantID>
    var videoStreams: Set<StreamID>
  }

  /// The mode of views that are attached from now on; views that are attached already keep theirs.
  public var defaultContentMode: ContentMode
  private var attachments: [StreamID: Attachment] = [:]
  /// The meeting; nil outside one.
  private var meeting: Meeting?

  /// Creates a registry without views.
  public init(defaultContentMode: ContentMode = .customLayoutDefault) {
    self.defaultContentMode = defaultContentMode
  }
}

extension ViewAttachmentRegistry: Sendable where View: Sendable {}
extension ViewAttachmentRegistry.Attachment: Sendable where View: Sendable {}

// MARK: - The meeting

extension ViewAttachmentRegistry {
  /// Reports that a meeting began, or that its participants or received videos changed.
  ///
  /// - Parameter videoStreams: the received videos; only these can be attached by ``attach(_:to:)``.
  /// - Returns: the detachments for participants who left.
  public mutating func setMeeting(
    participants: Set<ParticipantID>, videoStreams: Set<StreamID>
  ) -> [ViewChange<View>] {
    meeting = Meeting(participants: participants, videoStreams: videoStreams)
    return detachAll { stream, _ in !participants.contains(stream.participant) }
  }

  /// Reports that the meeting ended, and returns the detachment of every view.
  public mutating func endMeeting() -> [ViewChange<View>] {
    meeting = nil
    return detachAll { _, _ in true }
  }
}

// MARK: - Attaching and detaching

extension ViewAttachmentRegistry {
  /// Shows a stream in a view.
  ///
  /// The meeting must have the stream among its received videos; ``VideoRendering`` needs only the participant's track.
  /// The view's former stream is detached first, and so is the stream from its former view. Attaching a stream to the
  /// same view again changes nothing.
  public mutating func attach(
    _ stream: StreamID, to view: View
  ) -> AttachParticipantStreamResult<View> {
    if let failure = attachFailure(stream) { return .failure(failure) }
    return .success(show(stream, in: view))
  }

  /// Shows a stream in a view, whether or not a meeting is known to have it.
  mutating func show(_ stream: StreamID, in view: View) -> [ViewChange<View>] {
    guard attachments[stream]?.view !== view else { return [] }
    let changes = detachAll { $0 == stream || $1 === view }
    attachments[stream] = Attachment(view: view, contentMode: defaultContentMode)
    return changes + [.attached(stream, to: view)]
  }

  /// Removes a stream from its view.
  public mutating func detach(_ stream: StreamID) -> DetachParticipantStreamResult<View> {
    let changes = detachAll { other, _ in other == stream }
    guard changes.isEmpty else { return .success(changes) }
    return .failure(meeting == nil ? .notInMeeting : .notAttached(stream))
  }

  /// Reports that a view left the hierarchy. Does nothing if it showed no video.
  public mutating func viewRemoved(_ view: View) -> [ViewChange<View>] {
    detachAll { $1 === view }
  }

  private func attachFailure(_ stream: StreamID) -> AttachParticipantStreamFailure? {
    guard let meeting else { return .notInMeeting }
    guard meeting.participants.contains(stream.participant) else {
      return .noParticipantWithId(stream.participant)
    }
    guard meeting.videoStreams.contains(stream) else {
      return .noStreamForParticipantId(stream.participant)
    }
    return nil
  }

  /// Detaches the chosen streams, ordered by stream, and drops attachments whose view no longer exists.
  private mutating func detachAll(
    where isChosen: (StreamID, View) -> Bool
  ) -> [ViewChange<View>] {
    let views = attachedViews
    let chosen = views.filter { isChosen($0.key, $0.value) }
    attachments = attachments.filter { views[$0.key] != nil && chosen[$0.key] == nil }
    return chosen.sorted { $0.key < $1.key }.map { .detached($0.key, from: $0.value) }
  }
}

// MARK: - Attached views

extension ViewAttachmentRegistry {
  /// Every stream that has a view, with its view.
  public var attachedViews: [StreamID: View] { attachments.compactMapValues(\.view) }

  /// Returns the stream that a view shows; nil if it shows none.
  public func stream(in view: View) -> StreamID? {
    attachments.first { $0.value.view === view }?.key
  }

  /// Returns the content mode of a view; nil if it shows no video.
  public func contentMode(of view: View) -> ContentMode? {
    stream(in: view).flatMap { attachments[$0]?.contentMode }
  }

  /// Sets the content mode of one view. Does nothing if it shows no video.
  public mutating func setContentMode(_ mode: ContentMode, of view: View) {
    guard let stream = stream(in: view) else { return }
    attachments[stream]?.contentMode = mode
  }
}
