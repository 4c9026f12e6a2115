public import VideoPause

/// The camera that a video comes from.
public enum CameraPosition: Hashable, Sendable, CaseIterable {
  /// Facing the user, or facing away.
  case front, back
}

/// Whether the rule or the application decides about mirroring.
public enum MirrorMode: Hashable, Sendable, CaseIterable {
  /// Mirrors users' own video as a mirror does, but shows the world as it is.
  case automatic
  /// Always mirrors.
  case on
  /// Never mirrors.
  case off
}

/// The rule for showing a video mirrored, left for right.
///
/// The stock participant view uses ``MirrorMode/automatic``. A low-level view mirrors nothing by itself: it uses `.off`
/// until its owner asks ``isLocal(_:activeCall:)``.
public enum Mirroring {
  /// Returns whether a view shows its video mirrored.
  ///
  /// - Parameter camera: the position, or nil if it is not known, as for an external camera. An unknown camera counts
  ///   as facing the user.
  public static func isMirrored(
    isLocal: Bool, camera: CameraPosition? = nil, mode: MirrorMode = .automatic
  ) -> Bool {
    switch mode {
    case .automatic: isLocal && camera != .back
    case .on: true
    case .off: false
    }
  }

  /// Returns whether the participant is the user of this device; false without a call, or before the call is joined.
  public static func isLocal(_ participant: ParticipantID, activeCall: CallState?) -> Bool {
    participant == activeCall?.localParticipant
  }
}

extension Rectangle {
  /// Returns the same place in the mirrored `container`: reflected in the vertical axis through its middle.
  ///
  /// Use it for overlays on a mirrored video, and for taps on it.
  public func mirrored(in container: Rectangle) -> Rectangle {
    Rectangle(
      x: 2 * container.x + container.width - x - width, y: y, width: width, height: height)
  }
}
