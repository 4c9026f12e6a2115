import CVoiceActivity
import CVoiceActivityInternals
import RealModule
import TestSupport

/// A detector beside a loudspeaker, driven through the C interface.
///
/// The memory, and the echo in it, are valid as long as this object lives.
final class EchoStream {
  let stream: Stream
  private var memory: UnsafeMutableRawPointer
  private(set) var echo: UnsafeMutablePointer<va_echo> { didSet { stream.echo = echo } }
  let rate: Int
  let referenceRate: Int

  init(
    rate: Int = 16_000, referenceRate: Int = 16_000, configure: (inout va_config) -> Void = { _ in }
  ) {
    stream = Stream(rate: rate, configure: configure)
    (self.rate, self.referenceRate) = (rate, referenceRate)
    let size = va_echo_size()
    memory = .allocate(byteCount: size, alignment: Int(VA_DETECTOR_ALIGNMENT))
    var made: UnsafeMutablePointer<va_echo>?
    precondition(va_echo_init(memory, size, UInt32(referenceRate), &made) == VA_OK)
    echo = made!
    stream.echo = echo
  }

  deinit { memory.deallocate() }

  var status: va_echo_status {
    var status = va_echo_status()
    status.struct_size = UInt32(MemoryLayout<va_echo_status>.size)
    precondition(va_echo_state(echo, &status) == VA_OK)
    return status
  }

  func push(_ samples: some Collection<Float>) -> va_status_code {
    let samples = Array(samples)
    return va_echo_push(echo, samples, samples.count)
  }

  func process(_ samples: some Collection<Float>) { stream.process(Array(samples)) }

  func pushGap(_ count: Int) { stream.pushGap(UInt64(count)) }

  /// Hears `microphone` while `reference` plays, `step` seconds at a time.
  func hear(_ microphone: [Float], beside reference: [Float], step: Double = 0.01) {
    let count = Int(Double(microphone.count) / Double(rate) / step)
    for n in 0..<count {
      let played = slice(reference, n, of: step * Double(referenceRate))
      precondition(push(played) == VA_OK)
      process(slice(microphone, n, of: step * Double(rate)))
    }
  }

  private func slice(_ samples: [Float], _ n: Int, of length: Double) -> ArraySlice<Float> {
    let (from, to) = (Int(Double(n) * length), Int(Double(n + 1) * length))
    return samples[min(from, samples.count)..<min(to, samples.count)]
  }

  @discardableResult
  func finish() -> StreamResult { stream.finish() }

  /// What is saved of the echo.
  var saved: [UInt8] {
    var bytes = [UInt8](repeating: 0, count: va_echo_saved_size())
    var size = 0
    precondition(va_echo_save(echo, &bytes, bytes.count, &size) == VA_OK)
    return Array(bytes[..<size])
  }

  /// Continues in other memory with what was saved of both and nothing else.
  func move() {
    stream.move()
    let bytes = saved
    memory.initializeMemory(as: UInt8.self, repeating: 0xEE, count: va_echo_size())
    var restored: UnsafeMutablePointer<va_echo>?
    precondition(va_echo_restore(memory, va_echo_size(), bytes, bytes.count, &restored) == VA_OK)
    echo = restored!
  }
}

/// The far end: a voice on the telephone, from 0.6 s on, that speaks two thirds of the time.
func farEnd(seconds: Double, rate: Double = 16_000) -> [Float] {
  let once = voice(rate: rate)
  return (0..<Int(seconds * rate)).map { once[$0 % once.count] }
}

/// The user: a deeper voice, which speaks for 1.5 s from each of some times on.
func user(seconds: Double, at starts: [Double], gain decibels: Double = 0, rate: Double = 16_000)
  -> [Float]
{
  let deeper = voice(rate: rate * 1.25)
  let first = Int(0.65 * 1.25 * rate)
  let gain = Float(Double.pow(10, decibels / 20))
  var sound = [Float](repeating: 0, count: Int(seconds * rate))
  for start in starts {
    let at = Int(start * rate)
    for n in 0..<min(Int(1.5 * rate), sound.count - at) { sound[at + n] = gain * deeper[first + n] }
  }
  return sum(sound, whiteNoise(count: sound.count, rms: 1e-4, seed: 8))
}

private func voice(rate: Double) -> [Float] { try! TelephoneSpeech.samples(rate: rate) }

/// What a microphone hears of a sound: late by `milliseconds`, with a gain, and with the room's noise.
func echo(
  of sound: [Float], after milliseconds: Double, gain decibels: Double, rate: Double = 16_000
)
  -> [Float]
{
  let delay = Int(milliseconds * rate / 1000)
  let gain = Float(Double.pow(10, decibels / 20))
  let noise = whiteNoise(count: sound.count, rms: 1e-4, seed: 3)
  return sound.indices.map { n in (n >= delay ? gain * sound[n - delay] : 0) + noise[n] }
}

func sum(_ a: [Float], _ b: [Float]) -> [Float] { zip(a, b).map { $0 + $1 } }

extension StreamResult {
  /// How many hops from a time on, in seconds, have a posterior above one half.
  func loudHops(from seconds: Double, to end: Double = .infinity) -> Int {
    hops.enumerated().count {
      Double($0.offset) / 100 >= seconds && Double($0.offset) / 100 < end
        && $0.element.posterior > 0.5
    }
  }
}
