/// The state of one participant: what was heard lately, and how far the claim to the floor has grown.
///
/// The claim is Page's cumulative sum, which for a given rate of false alarms finds a change soonest. Each step adds
/// evidence, which may be negative, that this participant has the floor and the dominant speaker no longer has it. The
/// sum never falls below zero. Its unit is ms of undisputed speech.
struct SpeakerTrack: Sendable {
  /// The time between decisions: one packet of most senders.
  static let stepMilliseconds: Int64 = 20

  private var detector = SpeakerActivity()
  private var heardAt: Int64?
  /// The activity of the newest packet, and the highest activity since the last step.
  private var newest: Float = 0
  private var most: Float?
  /// The activity of the last step, 0 … 1.
  private var activity: Float = 0

  /// The hold on the floor: 1 while speaking, then fading to 0 over the release.
  private(set) var hold: Float = 0
  /// How loudly this participant spoke lately, dBov. It rises at once and falls slowly.
  private(set) var loudness = SpeakerObservation.silence
  /// The evidence against the dominant speaker, 0 … `switchMilliseconds`.
  private(set) var claim: Float = 0
  /// The number of the switch that last made this participant dominant; 0 for never.
  private(set) var lastTurn: UInt64 = 0

  mutating func observe(_ observation: SpeakerObservation, at now: Int64) {
    heardAt = now
    newest = detector.value(of: observation, at: now)
    most = max(most ?? 0, newest)
    if newest >= 0.5 { loudness = max(loudness, observation.level) }
  }

  /// Takes what was heard up to `now`. Without packets the newest one stands in until the timeout.
  mutating func step(to now: Int64, _ configuration: DominantSpeakerConfiguration) {
    let timeout = Int64(configuration.packetTimeoutMilliseconds)
    let isHeard = heardAt.map { now - $0 <= timeout } ?? false
    activity = isHeard ? most ?? newest : 0
    most = nil
    let step = Float(Self.stepMilliseconds)
    hold = max(activity, hold - step / Float(configuration.releaseMilliseconds))
    loudness = max(loudness - Evidence.loudnessFall * step / 1000, SpeakerObservation.silence)
  }

  /// Adds a step's evidence against the dominant speaker, or against a free floor.
  mutating func contend(with dominant: SpeakerTrack?, _ configuration: DominantSpeakerConfiguration)
  {
    let lead = loudness - (dominant?.loudness ?? SpeakerObservation.silence)
    let evidence = Evidence.rate(activity: activity, rivalHold: dominant?.hold ?? 0, lead: lead)
    let sum = claim + evidence * Float(Self.stepMilliseconds)
    claim = min(max(sum, 0), Float(configuration.switchMilliseconds))
  }

  /// Drops the claim when somebody becomes dominant, because the evidence was against the previous speaker.
  mutating func dropClaim() { claim = 0 }

  mutating func becomeDominant(turn: UInt64) { lastTurn = turn }
}
