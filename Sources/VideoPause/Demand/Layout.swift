/// How the client arranges its videos.
public enum VideoLayout: CaseIterable, Hashable, Sendable {
  /// One of the client's own arrangements.
  case gallery, people, speaker
  /// The application states which streams it wants; see ``VideoStreamConfiguration``.
  case custom
}

/// One stream of a custom layout.
public struct VideoStreamConfiguration: Hashable, Sendable {
  /// The highest quality that is wanted. 720p is received unless it was disabled
  /// (``VideoPauseCoordinator/set720pVideoReceiveEnabled(_:at:)``).
  public var requestedStreamQuality: StreamQuality
  /// The participant whose camera is wanted; nil for that of a recent speaker, the most recent for the first such
  /// entry.
  public var participantID: ParticipantID?
  /// The precedence when bits are shared. Either all entries of a configuration have one, or none has.
  public var streamPriority: StreamPriority?

  /// Creates an entry.
  public init(
    requestedStreamQuality: StreamQuality, participantID: ParticipantID? = nil,
    streamPriority: StreamPriority? = nil
  ) {
    self.requestedStreamQuality = requestedStreamQuality
    self.participantID = participantID
    self.streamPriority = streamPriority
  }
}

/// The outcome of configuring a custom layout.
public enum VideoStreamConfigurationResult: Hashable, Sendable {
  /// The configuration is in force.
  case success
  /// The configuration was refused, and the previous one stays in force.
  case failure(FailureReason)

  /// Why a configuration was refused.
  public enum FailureReason: Hashable, Sendable {
    /// No meeting is in progress.
    case notInMeeting
    /// The layout is not ``VideoLayout/custom``.
    case notUsingCustomLayouts
    /// The configuration has no entries.
    case emptyConfiguration
    /// The configuration has more than ``VideoPauseLimits/maximumConfiguredStreams`` entries.
    case streamLimitExceeded
    /// Some entries have a priority and others have none.
    case invalidStreamPriorityCombination
    /// An entry has neither a participant nor a priority.
    case participantOrPriorityRequired
    /// Participants that occur more than once: sorted, each listed once.
    case duplicateParticipantIds([ParticipantID])
    /// Participants that are not in the meeting: sorted, each listed once.
    case noParticipantsWithIds([ParticipantID])
  }
}

/// The outcome of choosing a layout.
public enum VideoLayoutResult: Hashable, Sendable {
  /// The layout is chosen.
  case success
  /// The layout is unchanged.
  case failure(FailureReason)

  /// Why a layout was refused.
  public enum FailureReason: Hashable, Sendable {
    /// Only `custom` can be chosen before a meeting.
    case notInMeeting
    /// This meeting does not support custom layouts.
    case customLayoutNotAvailable
  }
}

/// The meeting's layout and, while it is `custom`, its entries.
struct LayoutState: Equatable {
  var isInMeeting = false
  var isCustomAvailable = true
  private(set) var layout: VideoLayout?
  /// The entries by priority, the highest first; entries of equal priority in the order given.
  private(set) var entries: [VideoStreamConfiguration] = []

  /// The entries in force, or nil if the layout leaves everything to the demand.
  var configured: [VideoStreamConfiguration]? {
    layout == .custom && isCustomAvailable && !entries.isEmpty ? entries : nil
  }

  /// Whether the entries' priorities decide the order.
  var ordersByPriority: Bool { configured?.first?.streamPriority != nil }

  mutating func set(_ new: VideoLayout) -> VideoLayoutResult {
    if new == .custom {
      guard isCustomAvailable else { return .failure(.customLayoutNotAvailable) }
    } else {
      guard isInMeeting else { return .failure(.notInMeeting) }
    }
    layout = new
    return .success
  }

  mutating func configure(
    _ new: [VideoStreamConfiguration], knows isKnown: (ParticipantID) -> Bool
  ) -> VideoStreamConfigurationResult {
    if let reason = refusal(of: new, isKnown) { return .failure(reason) }
    let order = new.indices.sorted {
      let (a, b) = (new[$0].streamPriority.order, new[$1].streamPriority.order)
      return a == b ? $0 < $1 : a > b
    }
    entries = order.map { new[$0] }
    return .success
  }

  private func refusal(
    of new: [VideoStreamConfiguration], _ isKnown: (ParticipantID) -> Bool
  ) -> VideoStreamConfigurationResult.FailureReason? {
    if !isInMeeting { return .notInMeeting }
    if layout != .custom || !isCustomAvailable { return .notUsingCustomLayouts }
    if new.isEmpty { return .emptyConfiguration }
    if new.count > VideoPauseLimits.maximumConfiguredStreams { return .streamLimitExceeded }
    let prioritised = new.count { $0.streamPriority != nil }
    if prioritised != 0 && prioritised != new.count { return .invalidStreamPriorityCombination }
    if new.contains(where: { $0.participantID == nil && $0.streamPriority == nil }) {
      return .participantOrPriorityRequired
    }
    let ids = new.compactMap { $0.participantID }.sorted()
    let twice = Set(zip(ids, ids.dropFirst()).filter { $0 == $1 }.map { $0.0 })
    if !twice.isEmpty { return .duplicateParticipantIds(twice.sorted()) }
    let unknown = ids.filter { !isKnown($0) }
    return unknown.isEmpty ? nil : .noParticipantsWithIds(unknown)
  }
}

extension StreamPriority? {
  /// The rank of a priority for comparisons; none is below `low`.
  var order: Int { map { $0.rawValue + 1 } ?? 0 }
}
