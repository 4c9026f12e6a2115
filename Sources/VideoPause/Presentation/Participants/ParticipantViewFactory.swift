/// A participant's view as the stock layouts make it.
public struct VideoParticipantView: Identifiable, Hashable, Sendable {
  /// Whose view it is.
  public let participant: CallParticipant
  public let id: String
  /// In points.
  public let availableFrame: Rectangle
  /// How the picture fills the frame.
  public let contentMode: ContentMode
  /// The application's own, untouched.
  public let customData: [String: CustomValue]
  /// The picture is turned by 180° about the vertical axis.
  public let isMirrored: Bool

  /// A view.
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

/// Makes what is drawn for a participant. Replace either half: a type of your own for the view, the overlay, or both.
///
/// The overlay of the default is ``ParticipantOverlay``, the view ``VideoParticipantView``.
public protocol ParticipantViewFactory {
  /// What shows a participant's picture.
  associatedtype ParticipantView
  /// What is drawn over it.
  associatedtype Overlay

  /// The view of one participant.
  func makeVideoParticipantView(
    participant: CallParticipant, id: String, availableFrame: Rectangle,
    contentMode: ContentMode, customData: [String: CustomValue], call: CallState?
  ) -> ParticipantView

  /// What is drawn over the view of one participant.
  func makeVideoCallParticipantModifier(
    participant: CallParticipant, call: CallState?, availableFrame: Rectangle, ratio: Double,
    showAllInfo: Bool
  ) -> Overlay
}

extension ParticipantViewFactory {
  /// The default: a ``VideoParticipantView``, mirrored as ``Mirroring`` has it.
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

  /// The default: a ``ParticipantOverlay``.
  public func makeVideoCallParticipantModifier(
    participant: CallParticipant, call: CallState?, availableFrame: Rectangle, ratio: Double,
    showAllInfo: Bool
  ) -> ParticipantOverlay {
    ParticipantOverlay(
      participant: participant, call: call, availableFrame: availableFrame, ratio: ratio,
      showAllInfo: showAllInfo)
  }

  /// One tile for each participant, in the order given, each with its overlay and all information. Where the tiles go
  /// is up to the container.
  ///
  /// - Parameters:
  ///   - availableFrame: of one tile, in points.
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

/// Draws everything as it comes.
public struct DefaultViewFactory: ParticipantViewFactory, Sendable {
  /// The defaults of ``ParticipantViewFactory``.
  public init() {}
}
