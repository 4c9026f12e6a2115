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

  /// The part of the evidence that is not used to send more, 0..<1.
  public var growMargin = 0.05
  /// How long the path must have been able to carry a rate before it is sent; up to eight times this while resumes
  /// prove premature.
  public var evidenceWindow = Duration.seconds(5)
  /// The tolerated queuing delay: a shortfall is believed when the excess over the estimate would fill a queue this
  /// long.
  public var toleratedQueue = Duration.milliseconds(250)
  /// The part of the sent rate, 0..<1, beyond which a shortfall is believed at once.
  public var emergencyShortfall = 0.3
  /// The shortest time between two decisions that only a new estimate calls for.
  public var decisionInterval = Duration.milliseconds(500)

  /// How long after a pause for bandwidth nothing is resumed by sending more.
  ///
  /// Each pause that undoes a resume within ``gatePeriod`` doubles it, up to ``maximumHoldOff``.
  public var holdOff = Duration.seconds(4)
  /// The longest hold-off.
  public var maximumHoldOff = Duration.seconds(32)
  /// How many times a stream may be resumed in any ``gatePeriod``, 1...64.
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
  /// The shortest interval between probes.
  ///
  /// Each probe that finds nothing makes the interval longer by half; sending more resets it.
  public var probeInterval = Duration.seconds(3)
  /// The longest interval between probes that find nothing.
  public var maximumProbeInterval = Duration.seconds(120)
  /// The longest interval between such probes while a pinned stream is paused.
  public var maximumPinnedProbeInterval = Duration.seconds(30)

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
    try check("initialEstimate", VideoPauseLimits.isBitrate(initialEstimate))
    try check("audioBitratePerStream", Self.audioBitrates.contains(audioBitratePerStream))
    try check("audioStreamLimit", Self.audioStreamLimits.contains(audioStreamLimit))
    try check("audioHeadroom", Self.audioHeadrooms.contains(audioHeadroom))
    try check("growMargin", Self.shares.contains(growMargin))
    try check("emergencyShortfall", Self.shares.contains(emergencyShortfall))
    try check("resumeLimit", Self.resumeLimits.contains(resumeLimit))
    try check("maximumOversend", VideoPauseLimits.isBitrate(maximumOversend))
    try check("preferredHeight", preferredHeight > 0)
    try check("minimumProbeStep", VideoPauseLimits.isBitrate(minimumProbeStep))
    try check("maximumStreams", Self.streamLimits.contains(maximumStreams))
    for (field, duration) in durations {
      try check(field, Self.lengths.contains(duration))
    }
    try check("maximumHoldOff", maximumHoldOff >= holdOff)
    try check("maximumProbeInterval", maximumProbeInterval >= probeInterval)
  }

  // The ranges of the fields, for the check and for those who read configurations.
  package static let audioBitrates = 0...10_000_000
  package static let audioStreamLimits = 0...1_000
  package static let audioHeadrooms = 1.0...10
  package static let shares = 0.0..<1
  package static let resumeLimits = 1...64
  package static let streamLimits = 1...1_000_000
  package static var lengths: ClosedRange<Duration> { .zero ... .seconds(86_400) }

  private var durations: [(String, Duration)] {
    [
      ("evidenceWindow", evidenceWindow), ("toleratedQueue", toleratedQueue),
      ("decisionInterval", decisionInterval), ("holdOff", holdOff),
      ("maximumHoldOff", maximumHoldOff), ("gatePeriod", gatePeriod), ("lockTimeout", lockTimeout),
      ("hiddenGrace", hiddenGrace), ("probeInterval", probeInterval),
      ("maximumProbeInterval", maximumProbeInterval),
      ("maximumPinnedProbeInterval", maximumPinnedProbeInterval),
    ]
  }

  private func check(_ field: String, _ isInRange: Bool) throws(VideoPauseError) {
    if !isInRange { throw .invalidConfiguration(field: field) }
  }
}

extension VideoPauseLimits {
  static func isBitrate(_ rate: Int) -> Bool { (0...maximumBitrate).contains(rate) }
}
