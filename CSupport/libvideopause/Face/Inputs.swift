// The functions have the names that the header gives them.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CVideoPause

// MARK: Streams

@c @implementation
public func vp_upsert_stream(
  _ coordinator: OpaquePointer?, _ stream: UInt64, _ kind: vp_kind, _ isLocal: Bool,
  _ layers: UnsafePointer<vp_layer>?, _ layerCount: Int, _ time: Int64
) -> vp_status_code {
  guard let kind = VideoKind(kind), layers != nil || layerCount == 0 else {
    return VP_ERROR_ARGUMENT
  }
  guard (0...VideoPauseLimits.maximumLayers).contains(layerCount) else {
    return VP_ERROR_LAYER_COUNT
  }
  let given = UnsafeBufferPointer(start: layers, count: layerCount).map { VideoLayer($0) }
  return input(coordinator) { c throws(VideoPauseError) in
    try c.upsertStream(
      StreamID(number: stream), kind: kind, layers: given, isLocal: isLocal, at: .at(time))
  }
}

@c @implementation
public func vp_remove_stream(
  _ coordinator: OpaquePointer?, _ stream: UInt64, _ time: Int64
) -> vp_status_code {
  input(coordinator) { c throws(VideoPauseError) in
    try c.removeStream(StreamID(number: stream), at: .at(time))
  }
}

@c @implementation
public func vp_set_publisher_muted(
  _ coordinator: OpaquePointer?, _ stream: UInt64, _ isMuted: Bool, _ time: Int64
) -> vp_status_code {
  input(coordinator) { c throws(VideoPauseError) in
    try c.setPublisherMuted(isMuted, for: StreamID(number: stream), at: .at(time))
  }
}

@c @implementation
public func vp_layer_locked(
  _ coordinator: OpaquePointer?, _ stream: UInt64, _ time: Int64
) -> vp_status_code {
  input(coordinator) { c throws(VideoPauseError) in
    try c.layerLocked(StreamID(number: stream), at: .at(time))
  }
}

// MARK: The subscriber

@c @implementation
public func vp_set_demand(
  _ coordinator: OpaquePointer?, _ stream: UInt64, _ demand: UnsafePointer<vp_demand>?,
  _ time: Int64
) -> vp_status_code {
  guard let demand else { return VP_ERROR_ARGUMENT }
  guard demand.pointee.hasRightSize else { return VP_ERROR_STRUCT_SIZE }
  guard let given = VideoDemand(demand.pointee) else { return VP_ERROR_ARGUMENT }
  return input(coordinator) { c throws(VideoPauseError) in
    try c.setDemand(given, for: StreamID(number: stream), at: .at(time))
  }
}

@c @implementation
public func vp_set_subscriber_paused(
  _ coordinator: OpaquePointer?, _ stream: UInt64, _ isPaused: Bool, _ time: Int64
) -> vp_status_code {
  input(coordinator) { c throws(VideoPauseError) in
    try c.setSubscriberPaused(isPaused, for: StreamID(number: stream), at: .at(time))
  }
}

@c @implementation
public func vp_set_speaker_order(
  _ coordinator: OpaquePointer?, _ participants: UnsafePointer<UInt64>?, _ count: Int, _ time: Int64
) -> vp_status_code {
  guard let order = ParticipantID.list(participants, count) else { return VP_ERROR_ARGUMENT }
  return input(coordinator) { c throws(VideoPauseError) in
    try c.setSpeakerOrder(order, at: .at(time))
  }
}

@c @implementation
public func vp_set_speaking(
  _ coordinator: OpaquePointer?, _ participant: UInt64, _ isSpeaking: Bool, _ time: Int64
) -> vp_status_code {
  guard let participant = ParticipantID(given: participant) else { return VP_ERROR_ARGUMENT }
  return input(coordinator) { c throws(VideoPauseError) in
    try c.setSpeaking(isSpeaking, for: participant, at: .at(time))
  }
}

@c @implementation
public func vp_set_last_n(
  _ coordinator: OpaquePointer?, _ count: UInt32, _ time: Int64
) -> vp_status_code {
  input(coordinator) { c throws(VideoPauseError) in
    try c.setLastN(count == .max ? nil : Int(count), at: .at(time))
  }
}

@c @implementation
public func vp_set_strategy(
  _ coordinator: OpaquePointer?, _ strategy: vp_strategy, _ time: Int64
) -> vp_status_code {
  guard let strategy = AllocationStrategy(numberInC: strategy.rawValue) else {
    return VP_ERROR_ARGUMENT
  }
  return input(coordinator) { c throws(VideoPauseError) in
    try c.setStrategy(strategy, at: .at(time))
  }
}

@c @implementation
public func vp_set_720p_enabled(
  _ coordinator: OpaquePointer?, _ isEnabled: Bool, _ time: Int64
) -> vp_status_code {
  input(coordinator) { c throws(VideoPauseError) in
    try c.set720pVideoReceiveEnabled(isEnabled, at: .at(time))
  }
}

@c @implementation
public func vp_set_video_pause_enabled(
  _ coordinator: OpaquePointer?, _ isEnabled: Bool, _ time: Int64
) -> vp_status_code {
  input(coordinator) { c throws(VideoPauseError) in
    if isEnabled {
      try c.enableClientCapabilities([.subscriberVideoPause], at: .at(time))
    } else {
      try c.disableClientCapabilities([.subscriberVideoPause], at: .at(time))
    }
  }
}

// MARK: The network

@c @implementation
public func vp_set_bandwidth_estimate(
  _ coordinator: OpaquePointer?, _ bitsPerSecond: Int64, _ congestion: vp_congestion, _ time: Int64
) -> vp_status_code {
  guard let congestion = CongestionState(congestion) else { return VP_ERROR_ARGUMENT }
  return input(coordinator) { c throws(VideoPauseError) in
    try c.setBandwidthEstimate(Int(bitsPerSecond), congestion: congestion, at: .at(time))
  }
}

@c @implementation
public func vp_set_audio(
  _ coordinator: OpaquePointer?, _ streamCount: UInt32, _ measured: Int64, _ time: Int64
) -> vp_status_code {
  input(coordinator) { c throws(VideoPauseError) in
    try c.setAudio(
      streamCount: Int(streamCount), measuredBitrate: Int(measured), at: .at(time))
  }
}

@c @implementation
public func vp_set_other_traffic(
  _ coordinator: OpaquePointer?, _ bitsPerSecond: Int64, _ time: Int64
) -> vp_status_code {
  input(coordinator) { c throws(VideoPauseError) in
    try c.setOtherTraffic(Int(bitsPerSecond), at: .at(time))
  }
}
