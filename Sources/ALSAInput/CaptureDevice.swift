/// A device that ALSA knows by name, and what it answers when it is asked.
public struct CaptureDevice: Sendable, Hashable {
  /// For ``ALSASource``.
  public var name: String
  /// What the driver or the configuration calls it, on one line; may be empty.
  public var title: String
  /// What can be captured, or why nothing can.
  public var capabilities: Result<CaptureCapabilities, CaptureError>

  /// How long a device may take to answer. A sound server that starts when it is called does so within a
  /// second; one that hangs would keep libasound for 30.
  public static let timeLimit = Duration.seconds(2)

  /// Opens a device as ``ALSASource`` does, asks it, and closes it again.
  ///
  /// Not on a thread that must not wait: this takes ``timeLimit`` if the device does not answer. A device
  /// that only one program can open is taken from others for a moment.
  public init(name: String, title: String = "") {
    let answer = withinTime(Self.timeLimit) { () -> Result<CaptureCapabilities, CaptureError> in
      Result { () throws(CaptureError) in
        try CapturePCM.capabilities(of: name, agreeingTo: Wish(.init()))
      }
    }
    let silence = CaptureError.noAnswer(name: name, within: Self.timeLimit)
    self.init(name: name, title: title, capabilities: answer ?? .failure(silence))
  }

  init(name: String, title: String, capabilities: Result<CaptureCapabilities, CaptureError>) {
    (self.name, self.title, self.capabilities) = (name, title, capabilities)
  }

  /// Every device that may be a microphone: `default`, what ALSA's configuration lists, and the sound
  /// cards' own. That it is listed proves nothing, plugins are whether they have a device or not; what
  /// each of them answers does.
  ///
  /// They are asked one after the other, for many are the same sound card. Not on a thread that must not
  /// wait.
  public static func all() -> [CaptureDevice] {
    let names = withinTime(timeLimit) { DeviceName.all() } ?? [.default]
    return names.map { CaptureDevice(name: $0.name, title: $0.title) }
  }
}
