import ALSAInput
import SystemPackage

/// A run of `vadmon devices`, from checked options to an exit code.
struct DevicesRun: ReportingRun {
  /// Whether devices that cannot be opened are listed too.
  var listsAll: Bool
  var writesJSON: Bool
  /// The output file; `nil` for standard output.
  var output: FilePath?

  func finish() throws(RunError) -> Int32 {
    try list(StandardError.silenced { Self.devices() })
    return 0
  }

  /// Returns the devices. The sources of a sound server that ALSA's plugin reaches follow the server.
  private static func devices() -> [CaptureDevice] {
    var devices = CaptureDevice.all()
    if let server = devices.firstIndex(where: { $0.name == "pulse" && $0.isOpenable }) {
      devices.insert(contentsOf: SoundServer.sources(), at: server + 1)
    }
    return devices
  }

  private func list(_ devices: [CaptureDevice]) throws(RunError) {
    let listed = devices.filter { listsAll || $0.isOpenable }
    let format = writesJSON ? FigureFormat.json : .text
    let text = format.results(
      text: DevicesText(devices: listed).text, json: DevicesJSON(devices: listed).text)
    let hasFailed = !devices.contains(where: \.isOpenable)
    if !ResultOutput.isKept(output, hasFailed: hasFailed, hasResults: !listed.isEmpty) {
      try ResultOutput.deliver(text, to: output)
    }
    if hasFailed { throw noDevice }
  }

  private var noDevice: RunError {
    let hint = listsAll ? "" : "; vadmon devices --all shows what was tried"
    return RunError(
      """
      there is no microphone that can be opened: plug one in; for a sound card, join the group audio \
      (usermod -aG audio USER, then log in again) and start a container with --device /dev/snd; for a \
      sound server, install ALSA's plugin for it (PulseAudio: libasound2-plugins, PipeWire: \
      pipewire-alsa)\(hint)
      """, exitCode: ExitStatus.unavailable)
  }
}

extension CaptureDevice {
  var isOpenable: Bool { (try? capabilities.get()) != nil }
}
