extension VideoPauseCoordinator {
  /// Reports that the meeting began or ended, and returns whether a decision is due.
  ///
  /// Throws ``VideoPauseError/timestampWentBackwards(from:to:)``.
  @discardableResult
  public mutating func setInMeeting(
    _ isInMeeting: Bool, at time: Timestamp
  ) throws(VideoPauseError) -> Bool {
    try changeLayout(at: time) { $0.isInMeeting = isInMeeting }
  }

  /// Sets whether this meeting supports custom layouts, and returns whether a decision is due.
  ///
  /// The default is true. While it is false, ``videoLayout`` is never ``VideoLayout/custom``. Throws
  /// ``VideoPauseError/timestampWentBackwards(from:to:)``.
  @discardableResult
  public mutating func setCustomLayoutAvailable(
    _ isAvailable: Bool, at time: Timestamp
  ) throws(VideoPauseError) -> Bool {
    try changeLayout(at: time) { $0.isCustomAvailable = isAvailable }
  }

  /// Whether the meeting supports ``VideoLayout/custom``.
  public var isCustomLayoutAvailable: Bool { meeting.layout.isCustomAvailable }

  /// The layout in force; nil if none was chosen or the chosen one is not available.
  public var videoLayout: VideoLayout? {
    let layout = meeting.layout
    return layout.layout == .custom && !layout.isCustomAvailable ? nil : layout.layout
  }

  /// Chooses the layout: `custom` before or during a meeting, the others during one.
  ///
  /// Throws ``VideoPauseError/timestampWentBackwards(from:to:)``.
  public mutating func setVideoLayout(
    _ new: VideoLayout, at time: Timestamp
  ) throws(VideoPauseError) -> VideoLayoutResult {
    var result = VideoLayoutResult.success
    try changeLayout(at: time) { result = $0.set(new) }
    return result
  }

  /// Sets the participants of the meeting, with or without video.
  ///
  /// Owners of streams count as participants without being named. A participant who was named before and no longer is
  /// has left the meeting, and leaves ``speakerOrder``. Throws ``VideoPauseError/timestampWentBackwards(from:to:)``.
  public mutating func setParticipants(
    _ everybody: Set<ParticipantID>, at time: Timestamp
  ) throws(VideoPauseError) {
    let leavers = meeting.participants.subtracting(everybody)
    try changeSpeakers(at: time) { $0.remove(leavers) }
    meeting.participants = everybody
  }

  /// The participants of the meeting, and the owners of streams.
  var everybody: Set<ParticipantID> {
    meeting.participants.union(streams.states.map { $0.id.participant })
  }

  /// Replaces the whole configuration of the custom layout, or changes nothing and returns the reason.
  ///
  /// Entries are served from the highest priority to the lowest. An entry without a participant gets the camera of the
  /// most recent speaker who is not in the layout yet: the first such entry that of the most recent speaker whom no
  /// entry names. Cameras that are not configured are not forwarded. Screen shares are, in addition: no entry stands
  /// for one, so they do not count among the ``VideoPauseLimits/maximumConfiguredStreams``. ``setLastN(_:at:)`` limits
  /// both together.
  ///
  /// Unlike in the BlueJeans SDK, entries of 720p get 720p from the start; see ``set720pVideoReceiveEnabled(_:at:)``.
  ///
  /// Throws ``VideoPauseError/timestampWentBackwards(from:to:)``.
  public mutating func setVideoStreamConfiguration(
    _ entries: [VideoStreamConfiguration], at time: Timestamp
  ) throws(VideoPauseError) -> VideoStreamConfigurationResult {
    let known = everybody
    var result = VideoStreamConfigurationResult.success
    try changeLayout(at: time) { result = $0.configure(entries, knows: known.contains) }
    return result
  }

  /// The entries in force, the highest priority first.
  public var videoStreamConfiguration: [VideoStreamConfiguration] {
    meeting.layout.configured ?? []
  }

  @discardableResult
  private mutating func changeLayout(
    at time: Timestamp, _ change: (inout LayoutState) -> Void
  ) throws(VideoPauseError) -> Bool {
    try advance(to: time)
    let before = meeting.layout
    change(&meeting.layout)
    guard meeting.layout != before else { return isDecisionDue(at: time) }
    streams.assign(meeting.layout)
    streams.noteBounds()
    streams.noteRank()
    return true
  }
}
