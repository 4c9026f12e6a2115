/// What is to be done with a view, in this order.
public enum ViewChange<View: AnyObject> {
  /// Take the view off the stream's track and clear its last frame.
  case detached(StreamID, from: View)
  /// Render the stream's track in the view.
  case attached(StreamID, to: View)
}

extension ViewChange: Sendable where View: Sendable {}

extension ViewChange: Equatable {
  /// Views are compared by identity.
  public static func == (a: Self, b: Self) -> Bool {
    switch (a, b) {
    case (.detached(let stream, let view), .detached(let otherStream, let otherView)),
      (.attached(let stream, let view), .attached(let otherStream, let otherView)):
      stream == otherStream && view === otherView
    default: false
    }
  }
}

/// Why a stream could not be attached. Nothing was changed.
public enum AttachParticipantStreamFailure: Error, Hashable, Sendable {
  /// There is no video outside a meeting.
  case notInMeeting
  /// Nobody of that name is in the meeting.
  case noParticipantWithId(ParticipantID)
  /// The participant is there, but no such video of theirs is among `videoStreams`.
  case noStreamForParticipantId(ParticipantID)
}

/// Why a stream could not be detached. Nothing was changed.
public enum DetachParticipantStreamFailure: Error, Hashable, Sendable {
  /// There is no video outside a meeting.
  case notInMeeting
  /// Never was, no longer is, or its view no longer exists.
  case notAttached(StreamID)
}

extension AttachParticipantStreamFailure: CustomStringConvertible {
  public var description: String {
    switch self {
    case .notInMeeting: "no video can be attached outside a meeting: join one first"
    case .noParticipantWithId(let id):
      "there is no participant \(id): take the id from the participants list"
    case .noStreamForParticipantId(let id):
      "no video of \(id) is received: attach only what is among the video streams"
    }
  }
}

extension DetachParticipantStreamFailure: CustomStringConvertible {
  public var description: String {
    switch self {
    case .notInMeeting: "no video can be detached outside a meeting: its end detached all of them"
    case .notAttached(let stream): "stream \(stream) is in no view: attach it first"
    }
  }
}

/// What changed in the views, or why nothing did.
public typealias AttachParticipantStreamResult<View: AnyObject> =
  Result<[ViewChange<View>], AttachParticipantStreamFailure>
/// What changed in the views, or why nothing did.
public typealias DetachParticipantStreamResult<View: AnyObject> =
  Result<[ViewChange<View>], DetachParticipantStreamFailure>
