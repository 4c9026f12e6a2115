extension VideoPauseCoordinator {
  /// What is paused for bandwidth, by participant. A participant with nothing paused is not in it. Audio never is.
  ///
  /// A pause is in it from the decision on; a resume once its picture is there, that is after ``layerLocked(_:at:)`` or
  /// `lockTimeout`.
  public var pausedTracks: [ParticipantID: Set<TrackType>] {
    var paused: [ParticipantID: Set<TrackType>] = [:]
    for stream in streams where stream.isReportedPaused {
      paused[stream.id.participant, default: []].insert(stream.id.trackType)
    }
    return paused
  }

  /// What changed in ``pausedTracks`` since the last call; nil if nothing did.
  public mutating func drainPausedTracksChanges() -> PausedTracksChange? {
    let present = pausedTracks
    defer { toldPausedTracks = present }
    return PausedTracksChange(from: toldPausedTracks, to: present)
  }

  /// What is received, by id: only videos whose picture is there.
  public var videoStreams: [VideoStream] {
    streams.compactMap { stream in
      guard let layer = stream.received else { return nil }
      let metadata = VideoStreamMetadata(
        framesPerSecond: layer.framesPerSecond, bitrate: layer.bitrate)
      return VideoStream(
        id: stream.id, resolution: layer.size, metadata: isDebugMetadataEnabled ? metadata : nil)
    }
  }

  /// ``videoStreams`` if they changed since the last call; nil if they did not.
  public mutating func drainVideoStreams() -> [VideoStream]? {
    let present = videoStreams
    guard present != toldVideoStreams else { return nil }
    toldVideoStreams = present
    return present
  }

  // MARK: Locks

  /// The forwarder has the picture of what it was told to forward.
  mutating func lock(_ place: Int) {
    guard streams[place].current != nil else { return }
    streams[place].needsKeyFrame = false
    arrive(place)
    if let rank = decision.streams.firstIndex(where: { $0.id == streams[place].id }) {
      decision.streams[rank].needsKeyFrame = false
    }
  }

  /// Takes as told what was waited for long enough: a forwarder that never tells must not keep a tile dark.
  mutating func settleLocks(at now: Timestamp) {
    for place in streams.indices {
      guard let since = streams[place].lockPendingSince else { continue }
      if now.microseconds(since: since) >= timing.lockTimeout { arrive(place) }
    }
  }

  private mutating func arrive(_ place: Int) {
    streams[place].received = streams[place].current
    streams[place].lockPendingSince = nil
    streams[place].isReportedPaused = false
  }
}
