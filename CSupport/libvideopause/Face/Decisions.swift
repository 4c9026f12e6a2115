// The functions have the names that the header gives them.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CVideoPause

@c @implementation
public func vp_decide(
  _ coordinator: OpaquePointer?, _ time: Int64, _ isChanged: UnsafeMutablePointer<Bool>?
) -> vp_status_code {
  input(coordinator) { c throws(VideoPauseError) in
    let isNew = try c.renew(at: .at(time))
    isChanged?.pointee = isNew
  }
}

@c @implementation
public func vp_is_decision_due(
  _ coordinator: OpaquePointer?, _ time: Int64, _ isDue: UnsafeMutablePointer<Bool>?
) -> vp_status_code {
  guard let isDue else { return VP_ERROR_ARGUMENT }
  return input(coordinator) { c throws(VideoPauseError) in
    try c.checkTime(.at(time))
    isDue.pointee = c.isDecisionDue(at: .at(time))
  }
}

@c @implementation
public func vp_current_decision(
  _ coordinator: OpaquePointer?, _ result: UnsafeMutablePointer<vp_decision>?
) -> vp_status_code {
  guard let coordinator, let result else { return VP_ERROR_ARGUMENT }
  guard result.pointee.struct_size == UInt32(MemoryLayout<vp_decision>.size) else {
    return VP_ERROR_STRUCT_SIZE
  }
  result.pointee = vp_decision(coordinator.target.pointee.decision)
  return VP_OK
}

@c @implementation
public func vp_stream_decisions(
  _ coordinator: OpaquePointer?, _ rows: UnsafeMutablePointer<vp_stream_decision>?, _ capacity: Int,
  _ count: UnsafeMutablePointer<Int>?
) -> vp_status_code {
  guard let coordinator, let count, rows != nil || capacity == 0 else { return VP_ERROR_ARGUMENT }
  let needed = coordinator.target.pointee.decision.streams.count
  count.pointee = needed
  guard UInt(bitPattern: capacity) >= UInt(needed) else { return VP_ERROR_CAPACITY }
  guard let rows else { return VP_OK }
  for place in 0..<needed {
    rows[place] = vp_stream_decision(coordinator.target.pointee.decision.streams[place])
  }
  return VP_OK
}

@c @implementation
public func vp_layer_verdicts(
  _ coordinator: OpaquePointer?, _ stream: UInt64,
  _ verdicts: UnsafeMutablePointer<vp_layer_verdict>?,
  _ capacity: Int, _ count: UnsafeMutablePointer<Int>?
) -> vp_status_code {
  guard let coordinator, let count, verdicts != nil || capacity == 0 else {
    return VP_ERROR_ARGUMENT
  }
  let rows = coordinator.target.pointee.decision.streams
  guard let row = rows.first(where: { $0.id.number == stream }) else {
    return VP_ERROR_UNKNOWN_STREAM
  }
  var needed = 0
  coordinator.target.pointee.forEachVerdict(on: row) { layer, outcome in
    if let verdicts, UInt(needed) < UInt(bitPattern: capacity) {
      verdicts[needed] = vp_layer_verdict(
        layer: vp_layer(layer), outcome: outcome.numberInC, reserved: 0)
    }
    needed += 1
  }
  count.pointee = needed
  return UInt(bitPattern: capacity) < UInt(needed) ? VP_ERROR_CAPACITY : VP_OK
}

@c @implementation
public func vp_drain_paused_changes(
  _ coordinator: OpaquePointer?, _ changes: UnsafeMutablePointer<vp_paused_change>?,
  _ capacity: Int,
  _ count: UnsafeMutablePointer<Int>?
) -> vp_status_code {
  guard let coordinator, let count, changes != nil || capacity == 0 else {
    return VP_ERROR_ARGUMENT
  }
  var written = 0
  if let changes {
    coordinator.target.pointee.streams.drainPaused { id, isPaused in
      guard UInt(written) < UInt(bitPattern: capacity) else { return false }
      changes[written] = vp_paused_change(
        stream: id.number, is_paused: isPaused ? 1 : 0, reserved: 0)
      written += 1
      return true
    }
  }
  count.pointee = written
  return VP_OK
}

extension vp_decision {
  fileprivate init(_ decision: AllocationDecision) {
    self.init()
    struct_size = UInt32(MemoryLayout<Self>.size)
    is_deficient = decision.isDeficient ? 1 : 0
    is_oversending = decision.isOversending ? 1 : 0
    has_probe = decision.probe == nil ? 0 : 1
    generation = decision.generation
    stream_count = UInt64(decision.streams.count)
    estimate_bps = Int64(decision.budget.estimate)
    audio_reserve_bps = Int64(decision.budget.audioReserve)
    other_reserve_bps = Int64(decision.budget.otherReserve)
    keep_bps = Int64(decision.budget.keep)
    grow_bps = Int64(decision.budget.grow)
    pictures_bps = Int64(decision.budget.pictures)
    target_bps = Int64(decision.targetBitrate)
    ideal_bps = Int64(decision.idealBitrate)
    probe_bps = Int64(decision.probe?.bitrate ?? 0)
    probe_not_before_us = decision.probe?.notBefore.microseconds ?? .max
    next_decision_at_us = decision.nextDecisionAt?.microseconds ?? .max
    strategy = decision.strategy.numberInC
  }
}

extension vp_stream_decision {
  fileprivate init(_ row: StreamDecision) {
    self.init()
    stream = row.id.number
    reason = row.target.pauseReason.map { $0.numberInC } ?? VP_FORWARDED.rawValue
    needs_key_frame = row.needsKeyFrame ? 1 : 0
    required_bps = Int64(row.required)
    layer = vp_layer(row.target.layer)
    ideal = vp_layer(row.ideal)
  }
}

extension PauseReason {
  fileprivate var numberInC: UInt32 {
    switch self {
    case .bandwidth: VP_PAUSED_BANDWIDTH.rawValue
    case .notVisible: VP_PAUSED_NOT_VISIBLE.rawValue
    case .notRequested: VP_PAUSED_NOT_REQUESTED.rawValue
    case .publisherMuted: VP_PAUSED_BY_PUBLISHER.rawValue
    case .subscriberPaused: VP_PAUSED_BY_SUBSCRIBER.rawValue
    case .feedDry: VP_PAUSED_FEED_DRY.rawValue
    case .belowMinimumQuality: VP_PAUSED_BELOW_MINIMUM.rawValue
    }
  }
}

extension LayerOutcome {
  fileprivate var numberInC: UInt32 {
    switch self {
    case .forwarded: VP_LAYER_FORWARDED.rawValue
    case .surpassed: VP_LAYER_SURPASSED.rawValue
    case .bandwidth: VP_LAYER_BANDWIDTH.rawValue
    case .heldBack: VP_LAYER_HELD_BACK.rawValue
    case .aboveDemand: VP_LAYER_ABOVE_DEMAND.rawValue
    case .belowMinimumQuality: VP_LAYER_BELOW_MINIMUM.rawValue
    case .dominated: VP_LAYER_DOMINATED.rawValue
    case .notSent: VP_LAYER_NOT_SENT.rawValue
    case .notWanted: VP_LAYER_NOT_WANTED.rawValue
    }
  }
}
