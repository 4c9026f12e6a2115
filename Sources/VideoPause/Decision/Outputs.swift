extension VideoPauseCoordinator {
  /// The tracks that are paused for bandwidth, by participant.
  ///
  /// Participants without paused tracks have no entry, and audio never appears. A paused track appears with the
  /// decision that pauses it. It disappears once its picture has arrived, that is, after ``layerLocked(_:at:)`` or
  /// `lockTimeout`.
  public var pausedTracks: [ParticipantID: Set<TrackType>] {
    var paused: [ParticipantID: Set<TrackType>] = [:]
    for stream in streams.states where stream.phase.isReportedPaused {
      paused[stream.id.participant, default: []].insert(stream.id.trackType)
    }
    return paused
  }

  /// What the subscriber's client shows of pausing.
  public var state: SubscriberState {
    let paused = pausedTracks
    return SubscriberState(
      participants: everybody.sorted().map {
        SubscriberState.Participant(id: $0, pausedTracks: paused[$0] ?? [])
      },
      clientCapabilities: clientCapabilities)
  }

  /// Returns what changed in ``pausedTracks`` since the last call; nil if nothing did.
  public mutating func drainPausedTracksChanges() -> PausedTracksChange? {
    var change = PausedTracksChange()
    streams.drainPaused { id, isPaused in
      if isPaused {
        change.paused[id.participant, default: []].insert(id.trackType)
      } else {
        change.resumed[id.participant, default: []].insert(id.trackType)
      }
      return true
    }
    return change.isEmpty ? nil : change
  }

  /// The videos that the subscriber receives, by id: only those whose picture has arrived.
  ///
  /// A stream that is forwarded from now on is therefore missing until ``layerLocked(_:at:)``, or until the first
  /// decision after `lockTimeout` (1 s), and so it is at the beginning of a call.
  public var videoStreams: [VideoStream] {
    streams.states.compactMap { stream in
      guard let layer = stream.phase.received else { return nil }
      let metadata = VideoStreamMetadata(
        framesPerSecond: layer.framesPerSecond, bitrate: layer.bitrate)
      return VideoStream(
        id: stream.id, resolution: layer.size,
        metadata: settings.isDebugMetadataEnabled ? metadata : nil)
    }
  }

  /// Returns ``videoStreams`` if they changed since the last call; nil if they did not.
  public mutating func drainVideoStreams() -> [VideoStream]? {
    outcome.drain(videoStreams)
  }
}
