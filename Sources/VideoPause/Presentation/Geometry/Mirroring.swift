/// Which camera a video comes from.
public enum CameraPosition: Hashable, Sendable, CaseIterable {
  /// Towards the user, or away.
  case front, back
}

/// Who decides whether a view is mirrored.
public enum MirrorMode: Hashable, Sendable, CaseIterable {
  /// The rule: one sees oneself as in a mirror, and the world as it is.
  case automatic
  /// Always mirrored.
  case on
  /// Never mirrored.
  case off
}

/// Whether a view shows its video mirrored, left for right.
///
/// The stock participant view uses ``MirrorMode/automatic``. A low-level view mirrors nothing by itself: it is
/// `.off` until its owner asks ``isLocal(_:activeCall:)``.
public enum Mirroring {
  /// - Parameter camera: `nil` if nobody knows, as for a camera that is plugged in. It is taken for one that
  ///   faces the user.
  public static func isMirrored(
    isLocal: Bool, camera: CameraPosition? = nil, mode: MirrorMode = .automatic
  ) -> Bool {
    switch mode {
    case .automatic: isLocal && camera != .back
    case .on: true
    case .off: false
    }
  }

  /// The participant is the user of this device. Nobody is without a call, or before it is joined.
  public static func isLocal(_ participant: ParticipantID, activeCall: CallState?) -> Bool {
    participant == activeCall?.localParticipant
  }
}

extension Rectangle {
  /// The same place in the mirrored `container`: half a turn about the vertical axis through its middle. For
  /// what is drawn over a mirrored video, and for taps on it.
  public func mirrored(in container: Rectangle) -> Rectangle {
    Rectangle(
      x: 2 * container.x + container.width - x - width, y: y, width: width, height: height)
  }
}
