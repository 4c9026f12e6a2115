/// How the client arranges its videos.
public enum VideoLayout: CaseIterable, Hashable, Sendable {
  /// One of the client's own arrangements.
  case gallery, people, speaker
  /// The application says which streams it wants: see ``VideoStreamConfiguration``.
  case custom
}

/// One stream of a custom layout.
public struct VideoStreamConfiguration: Hashable, Sendable {
  /// The most that is wanted.
  public var requestedStreamQuality: StreamQuality
  /// Whose camera; nil: that of a recent speaker, the most recent for the first such entry.
  public var participantID: ParticipantID?
  /// Who gets bits first; all entries of a configuration have one, or none has.
  public var streamPriority: StreamPriority?

  /// One entry.
  public init(
    requestedStreamQuality: StreamQuality, participantID: ParticipantID? = nil,
    streamPriority: StreamPriority? = nil
  ) {
    self.requestedStreamQuality = requestedStreamQuality
    self.participantID = participantID
    self.streamPriority = streamPriority
  }
}

/// The most streams of a custom layout.
extension VideoPauseLimits {
  /// Entries of one configuration.
  public static let maximumConfiguredStreams = 25
}

/// What came of a custom layout's configuration.
public enum VideoStreamConfigurationResult: Hashable, Sendable {
  /// It is in force.
  case success
  /// What was configured before stays in force.
  case failure(FailureReason)

  /// Why a configuration was refused.
  public enum FailureReason: Hashable, Sendable {
    /// There is no layout before a meeting.
    case notInMeeting
    /// ``VideoLayout/custom`` is not the layout.
    case notUsingCustomLayouts
    /// There was no entry.
    case emptyConfiguration
    /// There were more than ``VideoPauseLimits/maximumConfiguredStreams``.
    case streamLimitExceeded
    /// Some entries have a priority and others have none.
    case invalidStreamPriorityCombination
    /// An entry has neither.
    case participantOrPriorityRequired
    /// Sorted, each once.
    case duplicateParticipantIds([ParticipantID])
    /// They are not in the meeting: sorted, each once.
    case noParticipantsWithIds([ParticipantID])
  }
}

/// What came of choosing a layout.
public enum VideoLayoutResult: Hashable, Sendable {
  /// It is chosen.
  case success
  /// The layout is as it was.
  case failure(FailureReason)

  /// Why a layout was refused.
  public enum FailureReason: Hashable, Sendable {
    /// Only `custom` can be chosen before a meeting.
    case notInMeeting
    /// This meeting does not support it.
    case customLayoutNotAvailable
  }
}

/// The meeting's layout and, while it is `custom`, what it wants.
struct LayoutState: Equatable {
  var isInMeeting = false
  var isCustomAvailable = true
  private(set) var layout: VideoLayout?
  /// Sorted by priority, the highest first; equal ones as they were given.
  private(set) var entries: [VideoStreamConfiguration] = []

  /// What decides now, or nil if the layout leaves everything to the demand.
  var configured: [VideoStreamConfiguration]? {
    layout == .custom && isCustomAvailable && !entries.isEmpty ? entries : nil
  }

  /// Whether the entries say who comes first.
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
    let ids = new.compactMap(\.participantID).sorted()
    let twice = Set(zip(ids, ids.dropFirst()).filter { $0 == $1 }.map(\.0))
    if !twice.isEmpty { return .duplicateParticipantIds(twice.sorted()) }
    let unknown = ids.filter { !isKnown($0) }
    return unknown.isEmpty ? nil : .noParticipantsWithIds(unknown)
  }
}

extension StreamPriority? {
  /// For comparisons: none is below low.
  var order: Int { map { $0.rawValue + 1 } ?? 0 }
}
