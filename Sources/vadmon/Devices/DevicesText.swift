import ALSAInput
import Annotations

/// The devices for people: those that can be opened, then the others.
struct DevicesText {
  let devices: [CaptureDevice]

  var text: String {
    var (openable, others) = ([[String]](), [[String]]())
    for device in devices {
      let (name, title) = (printable(device.name), printable(device.title))
      switch device.capabilities {
      case .success(let capabilities): openable.append([name] + cells(capabilities) + [title])
      case .failure(let error): others.append([name, printable(error.reason), title])
      }
    }
    return table(["device", "rates in Hz", "channels", "formats", ""], openable)
      + (openable.isEmpty || others.isEmpty ? "" : "\n")
      + table(["cannot be opened", "because", ""], others)
  }

  private func table(_ heading: [String], _ rows: [[String]]) -> String {
    rows.isEmpty ? "" : leftAligned([heading] + rows)
  }

  private func cells(_ capabilities: CaptureCapabilities) -> [String] {
    [
      rates(capabilities), range(capabilities.channelCounts),
      capabilities.sampleFormats.map(\.rawValue).joined(separator: " "),
    ]
  }

  /// Returns the usual rates as a list if they are few and span the whole range, or else the range.
  private func rates(_ capabilities: CaptureCapabilities) -> String {
    let (usual, all) = (capabilities.usualSampleRates, capabilities.sampleRates)
    let isWhole = usual.first == all.lowerBound && usual.last == all.upperBound
    return isWhole && usual.count <= 3
      ? usual.map(String.init).joined(separator: ", ") : range(all)
  }

  private func range(_ range: ClosedRange<Int>) -> String {
    range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound)–\(range.upperBound)"
  }
}
