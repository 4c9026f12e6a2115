/// A coordinator that several tasks share, with asynchronous streams of its decisions and its state.
///
/// ```swift
/// for await participants in await session.updates(of: \.state.participants) {
///   print("paused: \(participants.filter { $0.pausedTracks.contains(.video) })")
/// }
/// ```
/// Each stream delivers the present state to a new reader, then each change once. A slow reader delays nobody and costs
/// no memory: newer state replaces what the reader has not read yet, and changes of `pausedTracks` merge into one. A
/// stream ends when ``finish()`` is called or its reader's task is cancelled.
public actor VideoPauseSession {
  private var coordinator: VideoPauseCoordinator
  private var readers: [Int: Reader] = [:]
  private var lastReader = 0
  private var isFinished = false

  /// Creates a session; `onAction` becomes the coordinator's ``VideoPauseCoordinator/onAction``.
  ///
  /// Throws ``VideoPauseError/invalidConfiguration(field:)``.
  public init(
    configuration: VideoPauseConfiguration = .default,
    onAction: (@Sendable (PauseAction) -> Void)? = nil
  ) throws(VideoPauseError) {
    coordinator = try VideoPauseCoordinator(configuration: configuration)
    coordinator.onAction = onAction
  }

  /// Applies any number of inputs for the same time, then decides and wakes the readers.
  ///
  /// An input that throws ends the call. The inputs before it stay in effect, and readers see them after the next call.
  /// Call it without inputs at ``AllocationDecision/nextDecisionAt``.
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

  /// The tracks that are paused for bandwidth, by participant.
  public var pausedTracks: [ParticipantID: Set<TrackType>] { coordinator.pausedTracks }

  /// The videos that reach the subscriber.
  public var videoStreams: [VideoStream] { coordinator.videoStreams }

  /// The layout in force; nil if none was chosen or the chosen one is not available.
  public var videoLayout: VideoLayout? { coordinator.videoLayout }

  /// What the subscriber's client shows of pausing.
  public var state: SubscriberState { coordinator.state }

  /// Returns a stream of decisions; a reader that was busy receives only the latest.
  public func decisions() -> AsyncStream<AllocationDecision> {
    follow { $0.takeDecision(from: $1) }
  }

  /// Returns a stream of changes to ``pausedTracks``, starting from no paused tracks.
  public func pausedTracksChanges() -> AsyncStream<PausedTracksChange> {
    follow { $0.takeChange(from: $1) }
  }

  /// Returns a stream of one property of the coordinator, for instance of ``VideoPauseCoordinator/videoStreams`` or of
  /// `\.state.participants`: the present value, then each different one.
  public func updates<Value: Equatable & Sendable>(
    of property: any KeyPath<VideoPauseCoordinator, Value> & Sendable
  ) -> AsyncStream<Value> {
    follow { $0.take($1[keyPath: property]) }
  }

  /// Ends all streams. A stream requested afterwards ends at once.
  public func finish() {
    isFinished = true
    for reader in readers.values { reader.signal.finish() }
    readers = [:]
  }

  /// The number of streams being read, for tests.
  var readerCount: Int { readers.count }

  // MARK: Readers

  /// What one reader has received, and how to wake it. The reader fetches the value itself when it is ready.
  private struct Reader {
    let signal: AsyncStream<Void>.Continuation
    var generation: UInt64 = 0
    var pausedTracks: [ParticipantID: Set<TrackType>] = [:]
    /// The property's value that the reader received last; nothing before the first.
    var received: any Sendable = ()

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

    mutating func take<Value: Equatable & Sendable>(_ present: Value) -> Value? {
      guard received as? Value != present else { return nil }
      received = present
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
