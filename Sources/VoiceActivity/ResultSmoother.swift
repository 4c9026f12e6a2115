internal import CVoiceActivity

/// A smoother behind a detector, and the room that it writes to.
///
/// `@unchecked Sendable` is safe because only the noncopyable ``VoiceActivityDetector`` that owns it uses it.
final class ResultSmoother: @unchecked Sendable {
  /// The smoother that C made. It is valid as long as this object lives.
  private let smoother: OpaquePointer
  private let room = ResultRoom()

  init(_ configuration: VoiceActivityDetector.Configuration) throws(VoiceActivityError) {
    var config = configuration.cValue
    var made: OpaquePointer?
    let code = va_smoother_create(&config, &made)
    guard code == VA_OK, let made else { throw VoiceActivityError(code) }
    smoother = made
  }

  deinit { va_smoother_destroy(smoother) }

  func reset() { va_smoother_reset(smoother) }

  /// Reports what the results of a call complete, or the end of the stream.
  func report(
    _ results: UnsafePointer<va_output>?, _ core: DetectorCore,
    _ onHop: (VoiceActivityHop) -> Void, _ onEvent: (VoiceActivityEvent) -> Void
  ) {
    var smoothed = room.output(wantsHops: true)
    repeat {
      let code = va_smoother_process(smoother, results, &smoothed)
      precondition(code == VA_OK, "the stream was used after flush()")
      smoothed.report(core, onHop, onEvent)
    } while smoothed.more
  }
}
