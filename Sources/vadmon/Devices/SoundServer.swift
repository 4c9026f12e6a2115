import ALSAInput
import Glibc
import Processes
import SystemPackage

/// The sources of a sound server by name, in the form that ALSA's plugin for PulseAudio accepts; PipeWire works too.
///
/// ALSA lists the server as one device, `pulse`. Its sources come from `pactl`, which the packages of PulseAudio and
/// PipeWire both recommend. Without it, or if ALSA's configuration of `pulse` accepts no name, the list is empty.
enum SoundServer {
  /// The time in ms that pactl may take. A server that hangs would keep it waiting.
  private static let timeLimit: Int32 = 2000

  /// Returns the sources, whether or not they can be opened, to be listed after `pulse`.
  static func sources() -> [CaptureDevice] {
    (state()?.inputs ?? []).map { CaptureDevice(name: $0.deviceName, title: $0.title) }
  }

  /// Whether a server may run: one is named, or a socket is there. pactl would start one otherwise.
  static var isThere: Bool {
    if getenv("PULSE_SERVER") != nil { return true }
    let variables = ["XDG_RUNTIME_DIR", "PIPEWIRE_RUNTIME_DIR", "PULSE_RUNTIME_PATH"]
    let folders = variables.compactMap { name in getenv(name).map { String(cString: $0) } }
    let sockets = folders.flatMap { ["\($0)/pulse/native", "\($0)/native", "\($0)/pipewire-0"] }
    return (sockets + ["/run/pulse/native"]).contains { access($0, F_OK) == 0 }
  }

  /// Returns the source that records what the default output plays now.
  ///
  /// PulseAudio knows that monitor as `@DEFAULT_MONITOR@`. PipeWire 0.3 does not, and records the default source
  /// instead, without an error; so the name is used only if pactl does not say which output is the default one.
  static func defaultMonitor() -> Source { defaultMonitor(in: answer("info") ?? "") }

  /// Returns the same from the output of `pactl info` in the C locale.
  static func defaultMonitor(in text: String) -> Source {
    let head = "Default Sink: "
    let sink = text.split(separator: "\n").first { $0.hasPrefix(head) }?.dropFirst(head.count)
    guard let sink, !sink.isEmpty, !sink.hasPrefix("@") else { return .unnamedMonitor }
    let monitor = Source(name: sink + ".monitor")
    return monitor.canBeNamed ? monitor : .unnamedMonitor
  }

  struct Source: Hashable {
    let name: String
    var title = ""
    /// Whether it hears what an output plays.
    var isMonitor = false
    var isBluetooth: Bool

    init(name: some StringProtocol) {
      self.name = String(name)
      isBluetooth = name.hasPrefix("bluez")
    }

    /// The monitor of the default output where nobody says which that is.
    static let unnamedMonitor = Source(name: "@DEFAULT_MONITOR@")

    /// Whether ALSA can open it: it cannot read a quote within quotes.
    var canBeNamed: Bool { !name.contains("'") }

    /// The name of the device, in quotes if ALSA would misinterpret a part of it.
    var deviceName: String {
      let isPlain = name.utf8.allSatisfy { byte in
        Character(Unicode.Scalar(byte)).isLetter || Character(Unicode.Scalar(byte)).isNumber
          || "_-.@".utf8.contains(byte)
      }
      return isPlain ? "pulse:DEVICE=\(name)" : "pulse:DEVICE='\(name)'"
    }
  }

  /// The command of pactl with these arguments. Its output is in English.
  static func command(_ arguments: [String]) -> ChildProcess.Command {
    var command = ChildProcess.Command("pactl", arguments.map { Array($0.utf8) })
    command.variables = [("LC_ALL", "C")]
    return command
  }

  /// Returns the output of pactl, or `nil` if there is no pactl, no server, or no answer in time.
  static func answer(_ arguments: String...) -> String? {
    do {
      let (child, pipes) = try command(arguments).start(piping: \.output)
      defer { try? pipes[0].close() }
      let text = try? text(from: pipes[0])
      if text == nil { child.end() }
      return child.wait(endingGroup: true) == .exited(code: 0) ? text : nil
    } catch {
      return nil
    }
  }

  /// Returns everything up to the end, or `nil` if that takes too long.
  private static func text(from reader: FileDescriptor) throws(Errno) -> String? {
    var bytes: [UInt8] = []
    let end = ContinuousClock.now + .milliseconds(Int(timeLimit))
    while true {
      var polled = pollfd(fd: reader.rawValue, events: Int16(POLLIN), revents: 0)
      let left = Int32(max(0, (end - .now) / .milliseconds(1)))
      guard poll(&polled, 1, left) == 1 else { return nil }
      let part = try reader.read(atMost: 65_536)
      if part.isEmpty { return String(decoding: bytes, as: UTF8.self) }
      bytes += part
    }
  }
}

extension Substring {
  /// Returns the value of a member of a section in the output of pactl.
  func value(of member: String) -> String? {
    let head = "\t\(member): "
    return hasPrefix(head) ? String(dropFirst(head.count)) : nil
  }
}
