internal import Glibc
internal import RealTime

/// Why nothing can be captured.
///
/// `description` is one sentence that names the device, the problem and its remedy.
public enum CaptureError: Error, Sendable, Hashable, CustomStringConvertible {
  /// There is no device of that name.
  case noSuchDevice(name: String)
  /// Another program holds the device.
  case busy(name: String)
  /// The user is not permitted to open the device.
  case notPermitted(name: String)
  /// The device belongs to a sound server, and none answers.
  case noServer(name: String)
  /// The device opens, but offers no configuration that a detector can use.
  case unsuitable(name: String, reason: String)
  /// The requested channel does not exist.
  case noSuchChannel(name: String, Int, channelCount: Int)
  /// The device disappeared.
  case gone(name: String)
  /// Any other error, in ALSA's words.
  case failed(name: String, reason: String)

  public var description: String { "\(failure): \(reason); \(remedy)" }

  /// The problem in a few words, without the device's name.
  public var reason: String {
    switch self {
    case .noSuchDevice: "there is no such device"
    case .busy: "another program is using it"
    case .notPermitted: "you are not permitted to open it"
    case .noServer: "no sound server answers"
    case .noSuchChannel(_, _, let count): "it has \(count.inChannels)"
    case .gone: "it is gone"
    case .unsuitable(_, let reason), .failed(_, let reason): reason
    }
  }

  private var failure: String {
    switch self {
    case .noSuchDevice(let name), .busy(let name), .notPermitted(let name), .noServer(let name),
      .unsuitable(let name, _), .failed(let name, _):
      "cannot capture from \(name)"
    case .noSuchChannel(let name, let number, _): "cannot capture channel \(number) of \(name)"
    case .gone(let name): "cannot capture from \(name) any more"
    }
  }

  /// The suggested remedy.
  private var remedy: String {
    switch self {
    case .noSuchDevice: "choose one that arecord -L lists"
    case .busy: "end that program, or name a device that can be shared, such as default or pulse"
    case .notPermitted:
      """
      join the group audio (usermod -aG audio USER, then log in again), and start a container with \
      --device /dev/snd
      """
    case .noServer: "start PulseAudio or PipeWire, or name a sound card, such as hw:0"
    case .unsuitable: "name another device, or plughw:… for a sound card"
    case .noSuchChannel(_, _, let count):
      count == 1 ? "choose channel 1" : "choose one from 1 to \(count)"
    case .gone: "plug it in again, or name another device"
    case .failed(let name, _): "check it with arecord -D \(name.shellQuoted) -f cd /dev/null"
    }
  }

  /// Returns the error for a call of libasound that did not return in time.
  static func noAnswer(name: String, within limit: Duration) -> CaptureError {
    .failed(name: name, reason: "it did not answer within \(limit.inWords)")
  }

  /// Creates the error for a negative errno that ALSA returned when opening the device.
  init(opening name: String, code: Int32, detail: String?) {
    switch -code {
    case ENOENT, ENODEV, ENXIO: self = .noSuchDevice(name: name)
    case EBUSY, EAGAIN: self = .busy(name: name)
    case EACCES, EPERM: self = .notPermitted(name: name)
    // The codes of PulseAudio's plugin and of PipeWire's.
    case ECONNREFUSED, EHOSTDOWN: self = .noServer(name: name)
    default: self = .failed(name: name, reason: detail ?? alsaText(code))
    }
  }
}
