// The functions have the names that the header gives them.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CVideoPause

@c @implementation
public func vp_set_in_meeting(
  _ coordinator: OpaquePointer?, _ isInMeeting: Bool, _ time: Int64
) -> vp_status_code {
  input(coordinator) { c throws(VideoPauseError) in
    try c.setInMeeting(isInMeeting, at: .at(time))
  }
}

@c @implementation
public func vp_set_custom_layout_available(
  _ coordinator: OpaquePointer?, _ isAvailable: Bool, _ time: Int64
) -> vp_status_code {
  input(coordinator) { c throws(VideoPauseError) in
    try c.setCustomLayoutAvailable(isAvailable, at: .at(time))
  }
}

@c @implementation
public func vp_set_participants(
  _ coordinator: OpaquePointer?, _ participants: UnsafePointer<UInt64>?, _ count: Int, _ time: Int64
) -> vp_status_code {
  guard let everybody = ParticipantID.list(participants, count) else { return VP_ERROR_ARGUMENT }
  return input(coordinator) { c throws(VideoPauseError) in
    try c.setParticipants(Set(everybody), at: .at(time))
  }
}

@c @implementation
public func vp_set_video_layout(
  _ coordinator: OpaquePointer?, _ layout: vp_video_layout, _ time: Int64
) -> vp_status_code {
  guard let layout = VideoLayout(layout) else { return VP_ERROR_ARGUMENT }
  var refusal = VP_OK
  let code = input(coordinator) { c throws(VideoPauseError) in
    if case .failure(let reason) = try c.setVideoLayout(layout, at: .at(time)) {
      refusal = vp_status_code(reason)
    }
  }
  return code == VP_OK ? refusal : code
}

@c @implementation
public func vp_current_layout(
  _ coordinator: OpaquePointer?, _ layout: UnsafeMutablePointer<vp_video_layout>?
) -> vp_status_code {
  guard let coordinator, let layout else { return VP_ERROR_ARGUMENT }
  layout.pointee = vp_video_layout(coordinator.target.pointee.videoLayout)
  return VP_OK
}

@c @implementation
public func vp_set_layout_streams(
  _ coordinator: OpaquePointer?, _ streams: UnsafePointer<vp_layout_stream>?, _ count: Int,
  _ time: Int64
) -> vp_status_code {
  guard streams != nil || count == 0 else { return VP_ERROR_ARGUMENT }
  guard let entries = VideoStreamConfiguration.list(streams, count) else {
    return VP_ERROR_ARGUMENT
  }
  var refusal = VP_OK
  let code = input(coordinator) { c throws(VideoPauseError) in
    let result = try c.setVideoStreamConfiguration(entries, at: .at(time))
    if case .failure(let reason) = result { refusal = vp_status_code(reason) }
  }
  return code == VP_OK ? refusal : code
}

extension VideoLayout {
  /// nil for the layout that is none, and for numbers that are none of the enum's.
  fileprivate init?(_ layout: vp_video_layout) {
    switch layout {
    case VP_LAYOUT_GALLERY: self = .gallery
    case VP_LAYOUT_PEOPLE: self = .people
    case VP_LAYOUT_SPEAKER: self = .speaker
    case VP_LAYOUT_CUSTOM: self = .custom
    default: return nil
    }
  }
}

extension vp_video_layout {
  fileprivate init(_ layout: VideoLayout?) {
    self =
      switch layout {
      case nil: VP_LAYOUT_NONE
      case .gallery: VP_LAYOUT_GALLERY
      case .people: VP_LAYOUT_PEOPLE
      case .speaker: VP_LAYOUT_SPEAKER
      case .custom: VP_LAYOUT_CUSTOM
      }
  }
}

extension VideoStreamConfiguration {
  /// Returns the entries; nil if one is refused. More than there can be are not read: any of that number are refused
  /// alike.
  fileprivate static func list(
    _ streams: UnsafePointer<vp_layout_stream>?, _ count: Int
  ) -> [Self]? {
    let most = VideoPauseLimits.maximumConfiguredStreams
    guard (0...most).contains(count) else {
      let any = Self(requestedStreamQuality: .r90p_3fps, participantID: nil, streamPriority: .high)
      return Array(repeating: any, count: most + 1)
    }
    var entries: [Self] = []
    for stream in UnsafeBufferPointer(start: streams, count: count) {
      guard let entry = Self(stream) else { return nil }
      entries.append(entry)
    }
    return entries
  }

  /// nil if a value is none of its enum's, or the participant is out of range.
  fileprivate init?(_ stream: vp_layout_stream) {
    let participant = ParticipantID(given: stream.participant)
    let hasParticipant = stream.has_participant != 0
    guard case .some(.some(let quality)) = StreamQuality?.given(stream.quality),
      let priority = StreamPriority?.given(stream.priority), participant != nil || !hasParticipant
    else { return nil }
    self.init(
      requestedStreamQuality: quality, participantID: hasParticipant ? participant : nil,
      streamPriority: priority)
  }
}

extension vp_status_code {
  fileprivate init(_ reason: VideoLayoutResult.FailureReason) {
    self =
      switch reason {
      case .notInMeeting: VP_ERROR_NOT_IN_MEETING
      case .customLayoutNotAvailable: VP_ERROR_NO_CUSTOM_LAYOUT
      }
  }

  fileprivate init(_ reason: VideoStreamConfigurationResult.FailureReason) {
    self =
      switch reason {
      case .notInMeeting: VP_ERROR_NOT_IN_MEETING
      case .notUsingCustomLayouts: VP_ERROR_NO_CUSTOM_LAYOUT
      case .emptyConfiguration: VP_ERROR_LAYOUT_EMPTY
      case .streamLimitExceeded: VP_ERROR_LAYOUT_COUNT
      case .invalidStreamPriorityCombination: VP_ERROR_LAYOUT_PRIORITIES
      case .participantOrPriorityRequired: VP_ERROR_LAYOUT_UNNAMED
      case .duplicateParticipantIds: VP_ERROR_LAYOUT_DUPLICATE
      case .noParticipantsWithIds: VP_ERROR_LAYOUT_PARTICIPANT
      }
  }
}
