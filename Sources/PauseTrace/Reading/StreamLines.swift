internal import Annotations
internal import VideoPause

// Lines about one stream.

extension Fields {
  mutating func stream(_ at: Timestamp) throws(LineFault) -> TraceStep.Apply {
    let id = try streamID()
    let usual: VideoKind = id.trackType == .screenShare ? .screenShare : .camera
    let kind = try optional("kind", .word) ?? usual
    let layers = try list("layers") { (fields) throws(LineFault) in try fields.layer() }
    let isLocal = try optional("local", .flag) ?? false
    return { (coordinator) throws(VideoPauseError) in
      try coordinator.upsertStream(id, kind: kind, layers: layers, isLocal: isLocal, at: at)
      return nil
    }
  }

  mutating func removeStream(_ at: Timestamp) throws(LineFault) -> TraceStep.Apply {
    let id = try streamID()
    return { (coordinator) throws(VideoPauseError) in
      try coordinator.removeStream(id, at: at)
      return nil
    }
  }

  mutating func demand(_ at: Timestamp) throws(LineFault) -> TraceStep.Apply {
    let id = try streamID()
    let demand = VideoDemand(
      isVisible: try optional("visible", .flag) ?? true,
      viewSize: try object("view") { (fields) throws(LineFault) in try fields.size(.viewPixels) },
      pin: try object("pin") { (fields) throws(LineFault) in try fields.pin(at) },
      priority: try optional("priority", .word),
      maximumQuality: try optional("maximum_quality", .word),
      minimumQuality: try optional("minimum_quality", .word),
      pausePolicy: try optional("pause_policy", .word) ?? .normal,
      maximumFramesPerSecond: try optional("maximum_fps", .frameRateLimit))
    return { (coordinator) throws(VideoPauseError) in
      try coordinator.setDemand(demand, for: id, at: at)
      return nil
    }
  }

  mutating func publisherMuted(_ at: Timestamp) throws(LineFault) -> TraceStep.Apply {
    let id = try streamID()
    let isMuted = try required("muted", .flag)
    return { (coordinator) throws(VideoPauseError) in
      try coordinator.setPublisherMuted(isMuted, for: id, at: at)
      return nil
    }
  }

  mutating func subscriberPaused(_ at: Timestamp) throws(LineFault) -> TraceStep.Apply {
    let id = try streamID()
    let isPaused = try required("paused", .flag)
    return { (coordinator) throws(VideoPauseError) in
      try coordinator.setSubscriberPaused(isPaused, for: id, at: at)
      return nil
    }
  }

  mutating func locked(_ at: Timestamp) throws(LineFault) -> TraceStep.Apply {
    let id = try streamID()
    return { (coordinator) throws(VideoPauseError) in
      try coordinator.layerLocked(id, at: at)
      return nil
    }
  }

  // MARK: Parts

  private mutating func streamID() throws(LineFault) -> StreamID {
    StreamID(
      participant: try required("participant", .participant),
      trackType: try optional("track", .track) ?? .video)
  }

  private mutating func layer() throws(LineFault) -> VideoLayer {
    VideoLayer(
      spatial: try required("spatial", .layerIndex),
      temporal: try optional("temporal", .layerIndex) ?? 0,
      size: try size(.pixels),
      framesPerSecond: try optional("fps", .framesPerSecond) ?? 0,
      bitrate: try required("bps", .bitrate), isActive: try optional("active", .flag) ?? true,
      isDecodeTarget: try optional("decode_target", .flag) ?? false)
  }

  private mutating func size(_ side: FieldKind<Int>) throws(LineFault) -> VideoSize {
    VideoSize(width: try required("width", side), height: try required("height", side))
  }

  private mutating func pin(_ at: Timestamp) throws(LineFault) -> Pin {
    Pin(
      isLocal: try optional("local", .flag) ?? true, pinnedAt: try optional("at", .timestamp) ?? at)
  }
}
