// The functions have the names that the header gives them.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CVideoPause

@c @implementation
public func vp_version() -> UnsafePointer<CChar>? { text("1.0.0") }

@c @implementation
public func vp_abi_version() -> UInt32 { UInt32(VP_ABI_VERSION) }

@c @implementation
public func vp_status_text(_ code: vp_status_code) -> UnsafePointer<CChar>? {
  text(sentence(code))
}

/// Returns C's view of a string in static storage, which ends in a zero.
func text(_ string: StaticString) -> UnsafePointer<CChar> {
  UnsafeRawPointer(string.utf8Start).assumingMemoryBound(to: CChar.self)
}

private func sentence(_ code: vp_status_code) -> StaticString {
  switch code {
  // contract: status
  case VP_OK: "success"
  case VP_ERROR_ARGUMENT:
    "a pointer is NULL, a value is none of its enum's or not allowed there, or a participant is above 2^63 - 1"
  case VP_ERROR_STRUCT_SIZE:
    "struct_size is not right: set it to the size of the struct, or start from its defaults"
  case VP_ERROR_CONFIG:
    "a setting is out of range: vp_config_invalid_field names that of a vp_config; a hold is 0 to a day"
  case VP_ERROR_TIME: "the time is before that of an earlier input: use a monotonic clock"
  case VP_ERROR_UNKNOWN_STREAM: "there is no such stream: upsert it first"
  case VP_ERROR_TOO_MANY_STREAMS:
    "there are more than maximum_streams streams: remove some, or raise the limit"
  case VP_ERROR_BITRATE: "a bit rate is out of range: use 0 to VP_BITRATE_MAX bits per second"
  case VP_ERROR_DEMAND:
    "a view's side is above VP_SIDE_MAX, or maximum_frames_per_second is negative or not a number: use 0 for no limit"
  case VP_ERROR_LAYER_COUNT: "a stream has more than VP_LAYERS_MAX layers: leave some out"
  case VP_ERROR_LAYER_BITRATE:
    "a layer's bit rate is out of range: use 0 for a layer that is not sent"
  case VP_ERROR_LAYER_SIZE: "a layer's width or height is out of range: use 1 to VP_SIDE_MAX pixels"
  case VP_ERROR_LAYER_INDEX:
    "a layer's index is above VP_LAYER_INDEX_MAX, or above VP_SPATIAL_ID_MAX or VP_TEMPORAL_ID_MAX for a decode target"
  case VP_ERROR_LAYER_FRAME_RATE:
    "a layer's frame rate is negative, infinite or not a number: use 0 if it is unknown"
  case VP_ERROR_LAYER_DUPLICATE:
    "two layers have the same spatial and temporal index: leave one out"
  case VP_ERROR_CAPACITY:
    "there is not enough room for the result: the count says how much it needs"
  case VP_ERROR_LAYER_MIXED:
    "some layers are decode targets and others are not: a stream has one kind"
  case VP_ERROR_LAYER_COST:
    "a decode target costs less than one that it contains: add up the rates of all that it depends on"
  case VP_ERROR_NOT_IN_MEETING: "no meeting is in progress: call vp_set_in_meeting first"
  case VP_ERROR_NO_CUSTOM_LAYOUT:
    "there is no custom layout: choose VP_LAYOUT_CUSTOM in a meeting that supports it"
  case VP_ERROR_LAYOUT_EMPTY: "a layout has no entries: give one at least"
  case VP_ERROR_LAYOUT_COUNT: "a layout has more than VP_LAYOUT_STREAMS_MAX entries: leave some out"
  case VP_ERROR_LAYOUT_PRIORITIES:
    "some entries of a layout have a priority and others have none: give one to all or to none"
  case VP_ERROR_LAYOUT_UNNAMED:
    "an entry of a layout has neither a participant nor a priority: give it one of them"
  case VP_ERROR_LAYOUT_DUPLICATE: "a participant is in two entries of a layout: leave one out"
  case VP_ERROR_LAYOUT_PARTICIPANT:
    "an entry of a layout names a participant who is not in the meeting: call vp_set_participants first"
  // contract end
  default: "unknown status code"
  }
}

extension vp_status_code {
  init(_ error: VideoPauseError) {
    self =
      switch error {
      case .unknownStream: VP_ERROR_UNKNOWN_STREAM
      case .invalidLayers(_, let defect): vp_status_code(defect)
      case .invalidDemand: VP_ERROR_DEMAND
      case .invalidBandwidth: VP_ERROR_BITRATE
      case .timestampWentBackwards: VP_ERROR_TIME
      case .tooManyStreams: VP_ERROR_TOO_MANY_STREAMS
      case .invalidConfiguration: VP_ERROR_CONFIG
      case .notVideo, .invalidCount: VP_ERROR_ARGUMENT
      }
  }

  private init(_ defect: VideoPauseError.LayerDefect) {
    self =
      switch defect {
      case .negativeBitrate, .bitrateTooLarge: VP_ERROR_LAYER_BITRATE
      case .emptySize, .sizeTooLarge: VP_ERROR_LAYER_SIZE
      case .invalidIndex, .invalidDecodeTarget: VP_ERROR_LAYER_INDEX
      case .mixed: VP_ERROR_LAYER_MIXED
      case .cheaperThanContained: VP_ERROR_LAYER_COST
      case .invalidFrameRate: VP_ERROR_LAYER_FRAME_RATE
      case .duplicate: VP_ERROR_LAYER_DUPLICATE
      case .tooMany: VP_ERROR_LAYER_COUNT
      }
  }
}
