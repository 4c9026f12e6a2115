/// Tells who has the floor in a conversation, and who had it before, from what each participant's packets say.
///
/// Tell it who joins and leaves, give it every packet or hop as it arrives, and read ``dominant`` or
/// ``recencyOrder``. It needs no decoded audio: RFC 6464's level and voice flag will do.
///
/// Time is the caller's, in ms from any origin: 0 … 2⁶². Decisions lie 20 ms apart; a step costs time in proportion
/// to the participants and no allocation, and the state of each is 72 bytes beside its identifier. Time that runs backwards stands
/// still. The same calls give the same answers, on every machine and in whatever order participants joined.
///
/// Threads: a plain value; use a copy by one thread at a time.
///
/// The method is described, and compared with Volfin and Cohen's, in docs/dominant-speaker.md.
public struct DominantSpeakerDetector<ID: Hashable & Comparable & Sendable>: Sendable {
  private struct Member: Sendable {
    let id: ID
    var track = SpeakerTrack()
  }

  /// What decides.
  public let configuration: DominantSpeakerConfiguration

  /// Who has the floor; keeps it through silence until somebody takes it. `nil` until somebody has spoken, and after
  /// the dominant speaker left.
  public private(set) var dominant: ID?

  /// Sorted by `id`, so that neither hashing nor the order of joining decides anything.
  private var members: [Member] = []
  /// The time of the last step.
  private var clock: Int64?
  /// How often the dominant speaker has changed.
  private var turns: UInt64 = 0

  /// Nobody has the floor yet.
  public init(configuration: DominantSpeakerConfiguration = .init()) {
    self.configuration = configuration
  }

  /// Everybody in the call: the dominant speaker, then those before, newest first, then who never spoke, by `id`.
  public var recencyOrder: [ID] {
    members.sorted { ($1.track.lastTurn, $0.id) < ($0.track.lastTurn, $1.id) }.map(\.id)
  }

  /// Adds a participant; nothing happens if they are in already.
  public mutating func join(_ id: ID) {
    let index = insertionIndex(of: id)
    guard index == members.count || members[index].id != id else { return }
    members.insert(Member(id: id), at: index)
  }

  /// Forgets a participant. If they were dominant nobody is, until somebody speaks.
  public mutating func leave(_ id: ID) {
    guard let index = index(of: id) else { return }
    members.remove(at: index)
    if dominant == id { dominant = nil }
  }

  /// Takes a packet or hop that arrived `now`, ms. Packets of who has not joined are ignored, for they also come late.
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

  /// Decides all that is due until `now`, ms: call it after the packets of a time, and when none come.
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

  /// Silence of this length leaves nothing to decide, so a longer one is cut to it: a host that slept pays little.
  private var settlingMilliseconds: Int64 {
    let fading = Int64(configuration.packetTimeoutMilliseconds + configuration.releaseMilliseconds)
    return fading + Int64(configuration.switchMilliseconds) * 5 + 20_000
  }

  private mutating func decide(at now: Int64) {
    for index in members.indices { members[index].track.step(to: now, configuration) }
    // A closure: the method itself, passed as a value, would be allocated at every step.
    let holder = dominant.flatMap { index(of: $0) }
    let rival = holder.map { members[$0].track }
    for index in members.indices where index != holder {
      members[index].track.contend(with: rival, configuration)
    }
    if let winner { makeDominant(winner) }
  }

  /// Whose claim is full; of several the loudest, of those the first by `id`.
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

  /// The first place whose id is not smaller.
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
