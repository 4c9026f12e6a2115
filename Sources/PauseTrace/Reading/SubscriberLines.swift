internal import Annotations
internal import VideoPause

// Lines about the subscriber's network, the speakers and the capabilities.

extension Fields {
  mutating func estimate(_ at: Timestamp) throws(LineFault) -> TraceStep.Apply {
    let rate = try required("bps", .bitrate)
    let congestion: CongestionState = try optional("congestion", .word) ?? .none
    return { (coordinator) throws(VideoPauseError) in
      try coordinator.setBandwidthEstimate(rate, congestion: congestion, at: at)
      return nil
    }
  }

  mutating func audio(_ at: Timestamp) throws(LineFault) -> TraceStep.Apply {
    let count = try required("streams", .count)
    let measured = try optional("measured_bps", .bitrate)
    return { (coordinator) throws(VideoPauseError) in
      try coordinator.setAudio(streamCount: count, measuredBitrate: measured, at: at)
      return nil
    }
  }

  mutating func speaking(_ at: Timestamp) throws(LineFault) -> TraceStep.Apply {
    let participant = try required("participant", .participant)
    let isSpeaking = try required("speaking", .flag)
    return { (coordinator) throws(VideoPauseError) in
      try coordinator.setSpeaking(isSpeaking, for: participant, at: at)
      return nil
    }
  }

  mutating func capabilities(_ at: Timestamp) throws(LineFault) -> TraceStep.Apply {
    let added = try optional("enable", .capabilities) ?? []
    let removed = try optional("disable", .capabilities) ?? []
    guard added.isDisjoint(with: removed) else {
      throw LineFault("enable and disable name the same capability: remove it from one of them")
    }
    return { (coordinator) throws(VideoPauseError) in
      try coordinator.enableClientCapabilities(added, at: at)
      try coordinator.disableClientCapabilities(removed, at: at)
      return nil
    }
  }
}
