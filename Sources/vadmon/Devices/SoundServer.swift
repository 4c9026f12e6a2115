import ALSAInput
import AudioInput
import Glibc
import SystemPackage

/// The sources of a sound server by name, as ALSA's plugin for PulseAudio takes them, also from PipeWire.
///
/// ALSA lists the server as one device, `pulse`. `pactl`, which PulseAudio's and PipeWire's packages recommend alike,
/// knows its sources; without it the list is empty, and so it is where ALSA's configuration of `pulse` takes no name.
enum SoundServer {
  /// A server that hangs keeps pactl waiting.
  private static let timeLimit: Int32 = 2000

  /// Those that can be opened or not, to be listed behind `pulse`.
  static func sources() -> [CaptureDevice] {
    sources(in: answer() ?? "").map { source in
      CaptureDevice(name: source.deviceName, title: source.title)
    }
  }

  struct Source: Hashable {
    var name: String
    var title: String

    /// In quotes where ALSA would take a part of it for something else.
    var deviceName: String {
      let isPlain = name.utf8.allSatisfy { byte in
        Character(Unicode.Scalar(byte)).isLetter || Character(Unicode.Scalar(byte)).isNumber
          || "_-.".utf8.contains(byte)
      }
      return isPlain ? "pulse:DEVICE=\(name)" : "pulse:DEVICE='\(name)'"
    }
  }

  /// What `pactl list sources` says in the locale C: members of a source are indented by one tab.
  static func sources(in text: String) -> [Source] {
    var sources: [Source] = []
    for line in text.split(separator: "\n") {
      if let name = line.value(of: "Name") {
        sources.append(Source(name: name, title: ""))
      } else if let title = line.value(of: "Description"), !sources.isEmpty {
        sources[sources.count - 1].title = title
      }
    }
    // A quote within quotes is none that ALSA could read.
    return sources.filter { !$0.name.contains("'") }
  }

  /// What pactl prints; `nil` if there is none, no server, or no answer in time.
  private static func answer() -> String? {
    do {
      let (reader, writer) = try FileDescriptor.pipe(options: .closeOnExec)
      defer { try? reader.close() }
      let child: ChildProcess
      do {
        defer { try? writer.close() }
        child = try ChildProcess(
          ChildProcess.Command(
            program: "pactl", arguments: ["list", "sources"].map { Array($0.utf8) },
            variables: [("LC_ALL", "C")], output: writer, isQuiet: true))
      }
      let text = try text(from: reader)
      if text == nil { child.end() }
      return child.complaint() == nil ? text : nil
    } catch {
      return nil
    }
  }

  /// Everything up to the end, unless that takes too long.
  private static func text(from reader: FileDescriptor) throws -> String? {
    var bytes: [UInt8] = []
    let end = ContinuousClock.now + .milliseconds(Int(timeLimit))
    while true {
      var polled = pollfd(fd: reader.rawValue, events: Int16(POLLIN), revents: 0)
      let left = Int32(max(0, (end - .now) / .milliseconds(1)))
      guard poll(&polled, 1, left) == 1 else { return nil }
      let part = try [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
        count = try reader.read(into: UnsafeMutableRawBufferPointer(buffer))
      }
      if part.isEmpty { return String(decoding: bytes, as: UTF8.self) }
      bytes += part
    }
  }
}

extension Substring {
  fileprivate func value(of member: String) -> String? {
    let head = "\t\(member): "
    return hasPrefix(head) ? String(dropFirst(head.count)) : nil
  }
}
