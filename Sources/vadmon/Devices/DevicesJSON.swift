import ALSAInput
import Annotations

/// The devices as one JSON document, with one line for each.
struct DevicesJSON {
  let devices: [CaptureDevice]

  var text: String {
    let members: JSONValue = ["devices": .array(devices.map(json))]
    return members.document(version: 1, listing: ["devices"])
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
