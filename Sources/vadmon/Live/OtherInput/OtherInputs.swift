import ALSAInput
import Glibc
import RealTime
import VoiceActivity

/// A look at the inputs beside the chosen one: which of them has sound.
///
/// Each is open for half a second of sound, one after the other, and only if that disturbs nobody. Where a sound server
/// runs, its sources can be shared; its sound cards are left to it. Not opened are monitors, which hear a loudspeaker,
/// and Bluetooth headsets, which stop playing music well when their microphone is used. Without a server, a card that a
/// program uses refuses to open (EBUSY).
///
/// Blocks for seconds: it runs on a thread of its own.
struct OtherInputs: Sendable {
  /// The device that is listened to.
  var chosen: String
  /// The device of the reference, which must not be opened twice.
  var reference: String?

  /// An input, and the server's name of it if it is a server's.
  private struct Candidate {
    var input: OtherInput
    var source: String?
  }

  /// The least level of sound in a hop, dBFS. Speech reaches it. The hiss of a quiet room or of an open plug stays
  /// below −55, and digital silence is −127.
  private static let leastLevel: Float = -50
  /// How long a device is listened to, µs, and how much of that is left out: the click of a device that is switched on,
  /// s.
  private static let (listeningTime, settlingTime): (UInt32, Double) = (500_000, 0.1)
  private static let openingTime = Duration.milliseconds(500)
  /// How long a device may take to its first sound, and how often to look for it, µs. A server's took 0.5 to 1.9 s.
  private static let (firstSoundTime, lookingTime): (UInt32, UInt32) = (2_500_000, 50_000)
  private static let most = 8

  /// Returns the loudest input that has sound; `known` if that still has some.
  func withSound(known: OtherInput?) -> OtherInput? {
    var loudest: (input: OtherInput, level: Float)?
    for candidate in candidates.prefix(Self.most) {
      guard let level = Self.level(of: candidate), level >= Self.leastLevel else { continue }
      if candidate.input == known { return known }
      if level > loudest?.level ?? -.infinity { loudest = (candidate.input, level) }
    }
    return loudest?.input
  }

  private var candidates: [Candidate] {
    if SoundServer.isThere { return sources }
    let devices = CaptureDevice.ofCards().map { OtherInput(device: $0.name, title: $0.title) }
    return ([OtherInput(device: "default")] + devices)
      .filter { $0.device != chosen && $0.device != reference }.map { Candidate(input: $0) }
  }

  /// The server's sources; none if it cannot be asked which of them this process records.
  private var sources: [Candidate] {
    guard let server = SoundServer.state() else { return [] }
    let used =
      [chosen, reference ?? ""].compactMap(CaptureDevice.serverSource)
      + server.sources(ofProcess: getpid())
    return server.inputs
      .filter { !$0.isMonitor && !$0.isBluetooth && !used.contains($0.name) }
      .map {
        Candidate(input: OtherInput(device: $0.deviceName, title: $0.title), source: $0.name)
      }
  }

  /// Returns the level of the loudest hop; `nil` if the device cannot be used, or another one delivers in its place.
  private static func level(of candidate: Candidate) -> Float? {
    var configuration = ALSASource.Configuration()
    configuration.waitsForDevice = false
    configuration.realTimePriority = nil
    guard
      let source = try? ALSASource.open(
        candidate.input.device, configuration: configuration, timeLimit: openingTime)
    else { return nil }
    for _ in 0..<firstSoundTime / lookingTime where source.status.capturedFrames == 0 {
      usleep(lookingTime)
    }
    usleep(listeningTime)
    // A server may have moved the stream of a source that is gone.
    let isMoved = candidate.source.map { name in
      SoundServer.state()?.sources(ofProcess: getpid()).contains(name) != true
    }
    source.stop()
    return isMoved == true ? nil : loudestLevel(in: source)
  }

  /// Returns the level of the loudest hop of what a stopped source has left; `nil` if it has failed.
  private static func loudestLevel(in source: ALSASource) -> Float? {
    guard
      var detector = try? VoiceActivityDetector(
        configuration: .init(sampleRate: source.sampleRate))
    else { return nil }
    let begin = UInt64(settlingTime * Double(source.sampleRate))
    var loudest = -Float.infinity
    var block = PCMBlock(channelCount: source.channelCount)
    do {
      while try source.read(into: &block) {
        block.withSamples(ofChannel: 0) { samples in
          detector.process(
            samples,
            onHop: { if $0.position >= begin { loudest = max(loudest, $0.levelDBFS) } },
            onEvent: { _ in })
        }
      }
    } catch {
      return nil
    }
    return loudest
  }
}
