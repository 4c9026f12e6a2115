/// The tunable parameters of a coordinator.
///
/// The defaults suit conversations over the internet.
public struct VideoPauseConfiguration: Hashable, Sendable {
  /// How to share the bits beyond the base layers.
  public var strategy = AllocationStrategy.grid
  /// The bandwidth estimate to assume until the first one arrives, in bits per second.
  public var initialEstimate = 1_000_000

  /// The reserve for each audible audio stream, in bits per second: Opus at its full-band speech rate, with headers.
  public var audioBitratePerStream = 48_000
  /// How many audio streams are forwarded at once; the loudest ones are chosen.
  public var audioStreamLimit = 3
  /// The factor between the audio rate, measured or expected, and its reserve: 1...10, to cover repairs and
  /// retransmissions.
  public var audioHeadroom = 1.2
  /// The least reserve for other traffic (retransmissions, forward error correction, data channels), in bits per
  /// second.
  public var otherTrafficReserve = 0

  /// The part of the evidence that is not used to send more, 0..<1.
  public var growMargin = 0.07
  /// How far back a decision to send more looks: one more picture must have fitted for four fifths of this time, larger
  /// pictures for its last tenth.
  public var evidenceWindow = Duration.seconds(3)
  /// The longest queue that the base layers of the shown streams may fill while at least a third of them fits the
  /// estimate.
  ///
  /// The length is measured at the present rate. 0 believes each estimate at once.
  public var toleratedQueue = Duration.milliseconds(1_500)
  /// The same while less than a third of them fits, because most outages are short, and how long such an outage is
  /// borne at the longest. The length is measured at the usual rate, which was exceeded for a quarter of the last ten
  /// evidence windows. The first stream stays until the queue is a quarter longer.
  public var toleratedOutage = Duration.seconds(6)
  /// The shortest time between two decisions that only a new estimate calls for.
  public var decisionInterval = Duration.milliseconds(200)

  /// How long a stream stays paused for bandwidth at least, unless it is the first in rank, pinned or paused only as a
  /// last resort, or nothing else is shown.
  public var holdOff = Duration.seconds(5)
  /// How many times a stream may be resumed in any ``gatePeriod``, 1...64, unless it is the first in rank.
  ///
  /// A stream therefore toggles at most `2 * resumeLimit + 1` times in a period, pauses and resumes together. A new pin
  /// of the subscriber's own resets the count.
  public var resumeLimit = 2
  /// The period to which ``resumeLimit`` applies.
  public var gatePeriod = Duration.seconds(60)
  /// How long to wait for the forwarder to lock a layer before a resume is reported all the same.
  public var lockTimeout = Duration.seconds(1)
  /// How long a stream that is hidden while paused stays wanted.
  ///
  /// Without this grace, an interface that hides a tile because it is paused would never see it again. A pinned or
  /// high-priority stream stays wanted beyond the grace, until it is forwarded.
  public var hiddenGrace = Duration.seconds(10)

  /// How far streams of policy ``PausePolicy/never`` may exceed the budget, in bits per second.
  public var maximumOversend = 500_000
  /// The height in pixels up to which ``AllocationStrategy/stage`` raises cameras before any stream gets more.
  public var preferredHeight = 360
  /// Whether screen shares rank before cameras that are not pinned.
  public var screenShareFirst = true

  /// The smallest step of a probe beyond the sent rate, in bits per second.
  public var minimumProbeStep = 200_000
  /// The first interval between probes that find nothing.
  ///
  /// Each probe that finds nothing makes the interval longer by half; sending more resets it.
  public var probeInterval = Duration.milliseconds(750)
  /// The longest interval between probes that find nothing.
  public var maximumProbeInterval = Duration.seconds(30)
  /// The longest interval between such probes while a pinned stream is paused.
  public var maximumPinnedProbeInterval = Duration.seconds(10)

  /// Whether cameras may be received above 360p. (The BlueJeans SDK starts with false.)
  public var is720pVideoReceiveEnabled = true

  /// The most streams that a coordinator holds at a time.
  public var maximumStreams = 10_000
  /// Whether `videoStreams` includes frame rate and bit rate.
  public var isDebugMetadataEnabled = false

  /// Creates a configuration with the default values.
  public init() {}

  /// The default configuration.
  public static let `default` = VideoPauseConfiguration()

  /// Throws what the initialiser of a coordinator throws for this configuration:
  /// ``VideoPauseError/invalidConfiguration(field:)`` for the first field that is out of range.
  public func validate() throws(VideoPauseError) {
    if let field = invalidField { throw .invalidConfiguration(field: field.rawValue) }
  }
}

extension VideoPauseConfiguration {
  /// The fields that have a range, in the order in which they are checked.
  package enum RangedField: String, CaseIterable {
    // contract: fields
    case initialEstimate, audioBitratePerStream, audioStreamLimit, audioHeadroom
    case otherTrafficReserve, growMargin, evidenceWindow, toleratedQueue, toleratedOutage
    case decisionInterval, holdOff, resumeLimit, gatePeriod, lockTimeout, hiddenGrace
    case maximumOversend, preferredHeight, minimumProbeStep, probeInterval, maximumProbeInterval
    case maximumPinnedProbeInterval, maximumStreams
    // contract end
  }

  /// The first field that is out of its range; otherwise ``maximumProbeInterval`` if it is below ``probeInterval``; nil
  /// if all fields are valid.
  package var invalidField: RangedField? {
    if let field = RangedField.allCases.first(where: { !isInRange($0) }) { return field }
    return maximumProbeInterval < probeInterval ? .maximumProbeInterval : nil
  }

  private func isInRange(_ field: RangedField) -> Bool {
    typealias Limits = VideoPauseLimits
    return switch field {
    // contract: ranges
    case .initialEstimate: Limits.bitrates.contains(initialEstimate)
    case .audioBitratePerStream: Limits.audioBitrates.contains(audioBitratePerStream)
    case .audioStreamLimit: Limits.audioStreamLimits.contains(audioStreamLimit)
    case .audioHeadroom: Limits.audioHeadrooms.contains(audioHeadroom)
    case .otherTrafficReserve: Limits.bitrates.contains(otherTrafficReserve)
    case .growMargin: Limits.shares.contains(growMargin)
    case .evidenceWindow: Limits.lengths.contains(evidenceWindow)
    case .toleratedQueue: Limits.lengths.contains(toleratedQueue)
    case .toleratedOutage: Limits.lengths.contains(toleratedOutage)
    case .decisionInterval: Limits.lengths.contains(decisionInterval)
    case .holdOff: Limits.lengths.contains(holdOff)
    case .resumeLimit: Limits.resumeLimits.contains(resumeLimit)
    case .gatePeriod: Limits.lengths.contains(gatePeriod)
    case .lockTimeout: Limits.lengths.contains(lockTimeout)
    case .hiddenGrace: Limits.lengths.contains(hiddenGrace)
    case .maximumOversend: Limits.bitrates.contains(maximumOversend)
    case .preferredHeight: Limits.preferredHeights.contains(preferredHeight)
    case .minimumProbeStep: Limits.bitrates.contains(minimumProbeStep)
    case .probeInterval: Limits.lengths.contains(probeInterval)
    case .maximumProbeInterval: Limits.lengths.contains(maximumProbeInterval)
    case .maximumPinnedProbeInterval: Limits.lengths.contains(maximumPinnedProbeInterval)
    case .maximumStreams: Limits.streamLimits.contains(maximumStreams)
    // contract end
    }
  }
}
