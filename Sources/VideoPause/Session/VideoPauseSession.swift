/// A coordinator for several tasks, with streams of what it decides.
///
/// Streams tell the present state to whoever begins to read, then each change once. A slow reader delays nobody and costs
/// no memory: what it has not read yet is replaced by newer state, and changes of `pausedTracks` are merged into one.
/// A stream ends with ``finish()``, or when its reader's task is cancelled.
public actor VideoPauseSession {
  private var coordinator: VideoPauseCoordinator
  private var readers: [Int: Reader] = [:]
  private var lastReader = 0
  private var isFinished = false

  /// `onAction` is as ``VideoPauseCoordinator/onAction``.
  ///
  /// Throws ``VideoPauseError/invalidConfiguration(field:)``.
  public init(
    configuration: VideoPauseConfiguration = .default,
    onAction: (@Sendable (PauseAction) -> Void)? = nil
  ) throws(VideoPauseError) {
    coordinator = try VideoPauseCoordinator(configuration: configuration)
    coordinator.onAction = onAction
  }

  /// Makes any number of inputs, all of the same time, then decides and tells the readers.
  ///
  /// An input that throws ends the call; the inputs before it stay, and are told with the next call. With no inputs, this is
  /// what to call at ``AllocationDecision/nextDecisionAt``.
  @discardableResult
  public func update<Result: Sendable>(
    at time: Timestamp,
    _ inputs: @Sendable (inout VideoPauseCoordinator) throws(VideoPauseError) -> Result
  ) throws(VideoPauseError) -> Result {
    let result = try inputs(&coordinator)
    _ = try coordinator.decide(at: time)
    for reader in readers.values { reader.signal.yield() }
    return result
  }

  /// The decision in force.
  public var decision: AllocationDecision { coordinator.decision }

  /// What is paused for bandwidth.
  public var pausedTracks: [ParticipantID: Set<TrackType>] { coordinator.pausedTracks }

  /// What is received.
  public var videoStreams: [VideoStream] { coordinator.videoStreams }

  /// Every decision, or of those that came while the reader was busy the last.
  public func decisions() -> AsyncStream<AllocationDecision> {
    follow { $0.takeDecision(from: $1) }
  }

  /// What changed in ``pausedTracks``, from nothing on.
  public func pausedTracksChanges() -> AsyncStream<PausedTracksChange> {
    follow { $0.takeChange(from: $1) }
  }

  /// ``videoStreams`` now and after each change.
  public func videoStreamsUpdates() -> AsyncStream<[VideoStream]> {
    follow { $0.takeVideoStreams(from: $1) }
  }

  /// Ends all streams. Later ones end at once.
  public func finish() {
    isFinished = true
    for reader in readers.values { reader.signal.finish() }
    readers = [:]
  }

  /// For tests: how many streams are being read.
  var readerCount: Int { readers.count }

  // MARK: Readers

  /// What one reader was told, and how to wake it. The value itself is fetched by the reader when it has time.
  private struct Reader {
    let signal: AsyncStream<Void>.Continuation
    var generation: UInt64 = 0
    var pausedTracks: [ParticipantID: Set<TrackType>] = [:]
    var videoStreams: [VideoStream]?

    mutating func takeDecision(from coordinator: VideoPauseCoordinator) -> AllocationDecision? {
      guard coordinator.decision.generation != generation else { return nil }
      generation = coordinator.decision.generation
      return coordinator.decision
    }

    mutating func takeChange(from coordinator: VideoPauseCoordinator) -> PausedTracksChange? {
      let present = coordinator.pausedTracks
      defer { pausedTracks = present }
      return PausedTracksChange(from: pausedTracks, to: present)
    }

    mutating func takeVideoStreams(from coordinator: VideoPauseCoordinator) -> [VideoStream]? {
      let present = coordinator.videoStreams
      guard present != videoStreams else { return nil }
      videoStreams = present
      return present
    }
  }

  private typealias Take<Value> = @Sendable (inout Reader, VideoPauseCoordinator) -> Value?

  private func follow<Value: Sendable>(_ take: @escaping Take<Value>) -> AsyncStream<Value> {
    let (wakes, signal) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    lastReader += 1
    let id = lastReader
    if isFinished {
      signal.finish()
    } else {
      readers[id] = Reader(signal: signal)
      signal.onTermination = { [weak self] _ in Task { [weak self] in await self?.remove(id) } }
      signal.yield()
    }
    return AsyncStream { [weak self] in
      for await _ in wakes {
        if let value = await self?.fetch(id, take) { return value }
      }
      return nil
    }
  }

  private func fetch<Value>(_ id: Int, _ take: Take<Value>) -> Value? {
    guard var reader = readers[id] else { return nil }
    defer { readers[id] = reader }
    return take(&reader, coordinator)
  }

  private func remove(_ id: Int) { readers[id] = nil }
}
