internal import Annotations
internal import VideoPause

/// A setting of the coordinator in a `config` line. Only this type knows its name, unit and kind.
struct ConfigurationField {
  let name: String
  let read: (inout Fields, inout VideoPauseConfiguration) throws(LineFault) -> Void
  let json: (VideoPauseConfiguration) -> JSONValue

  private init<Value>(
    _ name: String, _ path: WritableKeyPath<VideoPauseConfiguration, Value>,
    _ kind: FieldKind<Value>, _ json: @escaping (Value) -> JSONValue
  ) {
    self.name = name
    read = { (fields, configuration) throws(LineFault) in
      if let value = try fields.optional(name, kind) { configuration[keyPath: path] = value }
    }
    self.json = { json($0[keyPath: path]) }
  }

  /// All settings, in the order of the library's documentation.
  static var all: [ConfigurationField] {
    [
      // contract: settings
      word("strategy", \.strategy),
      rate("initial_estimate_bps", \.initialEstimate),
      rate("audio_bitrate_per_stream_bps", \.audioBitratePerStream, VideoPauseLimits.audioBitrates),
      count("audio_stream_limit", \.audioStreamLimit, VideoPauseLimits.audioStreamLimits),
      factor("audio_headroom", \.audioHeadroom),
      rate("other_traffic_reserve_bps", \.otherTrafficReserve),
      share("grow_margin", \.growMargin),
      length("evidence_window_ms", \.evidenceWindow),
      length("tolerated_queue_ms", \.toleratedQueue),
      length("tolerated_outage_ms", \.toleratedOutage),
      length("decision_interval_ms", \.decisionInterval),
      length("hold_off_ms", \.holdOff),
      count("resume_limit", \.resumeLimit, VideoPauseLimits.resumeLimits),
      length("gate_period_ms", \.gatePeriod),
      length("lock_timeout_ms", \.lockTimeout),
      length("hidden_grace_ms", \.hiddenGrace),
      rate("maximum_oversend_bps", \.maximumOversend),
      count("preferred_height", \.preferredHeight, VideoPauseLimits.preferredHeights),
      flag("screen_share_first", \.screenShareFirst),
      rate("minimum_probe_step_bps", \.minimumProbeStep),
      length("probe_interval_ms", \.probeInterval),
      length("maximum_probe_interval_ms", \.maximumProbeInterval),
      length("maximum_pinned_probe_interval_ms", \.maximumPinnedProbeInterval),
      flag("receive_720p", \.is720pVideoReceiveEnabled),
      count("maximum_streams", \.maximumStreams, VideoPauseLimits.streamLimits),
      flag("debug_metadata", \.isDebugMetadataEnabled),
      // contract end
    ]
  }

  /// Returns the configuration of a line. Settings that the line does not name keep their defaults.
  static func read(_ fields: inout Fields) throws(LineFault) -> VideoPauseConfiguration {
    var configuration = VideoPauseConfiguration.default
    for field in all { try field.read(&fields, &configuration) }
    if let field = configuration.invalidField { throw LineFault(complaint(field)) }
    return configuration
  }

  static func json(_ configuration: VideoPauseConfiguration) -> JSONValue {
    .object(all.map { JSONValue.Member(name: $0.name, value: $0.json(configuration)) })
  }

  /// Returns a message about an invalid configuration, in the names of the trace.
  ///
  /// Each value is in its range, so the fault is the order of two.
  private static func complaint(_ field: VideoPauseConfiguration.RangedField) -> String {
    func order(_ higher: String, _ lower: String) -> String {
      "\(higher) is below \(lower): raise \(higher) or lower \(lower)"
    }
    return switch field {
    case .maximumProbeInterval: order("maximum_probe_interval_ms", "probe_interval_ms")
    default: "\(VideoPauseError.invalidConfiguration(field: field.rawValue))"
    }
  }

  // MARK: Kinds

  private typealias Path<Value> = WritableKeyPath<VideoPauseConfiguration, Value>

  private static func rate(
    _ name: String, _ path: Path<Int>, _ range: ClosedRange<Int> = VideoPauseLimits.bitrates
  ) -> Self {
    Self(name, path, .bitrate(range)) { .integer($0) }
  }

  private static func count(_ name: String, _ path: Path<Int>, _ range: ClosedRange<Int>) -> Self {
    Self(name, path, .whole(range)) { .integer($0) }
  }

  private static func factor(_ name: String, _ path: Path<Double>) -> Self {
    Self(name, path, .decimal(VideoPauseLimits.audioHeadrooms)) { .double($0) }
  }

  private static func share(_ name: String, _ path: Path<Double>) -> Self {
    Self(name, path, .decimal(VideoPauseLimits.shares)) { .double($0) }
  }

  private static func flag(_ name: String, _ path: Path<Bool>) -> Self {
    Self(name, path, .flag) { .bool($0) }
  }

  private static func length(_ name: String, _ path: Path<Duration>) -> Self {
    Self(name, path, .milliseconds) { .integer($0.wholeMicroseconds / 1_000) }
  }

  private static func word<Value: CaseIterable>(_ name: String, _ path: Path<Value>) -> Self {
    Self(name, path, .word) { .string("\($0)") }
  }
}
