internal import CALSA
internal import Glibc
internal import RealTime

/// The parameters of a configured PCM, read back from it; they may differ from the request.
struct NegotiatedParameters: Sendable, Hashable {
  var sampleRate: Int
  var channelCount: Int
  var sampleFormat: CaptureFormat
  /// The number of frames by which the device counts.
  var periodFrames: Int
  /// The number of frames after which the PCM wakes the thread: whole periods.
  var batchFrames: Int
  /// The number of frames that the device keeps for a late reader.
  var bufferFrames: Int
}

/// The parameters to request. If `isExact` is true, the rate and the channel count must match, because a running
/// capture continues with them.
struct RequestedParameters: Sendable, Hashable {
  var sampleRate: Int
  var channelCount: Int
  var sampleFormat: CaptureFormat?
  var period: Duration
  var batch: Duration
  var buffer: Duration
  var isExact = false
}

/// The `snd_pcm_hw_params_t` of a PCM, narrowed from all possible configurations down to one.
///
/// `params` is freed in `deinit`. The PCM must outlive this value, which is only ever a local variable.
struct HardwareParameters: ~Copyable {
  private let pcm: OpaquePointer
  private let params: OpaquePointer

  /// A step that the PCM refused.
  struct Refusal: Error {
    let what: String
    let code: Int32
  }

  init(_ pcm: OpaquePointer) throws(Refusal) {
    var params: OpaquePointer?
    guard snd_pcm_hw_params_malloc(&params) == 0, let params else {
      throw Refusal(what: "there is no memory for it", code: -ENOMEM)
    }
    self.pcm = pcm
    self.params = params
  }

  deinit { snd_pcm_hw_params_free(params) }

  /// Chooses the parameters, applies them and reads them back.
  func negotiate(_ request: RequestedParameters) throws(Refusal) -> NegotiatedParameters {
    try begin()
    let sampleFormat = try chooseFormat(request.sampleFormat)
    try chooseRate(request)
    try chooseChannels(request)
    try chooseTimes(request)
    try Self.check(snd_pcm_hw_params(pcm, params), "it rejected the parameters that it offered")
    return try readBack(sampleFormat, request.batch)
  }

  /// Starts from every configuration that allows interleaved reading.
  private func begin() throws(Refusal) {
    try Self.check(snd_pcm_hw_params_any(pcm, params), "it does not support capture")
    try Self.check(
      snd_pcm_hw_params_set_access(pcm, params, SND_PCM_ACCESS_RW_INTERLEAVED),
      "it cannot be read interleaved")
  }

  /// Returns the first format that the device supports, narrow ones first: 16 bits reach below any microphone's noise.
  private func chooseFormat(_ requested: CaptureFormat?) throws(Refusal) -> CaptureFormat {
    for format in requested.map({ [$0] }) ?? CaptureFormat.allCases {
      if snd_pcm_hw_params_set_format(pcm, params, format.alsaFormat) == 0 { return format }
    }
    let names = requested.map(\.rawValue) ?? "16, 24 or 32-bit integers or float"
    throw Refusal(what: "it does not offer samples of the format \(names)", code: -EINVAL)
  }

  /// Chooses the nearest available rate.
  private func chooseRate(_ request: RequestedParameters) throws(Refusal) {
    try limitRates(
      to: request.isExact ? request.sampleRate...request.sampleRate : supportedSampleRates)
    var rate = UInt32(clamping: request.sampleRate)
    try Self.check(
      snd_pcm_hw_params_set_rate_near(pcm, params, &rate, nil), "it offers no rate")
  }

  /// Limits the choice to the device's own rates, because the detector's resampler is better than ALSA's plugin.
  private func limitRates(to range: ClosedRange<Int>) throws(Refusal) {
    snd_pcm_hw_params_set_rate_resample(pcm, params, 0)
    var (low, high) = (UInt32(range.lowerBound), UInt32(range.upperBound))
    try Self.check(
      snd_pcm_hw_params_set_rate_minmax(pcm, params, &low, nil, &high, nil),
      "it offers no rate from \(range.lowerBound) to \(range.upperBound) Hz")
  }

  private func chooseChannels(_ request: RequestedParameters) throws(Refusal) {
    var count = UInt32(clamping: request.channelCount)
    let code =
      request.isExact
      ? snd_pcm_hw_params_set_channels(pcm, params, count)
      : snd_pcm_hw_params_set_channels_near(pcm, params, &count)
    try Self.check(code, "it does not offer \(request.channelCount.inChannels)")
  }

  /// Chooses the period before the buffer: the period determines the latency, the buffer only how late a reader may be.
  private func chooseTimes(_ request: RequestedParameters) throws(Refusal) {
    var (period, buffer) = (request.period.microseconds, request.buffer.microseconds)
    try Self.check(
      snd_pcm_hw_params_set_period_time_near(pcm, params, &period, nil), "it offers no period")
    try Self.check(
      snd_pcm_hw_params_set_buffer_time_near(pcm, params, &buffer, nil), "it offers no buffer")
  }

  private func readBack(
    _ sampleFormat: CaptureFormat, _ batch: Duration
  ) throws(Refusal) -> NegotiatedParameters {
    var (rate, channels) = (UInt32(0), UInt32(0))
    var (period, buffer) = (snd_pcm_uframes_t(0), snd_pcm_uframes_t(0))
    let codes = [
      snd_pcm_hw_params_get_rate(params, &rate, nil),
      snd_pcm_hw_params_get_channels(params, &channels),
      snd_pcm_hw_params_get_period_size(params, &period, nil),
      snd_pcm_hw_params_get_buffer_size(params, &buffer),
    ]
    try Self.check(codes.min()!, "its parameters cannot be read back")
    // Half of the buffer is left for a thread that is late.
    let wanted = Int((batch / .seconds(1) * Double(rate) / Double(period)).rounded())
    let periods = max(1, min(wanted, Int(buffer / period) / 2))
    return NegotiatedParameters(
      sampleRate: Int(rate), channelCount: Int(channels), sampleFormat: sampleFormat,
      periodFrames: Int(period), batchFrames: periods * Int(period), bufferFrames: Int(buffer))
  }

  private static func check(_ code: Int32, _ what: String) throws(Refusal) {
    guard code < 0 else { return }
    throw Refusal(what: what, code: code)
  }
}

// MARK: - Capabilities

extension HardwareParameters {
  /// Returns what ``negotiate(_:)`` can choose from. If it contains no format, negotiation fails.
  func capabilities() throws(Refusal) -> CaptureCapabilities {
    try begin()
    let formats = CaptureFormat.allCases.filter {
      snd_pcm_hw_params_test_format(pcm, params, $0.alsaFormat) == 0
    }
    try limitRates(to: supportedSampleRates)
    return CaptureCapabilities(
      sampleRates: try range(snd_pcm_hw_params_get_rate_min, snd_pcm_hw_params_get_rate_max),
      usualSampleRates: CaptureCapabilities.usualSampleRates.filter {
        snd_pcm_hw_params_test_rate(pcm, params, UInt32($0), 0) == 0
      },
      channelCounts: try range(
        { params, count, _ in snd_pcm_hw_params_get_channels_min(params, count) },
        { params, count, _ in snd_pcm_hw_params_get_channels_max(params, count) }),
      sampleFormats: formats)
  }

  private typealias Bound = (
    OpaquePointer?, UnsafeMutablePointer<UInt32>?, UnsafeMutablePointer<Int32>?
  ) -> Int32

  private func range(_ least: Bound, _ most: Bound) throws(Refusal) -> ClosedRange<Int> {
    var (low, high) = (UInt32(0), UInt32(0))
    try Self.check(min(least(params, &low, nil), most(params, &high, nil)), "it reports no range")
    return Int(low)...Int(max(low, high))
  }
}

extension Duration {
  /// The duration in microseconds, clamped to 1 µs … 1 minute.
  fileprivate var microseconds: UInt32 {
    UInt32(min(max(self / .microseconds(1), 1), 60_000_000))
  }
}
