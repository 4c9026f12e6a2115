internal import Annotations
internal import VideoPause

// Lines about the subscriber: the network, the speakers, and the limits for all streams.

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

  mutating func otherTraffic(_ at: Timestamp) throws(LineFault) -> TraceStep.Apply {
    let rate = try required("bps", .bitrate)
    return { (coordinator) throws(VideoPauseError) in
      try coordinator.setOtherTraffic(rate, at: at)
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

  mutating func speakers(_ at: Timestamp) throws(LineFault) -> TraceStep.Apply {
    let recent = try required("participants", .participants)
    return { (coordinator) throws(VideoPauseError) in
      try coordinator.setSpeakerOrder(recent, at: at)
      return nil
    }
  }

  mutating func strategy(_ at: Timestamp) throws(LineFault) -> TraceStep.Apply {
    let strategy: AllocationStrategy = try required("strategy", .word)
    return { (coordinator) throws(VideoPauseError) in
      try coordinator.setStrategy(strategy, at: at)
      return nil
    }
  }

  mutating func lastN(_ at: Timestamp) throws(LineFault) -> TraceStep.Apply {
    let count = try required("count", .limit)
    return { (coordinator) throws(VideoPauseError) in
      try coordinator.setLastN(count, at: at)
      return nil
    }
  }

  mutating func receive720p(_ at: Timestamp) throws(LineFault) -> TraceStep.Apply {
    let isEnabled = try required("enabled", .flag)
    return { (coordinator) throws(VideoPauseError) in
      try coordinator.set720pVideoReceiveEnabled(isEnabled, at: at)
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

  mutating func debugMetadata() throws(LineFault) -> TraceStep.Apply {
    let isEnabled = try required("enabled", .flag)
    return { (coordinator) throws(VideoPauseError) in
      coordinator.setDebugMetadataEnabled(isEnabled)
      return nil
    }
  }
}
