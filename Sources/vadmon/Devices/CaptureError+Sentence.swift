import ALSAInput

extension CaptureError {
  /// The description, with the command of vadmon that lists the devices.
  var sentence: String {
    guard case .noSuchDevice(let name) = self else { return description }
    return "cannot capture from \(name): \(reason); choose one that vadmon devices lists"
  }
}
