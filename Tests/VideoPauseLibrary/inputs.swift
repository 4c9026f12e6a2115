import CVideoPause

/// Random inputs, some of them invalid, for both.
extension Call {
  mutating func giveInput() {
    let at = Timestamp(microseconds: now)
    let participant = UInt64(random.below(12))
    let stream = participant << 1 | (random.chance(80) ? 1 : 0)
    let flag = random.chance(50)
    switch random.below(24) {
    case 0..<3:
      let layers = randomLayers()
      let kind = stream & 1 == 1 ? VideoKind.camera : .screenShare
      let isLocal = random.chance(5)
      let given = layers.map {
        vp_layer(
          spatial: UInt32($0.spatial), temporal: UInt32($0.temporal), width: UInt32($0.size.width),
          height: UInt32($0.size.height), is_active: $0.isActive ? 1 : 0,
          is_decode_target: $0.isDecodeTarget ? 1 : 0, frames_per_second: $0.framesPerSecond,
          bitrate_bps: Int64($0.bitrate))
      }
      give(
        "vp_upsert_stream",
        vp_upsert_stream(
          library, stream, kind == .camera ? VP_KIND_CAMERA : VP_KIND_SCREEN_SHARE, isLocal, given,
          given.count, now)
      ) { c throws(VideoPauseError) in
        try c.upsertStream(id(stream), kind: kind, layers: layers, isLocal: isLocal, at: at)
      }
    case 3:
      guard random.chance(30) else { return }
      give("vp_remove_stream", vp_remove_stream(library, stream, now)) {
        c throws(VideoPauseError) in
        try c.removeStream(id(stream), at: at)
      }
    case 4:
      give("vp_set_publisher_muted", vp_set_publisher_muted(library, stream, flag, now)) {
        c throws(VideoPauseError) in try c.setPublisherMuted(flag, for: id(stream), at: at)
      }
    case 5..<8:
      give("vp_layer_locked", vp_layer_locked(library, stream, now)) { c throws(VideoPauseError) in
        try c.layerLocked(id(stream), at: at)
      }
    case 8..<10: giveDemand(stream)
    case 10:
      let isPaused = random.chance(30)
      give("vp_set_subscriber_paused", vp_set_subscriber_paused(library, stream, isPaused, now)) {
        c throws(VideoPauseError) in
        try c.setSubscriberPaused(isPaused, for: id(stream), at: at)
      }
    case 11:
      let speakers = (0..<random.below(5)).map { _ in UInt64(random.below(14)) }
      give("vp_set_speaker_order", vp_set_speaker_order(library, speakers, speakers.count, now)) {
        c throws(VideoPauseError) in try c.setSpeakerOrder(speakers.map(name), at: at)
      }
    case 12:
      let limit = random.chance(60) ? nil : random.below(10)
      give("vp_set_last_n", vp_set_last_n(library, limit.map { UInt32($0) } ?? .max, now)) {
        c throws(VideoPauseError) in try c.setLastN(limit, at: at)
      }
    case 13:
      guard random.chance(20) else { return }
      let strategy = random.pick(AllocationStrategy.allCases)
      let given = [VP_STRATEGY_GRID, VP_STRATEGY_PRIORITY, VP_STRATEGY_STAGE][
        AllocationStrategy.allCases.firstIndex(of: strategy)!]
      give("vp_set_strategy", vp_set_strategy(library, given, now)) { c throws(VideoPauseError) in
        try c.setStrategy(strategy, at: at)
      }
      give("vp_set_720p_enabled", vp_set_720p_enabled(library, flag, now)) {
        c throws(VideoPauseError) in
        try c.set720pVideoReceiveEnabled(flag, at: at)
      }
    case 14:
      guard random.chance(20) else { return }
      let isEnabled = random.chance(80)
      give("vp_set_video_pause_enabled", vp_set_video_pause_enabled(library, isEnabled, now)) {
        c throws(VideoPauseError) in
        if isEnabled {
          try c.enableClientCapabilities([.subscriberVideoPause], at: at)
        } else {
          try c.disableClientCapabilities([.subscriberVideoPause], at: at)
        }
      }
    case 15:
      let count = random.below(6)
      let measured = random.chance(3) ? -1 : random.chance(50) ? 0 : random.below(400_000)
      give("vp_set_audio", vp_set_audio(library, UInt32(count), Int64(measured), now)) {
        c throws(VideoPauseError) in
        try c.setAudio(streamCount: count, measuredBitrate: measured, at: at)
      }
      let other = random.chance(3) ? -1 : random.below(500_000)
      give("vp_set_other_traffic", vp_set_other_traffic(library, Int64(other), now)) {
        c throws(VideoPauseError) in try c.setOtherTraffic(other, at: at)
      }
    case 16:
      give("vp_set_speaking", vp_set_speaking(library, participant, flag, now)) {
        c throws(VideoPauseError) in
        try c.setSpeaking(flag, for: name(participant), at: at)
      }
    case 17: giveMeeting()
    case 18:
      let given: vp_video_layout
      let layout: VideoLayout
      if random.chance(70) {
        (given, layout) = (VP_LAYOUT_CUSTOM, .custom)
      } else {
        let place = random.below(3)
        given = [VP_LAYOUT_GALLERY, VP_LAYOUT_PEOPLE, VP_LAYOUT_SPEAKER][place]
        layout = [.gallery, .people, .speaker][place]
      }
      give(
        "vp_set_video_layout", vp_set_video_layout(library, given, now),
        asking: { c throws(VideoPauseError) in
          counterpart(of: try c.setVideoLayout(layout, at: at))
        })
    case 19: giveEntries()
    default:
      let rate =
        random.chance(2)
        ? -random.below(10) : random.below(random.pick([100_000, 1_000_000, 10_000_000]))
      let verdict = random.chance(80) ? 0 : random.below(3)
      let congestion = CongestionState.allCases[verdict]
      give(
        "vp_set_bandwidth_estimate",
        vp_set_bandwidth_estimate(
          library, Int64(rate),
          [VP_CONGESTION_NONE, VP_CONGESTION_EARLY_WARNING, VP_CONGESTION_CONGESTED][verdict], now)
      ) { c throws(VideoPauseError) in
        try c.setBandwidthEstimate(rate, congestion: congestion, at: at)
      }
    }
  }

  mutating func giveMeeting() {
    let at = Timestamp(microseconds: now)
    let isOn = random.chance(90)
    give("vp_set_in_meeting", vp_set_in_meeting(library, isOn, now)) { c throws(VideoPauseError) in
      try c.setInMeeting(isOn, at: at)
    }
    let isAvailable = random.chance(90)
    give(
      "vp_set_custom_layout_available", vp_set_custom_layout_available(library, isAvailable, now)
    ) { c throws(VideoPauseError) in
      try c.setCustomLayoutAvailable(isAvailable, at: at)
    }
    let everybody = (0..<random.below(20)).map { _ in UInt64(random.below(14)) }
    give(
      "vp_set_participants", vp_set_participants(library, everybody, everybody.count, now)
    ) { c throws(VideoPauseError) in
      try c.setParticipants(Set(everybody.map(name)), at: at)
    }
  }

  mutating func giveEntries() {
    let count = random.chance(5) ? 24 + random.below(4) : random.below(6)
    let (hasPriorities, hasNames) = (random.chance(60), random.chance(30))
    var entries: [VideoStreamConfiguration] = []
    var given: [vp_layout_stream] = []
    for _ in 0..<count {
      let quality = random.below(12)
      let participant = hasNames || random.chance(20) ? UInt64(random.below(14)) : nil
      let hasPriority = hasPriorities != random.chance(2)
      let priority = hasPriority ? random.pick(StreamPriority.allCases) : nil
      entries.append(
        VideoStreamConfiguration(
          requestedStreamQuality: StreamQuality.allCases[quality],
          participantID: participant.map(name), streamPriority: priority))
      given.append(
        vp_layout_stream(
          participant: participant ?? 7, has_participant: participant == nil ? 0 : 1,
          quality: UInt32(quality + 1), priority: UInt32((priority?.rawValue ?? -1) + 1),
          reserved: 9))
    }
    let at = Timestamp(microseconds: now)
    give(
      "vp_set_layout_streams", vp_set_layout_streams(library, given, count, now),
      asking: { c throws(VideoPauseError) in
        counterpart(of: try c.setVideoStreamConfiguration(entries, at: at))
      })
    var layout = VP_LAYOUT_NONE
    expect(vp_current_layout(library, &layout), VP_OK, "vp_current_layout")
    let names: [VideoLayout?] = [nil, .gallery, .people, .speaker, .custom]
    expect(names[Int(layout.rawValue)], swift.videoLayout, "the layout, step \(steps)")
  }

  mutating func giveDemand(_ stream: UInt64) {
    var demand = VideoDemand()
    var given = vp_demand()
    expect(vp_demand_default(&given), VP_OK, "vp_demand_default")
    demand.isVisible = random.chance(85)
    given.is_visible = demand.isVisible ? 1 : 0
    if random.chance(60) {
      let size = VideoSize(
        width: random.below(2000), height: random.pick([0, 90, 180, 360, 720, 1080]))
      demand.viewSize = size
      (given.has_view_size, given.view_width, given.view_height) = (
        1, UInt32(size.width), UInt32(size.height)
      )
    }
    if random.chance(15) {
      let pin = Pin(isLocal: random.chance(50), pinnedAt: Timestamp(microseconds: now))
      demand.pin = pin
      (given.pin, given.pinned_at_us) = (
        pin.isLocal ? VP_PIN_OWN.rawValue : VP_PIN_EVERYBODY.rawValue, now
      )
    }
    if random.chance(20) {
      let priority = random.pick(StreamPriority.allCases)
      (demand.priority, given.priority) = (priority, UInt32(priority.rawValue + 1))
    }
    if random.chance(20) {
      let place = random.below(12)
      (demand.maximumQuality, given.maximum_quality) = (
        StreamQuality.allCases[place], UInt32(place + 1)
      )
    }
    if random.chance(20) {
      let place = random.below(12)
      (demand.minimumQuality, given.minimum_quality) = (
        StreamQuality.allCases[place], UInt32(place + 1)
      )
    }
    if random.chance(20) {
      let place = random.below(3)
      (demand.pausePolicy, given.pause_policy) = (PausePolicy.allCases[place], UInt32(place))
    }
    if random.chance(10) {
      let rate = random.pick([-1, .nan, 7.5, 15, .infinity])
      (demand.maximumFramesPerSecond, given.maximum_frames_per_second) = (rate, rate)
    }
    let time = Timestamp(microseconds: now)
    give("vp_set_demand", vp_set_demand(library, stream, &given, now)) {
      c throws(VideoPauseError) in
      try c.setDemand(demand, for: id(stream), at: time)
    }
  }

  mutating func randomLayers() -> [VideoLayer] {
    let scale = random.pick([1, 1, 2, 5])
    let isScalable = random.chance(30)
    var layers: [VideoLayer] = []
    for (spatial, height) in [180, 360, 720].enumerated() where random.chance(90) {
      for temporal in 0..<(1 + random.below(3)) {
        layers.append(
          VideoLayer(
            spatial: spatial, temporal: temporal,
            size: VideoSize(width: height * 16 / 9, height: height),
            framesPerSecond: random.chance(70) ? [7.5, 15, 30][temporal] : 0,
            bitrate: scale * (50_000 << (2 * spatial)) * (temporal + 2) / 2 + random.below(20_000),
            isActive: random.chance(92), isDecodeTarget: isScalable != random.chance(1)))
      }
    }
    if random.chance(4), let first = layers.first { layers.append(first) }
    if random.chance(3), !layers.isEmpty {
      layers[0].bitrate = random.pick([-1, 2_000_000_000_000])
    }
    if random.chance(2), !layers.isEmpty {
      layers[0].framesPerSecond = random.pick([.nan, -1, .infinity])
    }
    if random.chance(2), !layers.isEmpty { layers[0].size.height = 0 }
    if random.chance(2), !layers.isEmpty { layers[0].spatial = random.pick([4, 256]) }
    return layers
  }
}
