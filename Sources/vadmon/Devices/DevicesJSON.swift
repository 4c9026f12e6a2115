import ALSAInput
import Annotations

/// The devices as one JSON document, with one line for each.
struct DevicesJSON {
  let devices: [CaptureDevice]

  /// The version of the schema. It changes whenever a reader would have to change: a member is removed or changes its
  /// meaning.
  private static let schemaVersion = 1

  var text: String {
    let lines = devices.map { "    " + json($0).text }.joined(separator: ",\n")
    return """
      {
        "schema_version": \(Self.schemaVersion),
        "generator": \(JSONValue.string(Vadmon.generator).text),
        "devices": [\(lines.isEmpty ? "" : "\n\(lines)\n  ")]
      }

      """
  }

  private func json(_ device: CaptureDevice) -> JSONValue {
    let head: JSONValue = ["name": .string(device.name), "title": .string(device.title)]
    switch device.capabilities {
    case .success(let capabilities): return head + json(capabilities) + ["error": .null]
    case .failure(let error):
      return head + [
        "error": ["message": .string(error.sentence), "reason": .string(error.reason)]
      ]
    }
  }

  private func json(_ capabilities: CaptureCapabilities) -> JSONValue {
    [
      "sample_rates": json(capabilities.sampleRates),
      "usual_sample_rates": .array(capabilities.usualSampleRates.map { .integer($0) }),
      "channels": json(capabilities.channelCounts),
      "sample_formats": .array(capabilities.sampleFormats.map { .string($0.rawValue) }),
    ]
  }

  private func json(_ range: ClosedRange<Int>) -> JSONValue {
    ["min": .integer(range.lowerBound), "max": .integer(range.upperBound)]
  }
}
