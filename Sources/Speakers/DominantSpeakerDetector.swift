/// A detector that finds who has the floor in a conversation, and who had it before, from each participant's packets.
///
/// Call ``join(_:)`` and ``leave(_:)`` as participants come and go, pass it every packet or hop as it arrives, and read
/// ``dominant`` or ``recencyOrder``. It needs no decoded audio: RFC 6464's level and voice flag are enough.
///
/// The caller supplies the time in ms from any origin, 0 … 2⁶². Decisions are 20 ms apart. A step takes time in
/// proportion to the number of participants and does not allocate; each participant's state takes 72 bytes besides its
/// identifier. Time that runs backwards counts as standing still. The same calls give the same answers, on every
/// machine and in whatever order participants joined.
///
/// Threads: a plain value; one thread at a time may use a copy.
///
/// docs/dominant-speaker.md describes the method and compares it with Volfin and Cohen's.
public struct DominantSpeakerDetector<ID: Hashable & Comparable & Sendable>: Sendable {
  private struct Member: Sendable {
    let id: ID
    var track = SpeakerTrack()
  }

  /// The settings that the detector was made with.
  public let configuration: DominantSpeakerConfiguration

  /// The participant who has the floor, and who keeps it through silence until another takes it. `nil` until somebody
  /// has spoken, and after the dominant speaker has left.
  public private(set) var dominant: ID?

  /// The participants sorted by `id`, so that neither hashing nor the order of joining affects a decision.
  private var members: [Member] = []
  /// The time of the last step.
  private var clock: Int64?
  /// The number of changes of the dominant speaker.
  private var turns: UInt64 = 0

  /// Creates a detector without participants.
  public init(configuration: DominantSpeakerConfiguration = .init()) {
    self.configuration = configuration
  }

  /// All participants: the dominant speaker, then earlier ones, newest first, then those who never spoke, by `id`.
  public var recencyOrder: [ID] {
    members.sorted { ($1.track.lastTurn, $0.id) < ($0.track.lastTurn, $1.id) }.map(\.id)
  }

  /// Adds a participant. Does nothing if the participant has joined already.
  public mutating func join(_ id: ID) {
    let index = insertionIndex(of: id)
    guard index == members.count || members[index].id != id else { return }
    members.insert(Member(id: id), at: index)
  }

  /// Removes a participant. If that was the dominant speaker, nobody is dominant until somebody speaks.
  public mutating func leave(_ id: ID) {
    guard let index = index(of: id) else { return }
    members.remove(at: index)
    if dominant == id { dominant = nil }
  }

  /// Takes a packet or hop that arrived at `now`, in ms. Packets of participants who have not joined are ignored,
  /// because packets may arrive after their sender has left.
  ///
  /// Returns whether ``dominant`` changed, as ``advance(to:)`` does.
  @discardableResult
  public mutating func observe(_ observation: SpeakerObservation, from id: ID, at now: Int64)
    -> Bool
  {
    let now = max(time(now), clock ?? 0)
    clock = clock ?? now
    let changed = run(until: now - 1)
    if let index = index(of: id) { members[index].track.observe(observation, at: now) }
    return changed
  }

  /// Makes all decisions due until `now`, in ms. Call it after the packets of a tick, and when no packets arrive.
  ///
  /// Returns whether ``dominant`` changed.
  @discardableResult
  public mutating func advance(to now: Int64) -> Bool {
    let now = time(now)
    clock = clock ?? now
    return run(until: now)
  }

  private func time(_ now: Int64) -> Int64 { min(max(now, 0), 1 << 62) }

  private mutating func run(until end: Int64) -> Bool {
    guard var now = clock else { return false }
    let before = turns
    let step = SpeakerTrack.stepMilliseconds
    let idle = max(end - now - settlingMilliseconds, 0)
    now += idle - idle % step
    while now + step <= end {
      now += step
      decide(at: now)
    }
    clock = now
    return turns != before
  }

  /// The length of silence after which no decision remains, in ms. Longer silence is cut to it, so a host that slept
  /// pays little.
  private var settlingMilliseconds: Int64 {
    let fading = Int64(configuration.packetTimeoutMilliseconds + configuration.releaseMilliseconds)
    return fading + Int64(configuration.switchMilliseconds) * 5 + 20_000
  }

  private mutating func decide(at now: Int64) {
    for index in members.indices { members[index].track.step(to: now, configuration) }
    // A closure, because the method itself, passed as a value, would be allocated at every step.
    let holder = dominant.flatMap { index(of: $0) }
    let rival = holder.map { members[$0].track }
    for index in members.indices where index != holder {
      members[index].track.contend(with: rival, configuration)
    }
    if let winner { makeDominant(winner) }
  }

  /// The participant whose claim is full; of several the loudest, and of equally loud ones the first by `id`.
  private var winner: Int? {
    var best: Int?
    for index in members.indices
    where members[index].track.claim >= Float(configuration.switchMilliseconds) {
      if let best, members[index].track.loudness <= members[best].track.loudness { continue }
      best = index
    }
    return best
  }

  private mutating func makeDominant(_ winner: Int) {
    turns += 1
    dominant = members[winner].id
    members[winner].track.becomeDominant(turn: turns)
    for index in members.indices { members[index].track.dropClaim() }
  }

  private func index(of id: ID) -> Int? {
    let index = insertionIndex(of: id)
    return index < members.count && members[index].id == id ? index : nil
  }

  /// Returns the first place whose id is not smaller than `id`.
  private func insertionIndex(of id: ID) -> Int {
    var low = 0
    var high = members.count
    while low < high {
      let middle = (low + high) / 2
      if members[middle].id < id { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
