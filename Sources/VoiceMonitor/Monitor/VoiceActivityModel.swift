public import Observation
internal import RealTime
public import VoiceActivity

/// What an application shows of a ``VoiceActivityMonitor``, for SwiftUI and other views that follow `@Observable`.
///
/// ```swift
/// let model = VoiceActivityModel()
/// Task { await model.follow(monitor) }
/// ```
/// Threads: the main actor.
@MainActor @Observable
public final class VoiceActivityModel {
  /// Whether somebody speaks while the microphone is muted.
  public private(set) var isSpeakingWhileMuted = false
  /// The condition of the microphone.
  public private(set) var health = SignalHealth.starting
  /// The newest hop, 25 times a second; `nil` before the first hop and when no monitor is followed.
  public private(set) var level: VoiceActivityHop?

  /// Creates a model that shows nothing until it follows a monitor.
  public nonisolated init() {}

  /// Shows what the monitor publishes until the monitor ends or the task is cancelled.
  public func follow(_ monitor: VoiceActivityMonitor) async {
    async let speaking: Void = follow(monitor.isSpeakingWhileMuted) { $0.isSpeakingWhileMuted = $1 }
    async let health: Void = follow(monitor.health) { $0.health = $1 }
    async let level: Void = follow(monitor.levels) { $0.level = $1 }
    _ = await (speaking, health, level)
    (isSpeakingWhileMuted, self.level) = (false, nil)
  }

  private func follow<Value>(
    _ values: StateSequence<Value>, _ show: @MainActor (VoiceActivityModel, Value) -> Void
  ) async {
    for await value in values { show(self, value) }
  }
}

extension MutedNoticePresenter {
  /// Shows the notice when somebody speaks while muted, until the monitor ends or the task is cancelled.
  public func follow(_ monitor: VoiceActivityMonitor) async {
    let events = monitor.events
    update(isSpeakingWhileMuted: monitor.isSpeakingWhileMuted.value)
    for await event in events {
      switch event.kind {
      case .speakingWhileMuted(let isSpeaking): update(isSpeakingWhileMuted: isSpeaking)
      case .muted(false): microphoneUnmuted()
      default: break
      }
    }
    update(isSpeakingWhileMuted: false)
  }
}
