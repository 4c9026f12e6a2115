import Observation
import TestSupport
import Testing

@testable import RealTime
@testable import VoiceActivity
@testable import VoiceMonitor

@Suite(.timeLimit(.minutes(5))) struct ModelTests {
  /// What a view would see: the value whenever it changes.
  @MainActor @Test func theModelShowsWhatTheMonitorPublishes() async throws {
    let pcm = HostPCM(sampleRate: 16_000, seconds: 30)
    var configuration = VoiceActivityMonitor.Configuration()
    configuration.isMuted = true
    let monitor = try VoiceActivityMonitor(source: pcm.source, configuration: configuration)
    let model = VoiceActivityModel()
    let changes = Changes()
    changes.watch(model)
    let following = Task { await model.follow(monitor) }
    let running = Task { try await monitor.run() }
    var writer = pcm.writer
    let phrase = MonitorTests.phrase
    _ = writer.write(phrase.span)
    try await waitUntil("the model shows muted speech") { changes.seen == [true] }
    try await waitUntil("the model has a level") { model.level != nil }
    monitor.setMuted(false)
    try await waitUntil("the model shows its end") { changes.seen == [true, false] }
    monitor.stop()
    try await running.value
    await following.value
    #expect(model.level == nil)
    #expect(changes.seen == [true, false])
    withExtendedLifetime(writer.isReaderGone) {}
  }
}

@Suite(.timeLimit(.minutes(5))) struct NoticeOfAMonitorTests {
  /// With a limit of once per mute, an unmute allows the next notice.
  @MainActor @Test func unmutingStartsAnew() async throws {
    let pcm = HostPCM(sampleRate: 16_000, seconds: 30)
    var configuration = VoiceActivityMonitor.Configuration()
    configuration.isMuted = true
    let monitor = try VoiceActivityMonitor(source: pcm.source, configuration: configuration)
    var notices = MutedNotice.Configuration()
    notices.limit = .oncePerMute
    notices.text = "Du bist stumm."
    let presenter = MutedNoticePresenter(configuration: notices)
    let following = Task { await presenter.follow(monitor) }
    let running = Task { try await monitor.run() }
    var writer = pcm.writer
    let phrase = MonitorTests.phrase

    _ = writer.write(phrase.span)
    try await waitUntil("a notice") { presenter.notice != nil }
    let first = try #require(presenter.notice)
    #expect(first.text == "Du bist stumm.")
    presenter.dismiss(first.id)
    monitor.setMuted(false)
    monitor.setMuted(true)
    let pause = [Float](repeating: 0, count: 32_000)
    _ = writer.write(pause.span)
    _ = writer.write(phrase.span)
    try await waitUntil("a notice") { presenter.notice != nil }
    #expect(presenter.notice?.id != first.id)

    running.cancel()
    try await running.value
    await following.value
    withExtendedLifetime(writer.isReaderGone) {}
  }
}

@MainActor private final class Changes {
  var seen: [Bool] = []

  func watch(_ model: VoiceActivityModel) {
    withObservationTracking {
      _ = model.isSpeakingWhileMuted
    } onChange: {
      Task { @MainActor in
        self.seen.append(model.isSpeakingWhileMuted)
        self.watch(model)
      }
    }
  }
}
