import ALSAInput
import Glibc
import RealTime
import VoiceActivity

/// The reference of `vadmon live`: what was named, or nothing.
///
/// A sound server moves a stream whose source disappears to another source without a word, most often to the
/// microphone, and PipeWire begins there if a name does not exist. So the server is asked after each change which
/// sources this process records. The reference's sound counts only while the one that was named is among them.
/// Otherwise its stream is closed, and opened again when that source is back. The monitor of the default output follows
/// that output.
///
/// Positions go on in time across all this: what was not heard is missing.
///
/// Threads: as `PCMSource` requires, and one of its own, which asks the server. `@unchecked Sendable` is safe because
/// only the reading thread uses `readFrames`, `delivered`, `channels` and `mix`.
final class NamedReference: PCMSource, @unchecked Sendable {
  let sampleRate: Int
  let channelCount = 1

  fileprivate struct State {
    /// The ALSA name of what is named now.
    var device: String
    /// The server's name of its source; `nil` if it is not a server's.
    var target: String?
    /// The server has that source, as far as is known.
    var isThere = true
    var source: ALSASource?
    /// Whether what `source` delivers is what was named.
    var isTrusted = false
    /// When `source` was opened or left.
    var changedAt: Int64
    /// The position in this stream of the first frame of `source`; `nil` before it counts.
    var base: Int64?
    /// When frame 0 of this stream was captured.
    var startTime: Int64?
    var isStopped = false
  }

  private let state: Guarded<State>
  private let followsDefault: Bool
  /// Whether the server is asked. Otherwise all of the source is trusted.
  private let isWatched: Bool
  private let onChange: @Sendable (ReferenceChange) -> Void
  /// Wakes the reading thread while it waits for a device, and the one that asks the server.
  private let wake: WakeEvent
  private let watchWake: WakeEvent
  /// The frames read of the present source, missing ones included, and those of this stream that were delivered.
  private var readFrames: Int64 = 0
  private var delivered: Int64 = 0
  /// What the present source delivers, and how it is mixed.
  private var channels = PCMBlock(channelCount: 1)
  private var mix: PlayedMix

  /// The sound server has no source of the name.
  struct Missing: Error, CustomStringConvertible {
    let description = "its sound server has no such source; choose one that vadmon devices lists"
  }

  /// How long a stream may take to be where it should, ns. PipeWire connects it after it was opened.
  fileprivate static let settlingTime: Int64 = 1_500_000_000

  /// A stereo output has a stereo monitor, of which a server's own mean would lose what is in opposite phase.
  private static var configuration: ALSASource.Configuration {
    var configuration = ALSASource.Configuration()
    configuration.waitsForDevice = false
    configuration.channelCount = 2
    configuration.channels = .each
    return configuration
  }

  /// Opens the reference. Throws if it cannot be used now.
  ///
  /// - Parameters:
  ///   - warn: Called if the server cannot be asked.
  ///   - onChange: Called when another device is the reference, and when it is the microphone. Any thread.
  init(
    _ reference: LiveOptions.Reference, warn: (String) -> Void,
    onChange: @escaping @Sendable (ReferenceChange) -> Void
  ) throws {
    followsDefault = reference.isDefaultMonitor
    self.onChange = onChange
    var (device, target) = (reference.device, CaptureDevice.serverSource(in: reference.device))
    if followsDefault {
      let monitor = SoundServer.defaultMonitor()
      (device, target) = (monitor.deviceName, monitor == .unnamedMonitor ? nil : monitor.name)
    }
    let server = SoundServer.state()
    if let named = target, let server, !server.has(named) {
      // PipeWire's own plugin names the output, not its monitor.
      target = server.has(named + ".monitor") ? named + ".monitor" : nil
      guard target != nil else { throw Missing() }
    }
    // Without a source, it is the microphone (`ask()`).
    let isMicrophone = server?.sources(ofProcess: getpid()).contains { $0 == target } ?? false
    let source = isMicrophone ? nil : try ALSASource(device, configuration: Self.configuration)
    sampleRate = source?.sampleRate ?? Self.configuration.sampleRate
    mix = PlayedMix(channelCount: 1, sampleRate: sampleRate)
    (wake, watchWake) = (try WakeEvent(), try WakeEvent())
    if let source, !source.isSoundCard, target == nil, let server {
      target = Self.newSource(since: server)
    }
    isWatched = server != nil && (target != nil || followsDefault)
    state = Guarded(
      State(
        device: device, target: target, isThere: !isMicrophone, source: source,
        isTrusted: !isWatched, changedAt: isMicrophone ? 0 : monotonicTime()))
    if isWatched {
      try JoinableThread { [weak self, watchWake] in Self.watch(watchWake) { self } }.detach()
    } else if target != nil {
      warn(
        "cannot see whether the sound server moves the reference to another source: install pactl "
          + "(pulseaudio-utils)")
    }
  }

  /// Returns the source of a stream that this process has opened since, if it is a server's.
  private static func newSource(since before: SoundServer.State) -> String? {
    for _ in 0..<5 {
      guard var sources = SoundServer.state()?.sources(ofProcess: getpid()) else { return nil }
      for known in before.sources(ofProcess: getpid()) {
        if let index = sources.firstIndex(of: known) { sources.remove(at: index) }
      }
      if let new = sources.first { return new }
      usleep(50_000)
    }
    return nil
  }

  var startTime: Int64? {
    state.change { state in
      if let base = state.base, let start = state.source?.startTime {
        state.startTime = start - nanoseconds(base)
      }
      return state.startTime
    }
  }

  private func nanoseconds(_ frames: Int64) -> Int64 {
    Int64(Double(frames) * 1e9 / Double(sampleRate))
  }

  deinit { watchWake.signal() }

  func stop() {
    state.change { state in
      state.isStopped = true
      state.source?.stop()
    }
    wake.signal()
    watchWake.signal()
  }
}

// MARK: - Reading

extension NamedReference {
  func read(into block: inout PCMBlock) -> Bool {
    while let source = state.change({ $0.source }) ?? open() {
      guard (try? readMixed(source, into: &block)) == true else {
        state.change { _ = $0.source === source ? $0.leave() : nil }
        continue
      }
      let begin = readFrames
      readFrames += Int64(block.missingFrames) + Int64(block.frameCount)
      guard let base = place(source, begin) else { continue }
      block.missingFrames += UInt64(base + begin - delivered)
      delivered = base + readFrames
      return true
    }
    return false
  }

  /// Reads the mix of all channels.
  private func readMixed(_ source: ALSASource, into block: inout PCMBlock) throws -> Bool {
    if channels.channelCount != source.channelCount {
      channels = PCMBlock(channelCount: source.channelCount)
      mix = PlayedMix(channelCount: source.channelCount, sampleRate: sampleRate)
    }
    channels.wanted = block.wanted
    guard try source.read(into: &channels) else { return false }
    mix.mix(&channels)
    block.copyFirstChannel(of: channels)
    return true
  }

  /// Returns the position in this stream of the first frame of a source, of which `begin` is delivered next; `nil` if
  /// it does not count.
  private func place(_ source: ALSASource, _ begin: Int64) -> Int64? {
    state.change { state in
      guard state.source === source, state.isTrusted else { return nil }
      if state.base == nil {
        var base = delivered - begin
        if let zero = state.startTime, let start = source.startTime {
          base = max(base, Int64(Double(start - zero) / 1e9 * Double(sampleRate)))
        }
        state.base = base
      }
      return state.base
    }
  }

  /// Waits until the reference can be opened, and opens it. Returns `nil` if it is no longer wanted.
  private func open() -> ALSASource? {
    var pause: Int32 = 100
    while true {
      wake.wait(atMost: pause)
      let (device, isThere, isStopped) = state.change { state in
        // The server knows a stream before this object does.
        if state.isThere { state.changedAt = monotonicTime() }
        return (state.device, state.isThere, state.isStopped)
      }
      if isStopped { return nil }
      pause = min(2 * pause, 1000)
      guard isThere, let source = try? ALSASource(device, configuration: Self.configuration),
        source.sampleRate == sampleRate, begin(source, device)
      else { continue }
      watchWake.signal()
      return source
    }
  }

  private func begin(_ source: ALSASource, _ device: String) -> Bool {
    readFrames = 0
    return state.change { state in
      guard !state.isStopped, state.device == device else { return false }
      (state.source, state.changedAt) = (source, monotonicTime())
      state.isTrusted = !isWatched
      return true
    }
  }
}

extension NamedReference.State {
  /// Leaves the present source: it is not, or no longer, what was named.
  @discardableResult
  fileprivate mutating func leave() -> ALSASource? {
    let left = source
    left?.stop()
    (source, base, isTrusted, changedAt) = (nil, nil, false, monotonicTime())
    return left
  }

  /// Whether only a change at the server can change what is known.
  fileprivate var isCertain: Bool { isTrusted || source == nil && isSettled }

  /// Whether the server has had the time to connect the stream, or to forget the one before.
  fileprivate var isSettled: Bool { monotonicTime() - changedAt > NamedReference.settlingTime }
}

// MARK: - Asking the server

extension NamedReference {
  /// Asks the server after each change, for as long as the reference lives.
  private static func watch(_ wake: WakeEvent, _ reference: () -> NamedReference?) {
    let server = ServerWatch()
    while let isCertain = reference()?.state.change({ $0.isStopped ? nil : $0.isCertain }) ?? nil {
      if server.wait(orFor: wake, isCertain: isCertain) { reference()?.ask() }
    }
  }

  private func ask() {
    guard let server = SoundServer.state() else { return }
    let output = followsDefault ? SoundServer.defaultMonitor() : .unnamedMonitor
    let recorded = server.sources(ofProcess: getpid())
    // Freed outside the lock, because closing a device may take a while.
    var left: ALSASource?
    let change = state.change { state -> ReferenceChange? in
      var change: ReferenceChange?
      if output != .unnamedMonitor, output.name != state.target {
        (state.device, state.target) = (output.deviceName, output.name)
        left = state.leave()
        change = .follows(device: output.deviceName)
      }
      let count = recorded.count { $0 == state.target }
      if state.source != nil, count > 0 {
        state.isTrusted = true
        if count > 1 { change = .isCopy }
      } else if state.isTrusted || state.source != nil && state.isSettled {
        left = state.leave() ?? left
      }
      // What another stream of ours records already is the microphone.
      let isMicrophone = state.source == nil && count > 0
      state.isThere = state.target.map { server.has($0) && !isMicrophone } ?? false
      return isMicrophone && state.isSettled ? .isMicrophone : change
    }
    wake.signal()
    if let change { onChange(change) }
  }
}
