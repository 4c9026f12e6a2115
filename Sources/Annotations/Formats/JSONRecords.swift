/// The version of the JSON schema. It changes whenever a reader would have to change: a member is removed or changes
/// its meaning. New members and new record types do not change it.
let jsonSchemaVersion = 2

/// The records as JSON objects, shared by `json` and `jsonl`.
extension SpanRecord {
  /// The span without type and file.
  public var json: JSONValue {
    [
      "channel": channel.map { .integer($0) } ?? .null,
      "start": .seconds(start),
      "end": .seconds(end),
    ] + (samples?.json ?? [:]) + ["decided_at": .seconds(decidedAt)]
      + (channels.map { ["channels": .array($0.map { .integer($0) })] } ?? [:])
      + (saved.map { ["saved": .string($0)] } ?? [:])
  }
}

extension Range<UInt64> {
  /// The samples of a span; the end is the first one after it.
  public var json: JSONValue {
    ["start_sample": .integer(lowerBound), "end_sample": .integer(upperBound)]
  }
}

extension ErrorRecord {
  /// The record without type and file.
  public var json: JSONValue { ["message": .string(message), "exit_code": .integer(exitCode)] }
}

extension FileRecord {
  /// The record without type, file and counts.
  public var json: JSONValue {
    [
      "sample_rate": .integer(sampleRate),
      "channels": .integer(channels),
      "analysed_channels": .integer(analysedChannels),
      "duration": .seconds(duration),
      "speech_seconds": .seconds(speech),
      "muted_speech_seconds": .seconds(mutedSpeech),
    ] + (echo.map { ["echo": $0.json] } ?? [:])
  }

  /// The warnings as a list.
  public var jsonWarnings: JSONValue { .array(warnings.map { .string($0) }) }
}

extension EchoRecord {
  /// The record as an object.
  public var json: JSONValue {
    [
      "delay_ms": .integer(delay.milliseconds), "fit": .number(fixed(fit, places: 2)),
      "coupling_db": .decibels(couplingDB),
    ]
  }
}

extension RunConfiguration {
  /// All settings, with the program, the look-ahead, and where each setting came from if that is known.
  public var json: JSONValue {
    let sources = settings.compactMap { setting in
      setting.source.map { JSONValue.Member(name: setting.name, value: .string($0)) }
    }
    return [
      "schema_version": .integer(jsonSchemaVersion),
      "generator": .string(generator),
      "lookahead_ms": .integer(lookahead.milliseconds),
      "config": .object(settings.map { .init(name: $0.name, value: $0.json) }),
    ] + (sources.isEmpty ? [:] : ["sources": .object(sources)])
  }
}
