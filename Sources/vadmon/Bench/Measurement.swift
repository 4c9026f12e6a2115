import Glibc
import RealTime
import VoiceActivity

/// Times of something that was repeated, in µs for 10 ms of sound.
struct Timings: Sendable {
  /// In ascending order; at least one.
  private let sorted: [Double]

  init(_ times: [Double]) { sorted = times.sorted() }

  var median: Double { share(0.5) }
  var least: Double { sorted[0] }
  /// From the 10th to the 90th percentile.
  var spread: ClosedRange<Double> { share(0.1)...share(0.9) }
  var count: Int { sorted.count }

  private func share(_ share: Double) -> Double {
    sorted[Int((share * Double(sorted.count - 1)).rounded())]
  }
}

/// What was measured at one rate with one body.
struct BenchResult: Sendable {
  var sampleRate: Int
  /// The name of the SIMD body.
  var body: String
  var detection: Timings
  /// Copying the same samples with memcpy, in between.
  var copy: Timings
  /// For 10 ms; `nil` if they cannot be counted.
  var instructions: Double?
  /// The bytes of a stream.
  var memory: Int
  /// With many streams in turn.
  var crowded: Timings

  var timesRealTime: Double { 10_000 / detection.median }
  /// How many streams a core carries with half of its time free.
  var streams: Int { Int(0.5 * 10_000 / crowded.median) }
}

/// The measurement of one sound with the body that new detectors use.
struct Measurement {
  /// How many streams are analysed in turn.
  static let streams = 500

  let sound: BenchSound
  /// How long to measure.
  let time: Duration

  func run(_ counter: InstructionCounter?) throws(VoiceActivityError) -> BenchResult {
    let configuration = VoiceActivityDetector.Configuration(sampleRate: sound.sampleRate)
    var detector = try VoiceActivityDetector(configuration: configuration)
    var copy = [Float](repeating: 0, count: sound.hopLength)
    detect(&detector)  // Warms caches and learns the noise floor.
    let instructions = counter?.count { detect(&detector) }.map {
      $0 / (Double(sound.hops) * sound.hopShare)
    }
    var (detections, copies) = ([Double](), [Double]())
    let end = ContinuousClock.now + time / 2
    repeat {
      detections.append(microseconds(sound.hops) { detect(&detector) })
      copies.append(microseconds(sound.hops) { copyAll(&copy) })
    } while ContinuousClock.now < end
    return BenchResult(
      sampleRate: sound.sampleRate, body: VoiceActivityDetector.simdName,
      detection: Timings(detections), copy: Timings(copies), instructions: instructions,
      memory: VoiceActivityDetector.byteCount(sampleRate: sound.sampleRate),
      crowded: try crowd(configuration))
  }

  private func detect(_ detector: inout VoiceActivityDetector) {
    forEachHop { detector.process($0) { _ in } }
  }

  private func copyAll(_ copy: inout [Float]) {
    forEachHop { samples in
      samples.withUnsafeBufferPointer { source in
        copy.withUnsafeMutableBytes { room in
          _ = memcpy(room.baseAddress!, source.baseAddress!, room.count)
        }
      }
    }
  }

  private func forEachHop(_ body: (Span<Float>) -> Void) {
    for hop in 0..<sound.hops {
      body(sound.samples.span.extracting(hop * sound.hopLength..<(hop + 1) * sound.hopLength))
    }
  }

  /// Returns the times of many streams, whose hops come at the same time, for one of them. Each is at another place in
  /// the sound, because speech takes longer than a pause. Two hops are timed together, because the network runs at
  /// every second one, in all streams at once.
  private func crowd(
    _ configuration: VoiceActivityDetector.Configuration
  ) throws(VoiceActivityError) -> Timings {
    var batch = VoiceActivityBatch()
    var members: [VoiceActivityBatch.Stream] = []
    for _ in 0..<Self.streams {
      members.append(batch.add(try VoiceActivityDetector(configuration: configuration)))
    }
    func process(_ starts: [Int]) {
      for (member, start) in zip(members, starts) {
        batch.append(sound.samples.span.extracting(start..<start + sound.hopLength), to: member)
      }
      batch.process { _, _ in }
    }
    var times: [Double] = []
    var hop = 0
    let end = ContinuousClock.now + time / 2
    repeat {
      let both = [hopStarts(hop), hopStarts(hop + 1)]
      hop += 2
      times.append(microseconds(2 * Self.streams) { both.forEach(process) })
    } while ContinuousClock.now < end
    return Timings(times)
  }

  /// Returns where in the sound each of the streams has this hop.
  private func hopStarts(_ hop: Int) -> [Int] {
    (0..<Self.streams).map {
      (hop + $0 * sound.hops / Self.streams) % sound.hops * sound.hopLength
    }
  }

  /// Returns how long `body` takes for each 10 ms of so many portions of sound, in time of this thread: while others
  /// have the core, it does not pass.
  private func microseconds(_ hops: Int, _ body: () -> Void) -> Double {
    let begin = clockTime(CLOCK_THREAD_CPUTIME_ID)
    body()
    let microseconds = Double(clockTime(CLOCK_THREAD_CPUTIME_ID) - begin) / 1000
    return microseconds / (Double(hops) * sound.hopShare)
  }
}
