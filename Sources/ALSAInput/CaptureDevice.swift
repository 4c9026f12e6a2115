/// A device that ALSA knows by name, with the answer that it gave when it was queried.
public struct CaptureDevice: Sendable, Hashable {
  /// The name to pass to ``ALSASource``.
  public var name: String
  /// The title from the driver or the configuration, on one line; may be empty.
  public var title: String
  /// What can be captured, or why nothing can.
  public var capabilities: Result<CaptureCapabilities, CaptureError>

  /// How long to wait for a device's answer.
  ///
  /// A sound server that is started on demand answers within a second; one that hangs would block libasound for 30 s.
  public static let timeLimit = Duration.seconds(2)

  /// Queries a device: opens it as ``ALSASource`` does, reads its capabilities, and closes it.
  ///
  /// Do not call this on a thread that must not wait: it takes ``timeLimit`` if the device does not answer. While the
  /// query lasts, other programs cannot open a device that only one program can open.
  public init(name: String, title: String = "") {
    let answer = withinTime(Self.timeLimit) { () -> Result<CaptureCapabilities, CaptureError> in
      Result { () throws(CaptureError) in
        try CapturePCM.capabilities(of: name, accepting: RequestedParameters(.init()))
      }
    }
    let silence = CaptureError.noAnswer(name: name, within: Self.timeLimit)
    self.init(name: name, title: title, capabilities: answer ?? .failure(silence))
  }

  init(name: String, title: String, capabilities: Result<CaptureCapabilities, CaptureError>) {
    (self.name, self.title, self.capabilities) = (name, title, capabilities)
  }

  /// Returns every device that may be a microphone: `default`, the entries of ALSA's configuration, and the sound
  /// cards' own devices.
  ///
  /// An entry in the list proves nothing, since plugins are listed whether or not a device is behind them. The answer
  /// of each device does. Devices are queried one after the other, because several names often refer to the same sound
  /// card. Do not call this on a thread that must not wait.
  public static func all() -> [CaptureDevice] {
    let names = withinTime(timeLimit) { DeviceName.all() } ?? [.default]
    return names.map { CaptureDevice(name: $0.name, title: $0.title) }
  }
}
