/// Which stream is shown in which view: a stream in at most one view, a view with at most one stream.
///
/// The registry decides and the caller does: every change comes back as ``ViewChange`` values, to be carried out in
/// their order on whichever thread the views demand. All changes together are the map that
/// ``attachedViews`` gives at any time.
///
/// Views are held weakly. One that no longer exists is not attached any more, and no change tells of it.
///
/// A stream that is paused, or whose participant turns video off, keeps its view and appears there again when it
/// comes back. For one thread at a time.
public struct ViewAttachmentRegistry<View: AnyObject> {
  fileprivate struct Attachment {
    weak var view: View?
    var contentMode: ContentMode
  }

  private struct Meeting {
    var participants: Set<ParticipantID>
    var videoStreams: Set<StreamID>
  }

  /// The mode of views that are attached from now on; those that are attached keep theirs.
  public var defaultContentMode: ContentMode
  private var attachments: [StreamID: Attachment] = [:]
  /// `nil` outside a meeting.
  private var meeting: Meeting?

  /// Without views; with how a picture fills one where nothing else is said.
  public init(defaultContentMode: ContentMode = .customLayoutDefault) {
    self.defaultContentMode = defaultContentMode
  }
}

extension ViewAttachmentRegistry: Sendable where View: Sendable {}
extension ViewAttachmentRegistry.Attachment: Sendable where View: Sendable {}

// MARK: - The meeting

extension ViewAttachmentRegistry {
  /// The meeting began, or who is in it or what is received changed.
  ///
  /// - Parameter videoStreams: what is received; only these can be attached.
  /// - Returns: the detachments of participants who left.
  public mutating func setMeeting(
    participants: Set<ParticipantID>, videoStreams: Set<StreamID>
  ) -> [ViewChange<View>] {
    meeting = Meeting(participants: participants, videoStreams: videoStreams)
    return detachAll { stream, _ in !participants.contains(stream.participant) }
  }

  /// The meeting is over: every view is released.
  public mutating func endMeeting() -> [ViewChange<View>] {
    meeting = nil
    return detachAll { _, _ in true }
  }
}

// MARK: - Attaching and detaching

extension ViewAttachmentRegistry {
  /// Shows a stream in a view. What the view showed before is detached first, and so is the stream from its former
  /// view. Attaching once more to the same view changes nothing.
  public mutating func attach(
    _ stream: StreamID, to view: View
  ) -> AttachParticipantStreamResult<View> {
    if let failure = attachFailure(stream) { return .failure(failure) }
    guard attachments[stream]?.view !== view else { return .success([]) }
    let changes = detachAll { $0 == stream || $1 === view }
    attachments[stream] = Attachment(view: view, contentMode: defaultContentMode)
    return .success(changes + [.attached(stream, to: view)])
  }

  /// Takes a stream out of its view.
  public mutating func detach(_ stream: StreamID) -> DetachParticipantStreamResult<View> {
    guard meeting != nil else { return .failure(.notInMeeting) }
    let changes = detachAll { other, _ in other == stream }
    return changes.isEmpty ? .failure(.notAttached(stream)) : .success(changes)
  }

  /// A view left the hierarchy. Nothing happens if it showed nothing.
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

  /// Detaches what is chosen, in the order of the streams, and forgets on the way what lost its view.
  private mutating func detachAll(
    where isChosen: (StreamID, View) -> Bool
  ) -> [ViewChange<View>] {
    let views = attachedViews
    let chosen = views.filter { isChosen($0.key, $0.value) }
    attachments = attachments.filter { views[$0.key] != nil && chosen[$0.key] == nil }
    return chosen.sorted { $0.key < $1.key }.map { .detached($0.key, from: $0.value) }
  }
}

// MARK: - What is attached

extension ViewAttachmentRegistry {
  /// Every stream that has a view, with the view.
  public var attachedViews: [StreamID: View] { attachments.compactMapValues(\.view) }

  /// What a view shows.
  public func stream(in view: View) -> StreamID? {
    attachments.first { $0.value.view === view }?.key
  }

  /// How a view lays out its video; `nil` if it shows none.
  public func contentMode(of view: View) -> ContentMode? {
    stream(in: view).flatMap { attachments[$0]?.contentMode }
  }

  /// Changes one view. Nothing happens if it shows no video.
  public mutating func setContentMode(_ mode: ContentMode, of view: View) {
    guard let stream = stream(in: view) else { return }
    attachments[stream]?.contentMode = mode
  }
}
