// The functions have the names that the header gives them.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CVideoPause

extension Timestamp {
  static func at(_ microseconds: Int64) -> Timestamp { Timestamp(microseconds: microseconds) }
}

extension VideoKind {
  init?(_ kind: vp_kind) {
    switch kind {
    case VP_KIND_CAMERA: self = .camera
    case VP_KIND_SCREEN_SHARE: self = .screenShare
    default: return nil
    }
  }
}

extension CongestionState {
  init?(_ congestion: vp_congestion) {
    switch congestion {
    case VP_CONGESTION_NONE: self = .none
    case VP_CONGESTION_EARLY_WARNING: self = .earlyWarning
    case VP_CONGESTION_CONGESTED: self = .congested
    default: return nil
    }
  }
}

extension AllocationStrategy {
  init?(numberInC number: UInt32) {
    switch vp_strategy(number) {
    case VP_STRATEGY_GRID: self = .grid
    case VP_STRATEGY_PRIORITY: self = .priority
    case VP_STRATEGY_STAGE: self = .stage
    default: return nil
    }
  }

  var numberInC: UInt32 {
    switch self {
    case .grid: VP_STRATEGY_GRID.rawValue
    case .priority: VP_STRATEGY_PRIORITY.rawValue
    case .stage: VP_STRATEGY_STAGE.rawValue
    }
  }
}

extension VideoLayer {
  init(_ layer: vp_layer) {
    self.init(
      spatial: Int(layer.spatial), temporal: Int(layer.temporal),
      size: VideoSize(width: Int(layer.width), height: Int(layer.height)),
      framesPerSecond: layer.frames_per_second, bitrate: Int(layer.bitrate_bps),
      isActive: layer.is_active != 0, isDecodeTarget: layer.is_decode_target != 0)
  }
}

extension vp_layer {
  /// All 0 for nil.
  init(_ layer: VideoLayer?) {
    self.init()
    guard let layer else { return }
    // What the coordinator holds came in as 32 bits.
    spatial = UInt32(truncatingIfNeeded: layer.spatial)
    temporal = UInt32(truncatingIfNeeded: layer.temporal)
    width = UInt32(truncatingIfNeeded: layer.size.width)
    height = UInt32(truncatingIfNeeded: layer.size.height)
    is_active = layer.isActive ? 1 : 0
    is_decode_target = layer.isDecodeTarget ? 1 : 0
    frames_per_second = layer.framesPerSecond
    bitrate_bps = Int64(layer.bitrate)
  }
}

// MARK: Demand

@c @implementation
public func vp_demand_default(_ demand: UnsafeMutablePointer<vp_demand>?) -> vp_status_code {
  guard let demand else { return VP_ERROR_ARGUMENT }
  demand.pointee = vp_demand()
  demand.pointee.struct_size = UInt32(MemoryLayout<vp_demand>.size)
  demand.pointee.is_visible = 1
  return VP_OK
}

extension vp_demand {
  var hasRightSize: Bool { struct_size == UInt32(MemoryLayout<Self>.size) }
}

extension StreamPriority? {
  /// Returns the priority of a `vp_priority`; nil if the number is none of its enum's.
  static func given(_ number: UInt32) -> StreamPriority?? {
    switch vp_priority(number) {
    case VP_PRIORITY_NONE: .some(nil)
    case VP_PRIORITY_LOW: .low
    case VP_PRIORITY_MEDIUM: .medium
    case VP_PRIORITY_HIGH: .high
    default: nil
    }
  }
}

extension StreamQuality? {
  /// Returns the quality of a `vp_quality`; nil if the number is none of its enum's.
  static func given(_ number: UInt32) -> StreamQuality?? {
    let qualities = StreamQuality.allCases
    guard number <= qualities.count else { return nil }
    return .some(number == 0 ? nil : qualities[Int(number) - 1])
  }
}

extension VideoDemand {
  /// nil if a number is none of its enum's.
  init?(_ demand: vp_demand) {
    self.init()
    isVisible = demand.is_visible != 0
    if demand.has_view_size != 0 {
      viewSize = VideoSize(width: Int(demand.view_width), height: Int(demand.view_height))
    }
    switch vp_pin(demand.pin) {
    case VP_PIN_NONE: pin = nil
    case VP_PIN_OWN: pin = Pin(pinnedAt: .at(demand.pinned_at_us))
    case VP_PIN_EVERYBODY: pin = Pin(isLocal: false, pinnedAt: .at(demand.pinned_at_us))
    default: return nil
    }
    guard let given = StreamPriority?.given(demand.priority),
      let most = StreamQuality?.given(demand.maximum_quality),
      let least = StreamQuality?.given(demand.minimum_quality)
    else { return nil }
    (priority, maximumQuality, minimumQuality) = (given, most, least)
    switch vp_pause_policy(demand.pause_policy) {
    case VP_PAUSE_NORMAL: pausePolicy = .normal
    case VP_PAUSE_LAST_RESORT: pausePolicy = .lastResort
    case VP_PAUSE_NEVER: pausePolicy = .never
    default: return nil
    }
    let rate = demand.maximum_frames_per_second
    maximumFramesPerSecond = rate == 0 ? nil : rate
  }
}
