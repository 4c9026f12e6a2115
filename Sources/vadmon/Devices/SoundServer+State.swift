extension SoundServer {
  /// Which sources a server has, and which of them its streams record.
  struct State {
    /// The sources that ALSA can open, whether or not they are in use.
    var inputs: [Source] { sources.map(\.source).filter(\.canBeNamed) }
    private var sources: [(number: Substring, source: Source)] = []
    /// The number of the source that each stream records, and the stream's client and process as far as they are said.
    private var streams: [(source: Substring, client: Substring?, process: Int32?)] = []
    private var processes: [Substring: Int32] = [:]

    /// Reads the output of `pactl list` in the C locale. Sections begin with a kind and a number, such as
    /// `Source Output #7`; their members are indented by one tab, and properties by two.
    init(_ list: String) {
      var (kind, number): (Substring, Substring) = ("", "")
      for line in list.split(separator: "\n") {
        if !line.hasPrefix("\t"), let mark = line.lastIndex(of: "#") {
          (kind, number) = (line[..<mark], line[line.index(after: mark)...])
          if kind == "Source Output " { streams.append(("", nil, nil)) }
        }
        switch kind {
        case "Source ": readSource(line, number)
        case "Source Output ": readStream(line)
        case "Client ": if let process = line.process { processes[number] = process }
        default: break
        }
      }
    }

    private mutating func readSource(_ line: Substring, _ number: Substring) {
      if let name = line.value(of: "Name") { sources.append((number, Source(name: name))) }
      guard let last = sources.indices.last, sources[last].number == number else { return }
      if let title = line.value(of: "Description") { sources[last].source.title = title }
      if let sink = line.value(of: "Monitor of Sink") {
        sources[last].source.isMonitor = sink != "n/a"
      }
      if line.hasPrefix("\t\tdevice.bus = \"bluetooth\"") {
        sources[last].source.isBluetooth = true
      }
    }

    private mutating func readStream(_ line: Substring) {
      let last = streams.count - 1
      if let source = line.value(of: "Source") { streams[last].source = source[...] }
      if let client = line.value(of: "Client") { streams[last].client = client[...] }
      if let process = line.process { streams[last].process = process }
    }

    /// Returns whether there is a source of this name.
    func has(_ source: String) -> Bool { sources.contains { $0.source.name == source } }

    /// Returns the names of the sources that a process records, one for each of its streams.
    ///
    /// PulseAudio's clients tell a process with each stream, PipeWire's own with the client only.
    func sources(ofProcess process: Int32) -> [String] {
      streams.compactMap { stream in
        let owner = stream.process ?? stream.client.flatMap { processes[$0] }
        guard owner == process else { return nil }
        return sources.first { $0.number == stream.source }?.source.name
      }
    }
  }

  /// Returns the present state, or `nil` if pactl is missing or does not answer.
  static func state() -> State? { answer("list").map(State.init) }
}

extension Substring {
  fileprivate var process: Int32? {
    let head = "\t\tapplication.process.id = \""
    return hasPrefix(head) ? Int32(dropFirst(head.count).dropLast()) : nil
  }
}
