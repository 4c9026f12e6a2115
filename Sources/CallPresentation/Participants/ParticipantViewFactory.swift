internal import VideoPause

/// The description of a participant's view in the stock layouts.
public struct VideoParticipantView: Identifiable, Hashable, Sendable {
  /// The participant to show.
  public let participant: CallParticipant
  /// The identity of the view in a layout.
  public let id: String
  /// The available frame in points.
  public let availableFrame: Rectangle
  /// How the picture fills the frame.
  public let contentMode: ContentMode
  /// The application's own data, unread.
  public let customData: [String: CustomValue]
  /// Whether the picture is turned by 180° about the vertical axis.
  public let isMirrored: Bool

  /// Creates a view description.
  public init(
    participant: CallParticipant, id: String, availableFrame: Rectangle,
    contentMode: ContentMode, customData: [String: CustomValue] = [:], isMirrored: Bool
  ) {
    self.participant = participant
    self.id = id
    self.availableFrame = availableFrame
    self.contentMode = contentMode
    self.customData = customData
    self.isMirrored = isMirrored
  }
}

/// Makes the view and the overlay of a participant.
///
/// Replace either or both by types of your own. The defaults are ``VideoParticipantView`` and ``ParticipantOverlay``.
public protocol ParticipantViewFactory {
  /// The type that shows a participant's picture.
  associatedtype ParticipantView
  /// The type that is drawn over it.
  associatedtype Overlay

  /// Returns the view of one participant.
  func makeVideoParticipantView(
    participant: CallParticipant, id: String, availableFrame: Rectangle,
    contentMode: ContentMode, customData: [String: CustomValue], call: CallState?
  ) -> ParticipantView

  /// Returns the overlay for the view of one participant.
  func makeVideoCallParticipantModifier(
    participant: CallParticipant, call: CallState?, availableFrame: Rectangle, ratio: Double,
    showAllInfo: Bool
  ) -> Overlay
}

extension ParticipantViewFactory {
  /// Returns a ``VideoParticipantView``, mirrored according to ``Mirroring``.
  public func makeVideoParticipantView(
    participant: CallParticipant, id: String, availableFrame: Rectangle,
    contentMode: ContentMode, customData: [String: CustomValue], call: CallState?
  ) -> VideoParticipantView {
    let isLocal = Mirroring.isLocal(participant.id, activeCall: call)
    return VideoParticipantView(
      participant: participant, id: id, availableFrame: availableFrame,
      contentMode: contentMode, customData: customData,
      isMirrored: Mirroring.isMirrored(isLocal: isLocal, camera: participant.camera))
  }

  /// Returns a ``ParticipantOverlay``.
  public func makeVideoCallParticipantModifier(
    participant: CallParticipant, call: CallState?, availableFrame: Rectangle, ratio: Double,
    showAllInfo: Bool
  ) -> ParticipantOverlay {
    ParticipantOverlay(
      participant: participant, call: call, availableFrame: availableFrame, ratio: ratio,
      showAllInfo: showAllInfo)
  }

  /// Returns one tile for each participant, in the order given, each with its overlay and all information.
  ///
  /// The container decides where to place the tiles.
  ///
  /// - Parameters:
  ///   - availableFrame: the frame of one tile, in points.
  ///   - ratio: width ÷ height of a tile.
  public func makeTiles(
    for participants: [CallParticipant], availableFrame: Rectangle, ratio: Double,
    contentMode: ContentMode = .gridDefault, customData: [String: CustomValue] = [:],
    call: CallState?
  ) -> [(view: ParticipantView, overlay: Overlay)] {
    participants.map { participant in
      let view = makeVideoParticipantView(
        participant: participant, id: participant.id.rawValue, availableFrame: availableFrame,
        contentMode: contentMode, customData: customData, call: call)
      let overlay = makeVideoCallParticipantModifier(
        participant: participant, call: call, availableFrame: availableFrame, ratio: ratio,
        showAllInfo: true)
      return (view, overlay)
    }
  }
}

/// A factory that uses all defaults.
public struct DefaultViewFactory: ParticipantViewFactory, Sendable {
  /// Creates a factory with the defaults of ``ParticipantViewFactory``.
  public init() {}
}
