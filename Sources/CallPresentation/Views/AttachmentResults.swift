public import VideoPause

/// A change to a view. Carry changes out in the order given.
public enum ViewChange<View: AnyObject> {
  /// Remove the view from the stream's track and clear its last frame.
  case detached(StreamID, from: View)
  /// Render the stream's track in the view.
  case attached(StreamID, to: View)
}

extension ViewChange: Sendable where View: Sendable {}

extension ViewChange: Equatable {
  /// Compares views by identity.
  public static func == (a: Self, b: Self) -> Bool {
    switch (a, b) {
    case (.detached(let stream, let view), .detached(let otherStream, let otherView)),
      (.attached(let stream, let view), .attached(let otherStream, let otherView)):
      stream == otherStream && view === otherView
    default: false
    }
  }
}

/// Why a stream could not be attached. Nothing has changed.
public enum AttachParticipantStreamFailure: Error, Hashable, Sendable {
  /// No meeting is in progress.
  case notInMeeting
  /// The meeting has no participant with that id.
  case noParticipantWithId(ParticipantID)
  /// The participant is present, but `videoStreams` has no such video from them.
  case noStreamForParticipantId(ParticipantID)
}

/// Why a stream could not be detached. Nothing has changed.
public enum DetachParticipantStreamFailure: Error, Hashable, Sendable {
  /// No meeting is in progress.
  case notInMeeting
  /// The stream was never attached, is no longer attached, or its view no longer exists.
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

/// The changes to the views, or why there are none.
public typealias AttachParticipantStreamResult<View: AnyObject> =
  Result<[ViewChange<View>], AttachParticipantStreamFailure>
/// The changes to the views, or why there are none.
public typealias DetachParticipantStreamResult<View: AnyObject> =
  Result<[ViewChange<View>], DetachParticipantStreamFailure>
