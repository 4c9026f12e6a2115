/// All settings that affect the findings of a run. `--show-config` shows them, and JSON output includes them.
public struct RunConfiguration: Sendable, Hashable {
  /// One setting, under its name in JSON.
  public struct Setting: Sendable, Hashable {
    /// The name, with its unit.
    public var name: String
    /// The value.
    public var json: JSONValue
    /// Where the value came from; `nil` in results.
    public var source: String?

    /// Creates a setting.
    public init(name: String, json: JSONValue) { (self.name, self.json) = (name, json) }
  }

  /// The program that wrote the results, with its version.
  public var generator: String
  /// The look-ahead of the posterior, already subtracted from all reported times.
  public var lookahead: MediaTime
  /// The settings, in the order in which they are shown.
  public var settings: [Setting]
  /// Whether the microphone is muted at some time, so that muted speech may lie among the segments.
  public var mayMute = false
  /// Whether the segments are the silence, not the speech.
  public var isInverted = false
  /// Where the part that was analysed begins: all times count from the beginning of the recording.
  public var start = MediaTime.zero

  /// Creates a configuration.
  public init(generator: String, lookahead: MediaTime, settings: [Setting]) {
    (self.generator, self.lookahead, self.settings) = (generator, lookahead, settings)
  }
}
