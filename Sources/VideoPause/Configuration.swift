/// What can be tuned of a coordinator. The defaults are for people talking to each other over the internet; each
/// says what it trades.
public struct VideoPauseConfiguration: Hashable, Sendable {
  /// How bits beyond the base layers are shared.
  public var strategy = AllocationStrategy.grid
  /// Taken for the estimate until the first one comes, in bits per second.
  public var initialEstimate = 1_000_000

  /// Reserved for each audio stream that is heard, in bits per second: Opus at its full-band speech rate with
  /// headers.
  public var audioBitratePerStream = 48_000
  /// How many audio streams are forwarded at once, the loudest ones.
  public var audioStreamLimit = 3
  /// The reserve is this times what is measured or expected, at least 1: for repairs and retransmissions.
  public var audioHeadroom = 1.2

  /// The part of the evidence that is not used to send more, from 0 up to 1.
  public var growMargin = 0.05
  /// More is sent only if the path would have carried it for this long, and for up to eight times that while resumes
  /// prove too early.
  public var evidenceWindow = Duration.seconds(5)
  /// A shortfall is believed when what was sent beyond the estimate would fill a queue this long.
  public var toleratedQueue = Duration.milliseconds(250)
  /// A shortfall of more than this part of what is sent is believed at once; from 0 up to 1.
  public var emergencyShortfall = 0.3
  /// The least time between two decisions that only the estimate asks for.
  public var decisionInterval = Duration.milliseconds(500)

  /// After a pause for bandwidth nothing is resumed by sending more for this long, ...
  public var holdOff = Duration.seconds(4)
  /// ... doubled with each pause that undoes a resume within `gatePeriod`, up to this.
  public var maximumHoldOff = Duration.seconds(32)
  /// A stream is resumed at most this many times, 1...64, in any `gatePeriod`: at most `2 * resumeLimit + 1`
  /// pauses and resumes together.
  public var resumeLimit = 2
  /// See ``resumeLimit``.
  public var gatePeriod = Duration.seconds(60)
  /// A resume is reported when the forwarder locked the layer, or after this long.
  public var lockTimeout = Duration.seconds(1)
  /// A stream that is hidden while it is paused stays wanted for this long: an interface that hides a tile because
  /// it is paused would otherwise never see it again.
  public var hiddenGrace = Duration.seconds(10)

  /// How far streams of policy `never` may go beyond the budget, in bits per second.
  public var maximumOversend = 500_000
  /// Height in pixels up to which a camera on stage is raised before the others get anything.
  public var preferredHeight = 360
  /// Screen shares rank before cameras that are not pinned.
  public var screenShareFirst = true

  /// A probe goes at least this far beyond what is sent, in bits per second.
  public var minimumProbeStep = 200_000
  /// Probes that find something are at least this far apart.
  public var probeInterval = Duration.seconds(3)
  /// Probes that find nothing become rarer by half each time, up to this ...
  public var maximumProbeInterval = Duration.seconds(120)
  /// ... or this, while something pinned is paused.
  public var maximumPinnedProbeInterval = Duration.seconds(30)

  /// Cameras may be received above 360p. (The BlueJeans SDK begins with false.)
  public var is720pVideoReceiveEnabled = true

  /// The most streams at a time.
  public var maximumStreams = 10_000
  /// `videoStreams` tells frame rate and bit rate.
  public var isDebugMetadataEnabled = false

  /// The defaults.
  public init() {}

  /// The defaults.
  public static let `default` = VideoPauseConfiguration()

  /// Throws ``VideoPauseError/invalidConfiguration(field:)`` with the first field that is out of range.
  func validate() throws(VideoPauseError) {
    try check("initialEstimate", VideoPauseLimits.isBitrate(initialEstimate))
    try check("audioBitratePerStream", (0...10_000_000).contains(audioBitratePerStream))
    try check("audioStreamLimit", (0...1_000).contains(audioStreamLimit))
    try check("audioHeadroom", (1...10).contains(audioHeadroom))
    try check("growMargin", (0..<1).contains(growMargin))
    try check("emergencyShortfall", (0..<1).contains(emergencyShortfall))
    try check("resumeLimit", (1...64).contains(resumeLimit))
    try check("maximumOversend", VideoPauseLimits.isBitrate(maximumOversend))
    try check("preferredHeight", preferredHeight > 0)
    try check("minimumProbeStep", VideoPauseLimits.isBitrate(minimumProbeStep))
    try check("maximumStreams", (1...1_000_000).contains(maximumStreams))
    for (field, duration) in durations {
      try check(field, (.zero ... .seconds(86_400)).contains(duration))
    }
    try check("maximumHoldOff", maximumHoldOff >= holdOff)
    try check("maximumProbeInterval", maximumProbeInterval >= probeInterval)
  }

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
