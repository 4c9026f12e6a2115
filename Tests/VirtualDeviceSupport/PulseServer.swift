import Foundation
import TestSupport

/// A test's own PulseAudio server, or PipeWire in its place, without a sound card, a session or a terminal. Its
/// microphone hears what is played into its null sink.
///
/// It can have a room: a second microphone, which hears what the loudspeaker plays through a room response, and what is
/// played into the room itself.
///
/// It serves as a second kind of capture device that is independent of this package: its ALSA plugin, its thread and
/// its clock are PulseAudio's.
public final class PulseServer {
  /// The server that serves PulseAudio's protocol.
  public enum Kind: Sendable, CaseIterable { case pulseAudio, pipeWire }

  private let kind: Kind
  private let folder: URL
  /// The running process. It ends as soon as its standard input is closed, at the latest when the tests end.
  private var running: (process: Process, input: Pipe)?

  public struct Failure: Error, CustomStringConvertible { public let description: String }

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - hasRoom: Whether there is a room.
  ///   - hearsLoudspeaker: Whether the room hears the loudspeaker. Needs PulseAudio.
  public init(_ kind: Kind = .pulseAudio, hasRoom: Bool = false, hearsLoudspeaker: Bool = true)
    throws
  {
    self.kind = kind
    self.hasRoom = hasRoom
    self.hearsLoudspeaker = hearsLoudspeaker
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("pulse-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    try start()
  }

  deinit {
    stop()
    try? FileManager.default.removeItem(at: folder)
  }

  /// The microphone's name for libasound, as ``VirtualDriver`` configures it.
  public var microphone: String { "pulse:\(address),\(Self.sink).monitor" }
  /// The same with its arguments by name.
  public var namedMicrophone: String { "pulse:SERVER=\(address),DEVICE=\(Self.sink).monitor" }
  /// The value for PULSE_SERVER.
  public var address: String { "unix:\(folder.path)/pulse/native" }
  /// The variables by which a program finds the server.
  public var environment: [String: String] {
    [
      "PATH": "/usr/bin:/bin", "HOME": folder.path, "XDG_RUNTIME_DIR": folder.path,
      "PULSE_SERVER": address,
    ]
  }
  /// The name of the room's microphone among the server's sources. PipeWire has it in one device with the room, because
  /// it moves whoever records a monitor to another one whenever an output appears.
  public var roomSource: String { kind == .pulseAudio ? "\(Self.room).monitor" : Self.room }

  /// The name of the room's microphone, for a server with a room. ``microphone`` is then the loudspeaker's monitor.
  public var roomMicrophone: String { "pulse:\(address),\(roomSource)" }

  public static let sink = "loudspeaker"
  private static let room = "room"
  private let (hasRoom, hearsLoudspeaker): (Bool, Bool)

  /// Starts the server if it is not running, and waits until it answers.
  public func start() throws {
    guard running == nil else { return }
    let input = Pipe()
    // The shell stays, because PulseAudio closes every inherited descriptor, which Foundation mistakes for the end of
    // the process.
    let process = try run(
      """
      mkdir -p "$1/pulse"
      \(kind == .pulseAudio ? pulseAudio : Self.pipeWire)
      exit
      """, input: input)
    running = (process, input)
    for _ in 0..<1200 where process.isRunning {
      if try hasAnswered {
        if kind == .pipeWire { try addOutputs() }
        if hasRoom && hearsLoudspeaker { try letRoomHearLoudspeaker() }
        return
      }
      usleep(100_000)
    }
    let log = try? String(contentsOf: folder.appendingPathComponent("log"), encoding: .utf8)
    stop()
    throw Failure(description: "PulseAudio does not start: \(log ?? "it says nothing")")
  }

  private var pulseAudio: String {
    let room = hasRoom ? #"-L "module-null-sink sink_name=\#(Self.room) \#(Self.format)""# : ""
    return """
      pulseaudio -n --daemonize=no --exit-idle-time=-1 --use-pid-file=no --disable-shm=yes \
        -L "module-cli exit_on_eof=1" \
        -L "module-native-protocol-unix socket=$1/pulse/native auth-anonymous=1" \
        -L "module-null-sink sink_name=\(Self.sink) \(Self.format)" \
        \(room) > "$1/log" 2>&1
      """
  }

  /// PipeWire's session manager needs a message bus. The three end with their standard input.
  private static let pipeWire = """
    dbus-run-session -- sh -c 'pipewire & all=$!
      while [ ! -S "$1/pipewire-0" ] && kill -0 $all; do sleep 0.05; done
      wireplumber & all="$all $!"
      pipewire-pulse & all="$all $!"
      cat; kill $all; wait' sh "$1" > "$1/log" 2>&1
    """

  private static let format = "rate=48000 channels=1 format=s16le"

  /// PipeWire starts without outputs. A third one stays the default.
  private func addOutputs() throws {
    try addOutput(Self.sink)
    if hasRoom { try addOutput("\(Self.room) media.class=Audio/Duplex") }
    try addOutput("other")
    try setDefaultOutput("other")
    try pactl("set-default-source \(roomSource)")
  }

  private var hasAnswered: Bool {
    get throws {
      let question = try run(#"exec pactl info > /dev/null 2>&1"#)
      try question.waitForEnd()
      return question.terminationStatus == 0
    }
  }

  /// Freezes the server (SIGSTOP), so that it does not answer, or lets it continue.
  public func hang(_ isHanging: Bool) {
    guard let (process, _) = running else { return }
    // The server is the shell's child.
    let id = process.processIdentifier
    let children = try? String(contentsOfFile: "/proc/\(id)/task/\(id)/children", encoding: .utf8)
    for child in (children ?? "").split(separator: " ").compactMap({ pid_t($0) }) {
      kill(child, isHanging ? SIGSTOP : SIGCONT)
    }
  }

  /// Ends the server, and waits until it has ended.
  public func stop() {
    hang(false)
    guard let (process, input) = running else { return }
    try? input.fileHandleForWriting.close()
    try? process.waitForEnd()
    running = nil
  }

  /// Carries what the loudspeaker plays into the room: some 250 ms later, 8 dB quieter and with sox's model of a room's
  /// reverberation, for as long as the server runs. What the two clients of the server say goes to a file.
  private func letRoomHearLoudspeaker() throws {
    _ = try run(
      """
      exec 2> "$1/room"
      parec -v --raw --device=\(Self.sink).monitor --format=s16le --rate=48000 --channels=1 --latency-msec=20 |
        sox --buffer 1024 -V1 -t raw -r 48000 -e signed -b 16 -c 1 - -t raw - gain -8 reverb 25 50 20 |
        pacat -v --raw --device=\(Self.room) --format=s16le --rate=48000 --channels=1 --latency-msec=200
      exit
      """)
  }

  /// Lets the room hear the loudspeaker that there is now, 200 ms later, until it is removed.
  public func carryLoudspeakerIntoRoom() throws {
    try pactl(
      "load-module module-loopback source=\(Self.sink).monitor sink=\(Self.room) latency_msec=200 "
        + "adjust_time=0 source_dont_move=true")
  }

  /// How often the room has lost sound, because a process on the way of the sound was late.
  public var roomLosses: Int {
    get throws {
      let log = try String(contentsOf: folder.appendingPathComponent("room"), encoding: .utf8)
      return log.components(separatedBy: "Stream underrun").count
        + log.components(separatedBy: "Stream overrun").count - 2
    }
  }

  /// Plays a file of any format that libsndfile reads, and waits for its end unless told otherwise: through the
  /// loudspeaker, or into the room as the user's voice.
  public func play(_ path: String, intoRoom: Bool = false, waits: Bool = true) throws {
    let sink = intoRoom ? Self.room : Self.sink
    let player = try run(#"exec paplay --device=\#(sink) "$2""#, path)
    guard waits else { return }
    try player.waitForEnd()
    guard player.terminationStatus == 0 else {
      throw Failure(
        description: "paplay cannot play \(path): exit code \(player.terminationStatus)")
    }
  }

  /// Adds an output that plays nowhere; `name` may be followed by further settings.
  public func addOutput(_ name: String = sink) throws {
    try pactl("load-module module-null-sink sink_name=\(name) \(Self.format)")
  }

  /// Removes an output, as if it were switched off.
  public func removeOutput(_ name: String = sink) throws {
    try pactl("unload-module $(pactl list short modules | grep -w sink_name=\(name) | cut -f1)")
  }

  /// PipeWire answers that this is not supported until its session manager keeps defaults, for which it gets 10 s.
  public func setDefaultOutput(_ name: String) throws {
    for _ in 0..<100 {
      if (try? pactl("set-default-sink \(name)")) != nil { return }
      usleep(100_000)
    }
    try pactl("set-default-sink \(name)")
  }

  /// Returns what pactl prints.
  @discardableResult
  public func pactl(_ arguments: String) throws -> String {
    let process = try run(#"pactl \#(arguments) > "$1/answer" 2>&1"#)
    try process.waitForEnd()
    let answer = try String(
      contentsOf: folder.appendingPathComponent("answer"), encoding: .utf8)
    guard process.terminationStatus == 0 else {
      throw Failure(description: "pactl \(arguments): \(answer)")
    }
    return answer
  }

  /// Suspends or resumes the sink. A suspended server answers, but its microphone delivers nothing.
  public func suspend(_ isSuspended: Bool) throws {
    try pactl("suspend-sink \(Self.sink) \(isSuspended)")
  }

  /// Plays 16-bit samples at 48 kHz repeatedly, without a gap, for as long as the server runs.
  public func loop(_ samples: [Int16]) throws {
    let period = folder.appendingPathComponent("period").path
    try samples.withUnsafeBytes { Data($0) }.write(to: URL(fileURLWithPath: period))
    _ = try run(
      """
      while cat "$2" 2> /dev/null; do :; done |
        pacat --raw --device=\(Self.sink) --format=s16le --rate=48000 --channels=1 2> /dev/null
      exit
      """, period)
  }

  /// Runs a line of shell in which `$1` is the server's folder and `$2` the argument. No variable of the tests'
  /// environment leads it to another server.
  private func run(_ script: String, _ argument: String = "", input: Pipe? = nil) throws -> Process
  {
    let server =
      kind == .pulseAudio ? ["pulseaudio"] : ["pipewire", "pipewire-pulse", "wireplumber"]
    for program in server + ["pactl", "paplay"]
    where !FileManager.default.isExecutableFile(atPath: "/usr/bin/\(program)") {
      throw Failure(
        description: "\(program) is not installed; make deps installs what the tests need")
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", script, "sh", folder.path, argument]
    process.environment = environment
    process.standardInput = input ?? FileHandle.nullDevice
    try process.run()
    return process
  }
}
