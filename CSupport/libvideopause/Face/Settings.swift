// The functions have the names that the header gives them.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CVideoPause

@c @implementation
public func vp_config_default(_ config: UnsafeMutablePointer<vp_config>?) -> vp_status_code {
  guard let config else { return VP_ERROR_ARGUMENT }
  config.pointee = vp_config(.default)
  return VP_OK
}

@c @implementation
public func vp_config_invalid_field(
  _ config: UnsafePointer<vp_config>?
) -> UnsafePointer<CChar>? {
  guard let config, config.pointee.hasRightSize else { return nil }
  guard let configuration = VideoPauseConfiguration(config.pointee) else { return text("strategy") }
  return configuration.invalidField.map { text($0.nameInC) }
}

extension vp_config {
  var hasRightSize: Bool { struct_size == UInt32(MemoryLayout<Self>.size) }

  fileprivate init(_ configuration: VideoPauseConfiguration) {
    self.init()
    struct_size = UInt32(MemoryLayout<Self>.size)
    // contract: to C
    strategy = configuration.strategy.numberInC
    initial_estimate_bps = Int64(configuration.initialEstimate)
    audio_bitrate_per_stream_bps = Int64(configuration.audioBitratePerStream)
    audio_stream_limit = UInt32(configuration.audioStreamLimit)
    audio_headroom = configuration.audioHeadroom
    other_traffic_reserve_bps = Int64(configuration.otherTrafficReserve)
    grow_margin = configuration.growMargin
    evidence_window_us = configuration.evidenceWindow.wholeMicroseconds
    tolerated_queue_us = configuration.toleratedQueue.wholeMicroseconds
    tolerated_outage_us = configuration.toleratedOutage.wholeMicroseconds
    decision_interval_us = configuration.decisionInterval.wholeMicroseconds
    hold_off_us = configuration.holdOff.wholeMicroseconds
    resume_limit = UInt32(configuration.resumeLimit)
    gate_period_us = configuration.gatePeriod.wholeMicroseconds
    lock_timeout_us = configuration.lockTimeout.wholeMicroseconds
    hidden_grace_us = configuration.hiddenGrace.wholeMicroseconds
    maximum_oversend_bps = Int64(configuration.maximumOversend)
    preferred_height = UInt32(configuration.preferredHeight)
    is_screen_share_first = configuration.screenShareFirst ? 1 : 0
    minimum_probe_step_bps = Int64(configuration.minimumProbeStep)
    probe_interval_us = configuration.probeInterval.wholeMicroseconds
    maximum_probe_interval_us = configuration.maximumProbeInterval.wholeMicroseconds
    maximum_pinned_probe_interval_us = configuration.maximumPinnedProbeInterval.wholeMicroseconds
    is_720p_enabled = configuration.is720pVideoReceiveEnabled ? 1 : 0
    maximum_streams = UInt32(configuration.maximumStreams)
    // contract end
  }
}

extension VideoPauseConfiguration {
  /// Takes the fields as they are, in or out of range; nil if the strategy is none.
  init?(_ config: vp_config) {
    guard let strategy = AllocationStrategy(numberInC: config.strategy) else { return nil }
    self.strategy = strategy
    // contract: from C
    initialEstimate = Int(config.initial_estimate_bps)
    audioBitratePerStream = Int(config.audio_bitrate_per_stream_bps)
    audioStreamLimit = Int(config.audio_stream_limit)
    audioHeadroom = config.audio_headroom
    otherTrafficReserve = Int(config.other_traffic_reserve_bps)
    growMargin = config.grow_margin
    evidenceWindow = .microseconds(config.evidence_window_us)
    toleratedQueue = .microseconds(config.tolerated_queue_us)
    toleratedOutage = .microseconds(config.tolerated_outage_us)
    decisionInterval = .microseconds(config.decision_interval_us)
    holdOff = .microseconds(config.hold_off_us)
    resumeLimit = Int(config.resume_limit)
    gatePeriod = .microseconds(config.gate_period_us)
    lockTimeout = .microseconds(config.lock_timeout_us)
    hiddenGrace = .microseconds(config.hidden_grace_us)
    maximumOversend = Int(config.maximum_oversend_bps)
    preferredHeight = Int(config.preferred_height)
    screenShareFirst = config.is_screen_share_first != 0
    minimumProbeStep = Int(config.minimum_probe_step_bps)
    probeInterval = .microseconds(config.probe_interval_us)
    maximumProbeInterval = .microseconds(config.maximum_probe_interval_us)
    maximumPinnedProbeInterval = .microseconds(config.maximum_pinned_probe_interval_us)
    is720pVideoReceiveEnabled = config.is_720p_enabled != 0
    maximumStreams = Int(config.maximum_streams)
    // contract end
  }
}

extension VideoPauseConfiguration.RangedField {
  fileprivate var nameInC: StaticString {
    switch self {
    // contract: names in C
    case .initialEstimate: "initial_estimate_bps"
    case .audioBitratePerStream: "audio_bitrate_per_stream_bps"
    case .audioStreamLimit: "audio_stream_limit"
    case .audioHeadroom: "audio_headroom"
    case .otherTrafficReserve: "other_traffic_reserve_bps"
    case .growMargin: "grow_margin"
    case .evidenceWindow: "evidence_window_us"
    case .toleratedQueue: "tolerated_queue_us"
    case .toleratedOutage: "tolerated_outage_us"
    case .decisionInterval: "decision_interval_us"
    case .holdOff: "hold_off_us"
    case .resumeLimit: "resume_limit"
    case .gatePeriod: "gate_period_us"
    case .lockTimeout: "lock_timeout_us"
    case .hiddenGrace: "hidden_grace_us"
    case .maximumOversend: "maximum_oversend_bps"
    case .preferredHeight: "preferred_height"
    case .minimumProbeStep: "minimum_probe_step_bps"
    case .probeInterval: "probe_interval_us"
    case .maximumProbeInterval: "maximum_probe_interval_us"
    case .maximumPinnedProbeInterval: "maximum_pinned_probe_interval_us"
    case .maximumStreams: "maximum_streams"
    // contract end
    }
  }
}
