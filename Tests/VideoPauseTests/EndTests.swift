import Testing

@testable import VideoPause

/// The bounds of every numeric input: the last accepted value and the first rejected one.
@Suite struct EndTests {
  private typealias Configuration = VideoPauseConfiguration
  private static let most = 1_000_000_000_000

  /// Returns the rejected field; nil if the configuration is accepted.
  private func refused(_ change: (inout Configuration) -> Void) -> String? {
    var configuration = Configuration()
    change(&configuration)
    do throws(VideoPauseError) {
      _ = try VideoPauseCoordinator(configuration: configuration)
      return nil
    } catch {
      guard case .invalidConfiguration(let field) = error else { return "\(error)" }
      return field
    }
  }

  @Test func wholeNumbersAreAcceptedToTheEndsOfTheirRanges() {
    let fields: [(String, WritableKeyPath<Configuration, Int>, ClosedRange<Int>)] = [
      ("initialEstimate", \.initialEstimate, 0...Self.most),
      ("audioBitratePerStream", \.audioBitratePerStream, 0...10_000_000),
      ("audioStreamLimit", \.audioStreamLimit, 0...1_000),
      ("resumeLimit", \.resumeLimit, 1...64),
      ("maximumOversend", \.maximumOversend, 0...Self.most),
      ("preferredHeight", \.preferredHeight, 1...(.max)),
      ("minimumProbeStep", \.minimumProbeStep, 0...Self.most),
      ("maximumStreams", \.maximumStreams, 1...1_000_000),
    ]
    for (name, path, range) in fields {
      for value in [range.lowerBound, range.upperBound] {
        #expect(refused { $0[keyPath: path] = value } == nil, "\(name) of \(value)")
      }
      for value in [Int.min, range.lowerBound - 1] {
        #expect(refused { $0[keyPath: path] = value } == name, "\(name) of \(value)")
      }
      guard range.upperBound < .max else { continue }
      for value in [Int.max, range.upperBound + 1] {
        #expect(refused { $0[keyPath: path] = value } == name, "\(name) of \(value)")
      }
    }
  }

  /// NaN and infinities are refused.
  @Test func fractionsAreAcceptedToTheEndsOfTheirRanges() {
    typealias Field = (
      String, WritableKeyPath<Configuration, Double>, taken: [Double], refused: [Double]
    )
    let fields: [Field] = [
      ("growMargin", \.growMargin, [0, 0.999], [-0.001, 1]),
      ("audioHeadroom", \.audioHeadroom, [1, 10], [0.999, 10.001]),
    ]
    for (name, path, taken, others) in fields {
      for value in taken {
        #expect(refused { $0[keyPath: path] = value } == nil, "\(name) of \(value)")
      }
      for value in others + [.nan, .infinity, -.infinity] {
        #expect(refused { $0[keyPath: path] = value } == name, "\(name) of \(value)")
      }
    }
  }

  @Test func durationsRangeFromZeroToADay() {
    let fields: [(String, WritableKeyPath<Configuration, Duration>)] = [
      ("evidenceWindow", \.evidenceWindow), ("toleratedQueue", \.toleratedQueue),
      ("toleratedOutage", \.toleratedOutage), ("decisionInterval", \.decisionInterval),
      ("holdOff", \.holdOff), ("gatePeriod", \.gatePeriod),
      ("lockTimeout", \.lockTimeout), ("hiddenGrace", \.hiddenGrace),
      ("probeInterval", \.probeInterval), ("maximumProbeInterval", \.maximumProbeInterval),
      ("maximumPinnedProbeInterval", \.maximumPinnedProbeInterval),
    ]
    for (name, path) in fields {
      func refuses(_ duration: Duration) -> String? {
        refused {
          // Adjusts the duration that must be no longer than another one, and that one.
          ($0.probeInterval, $0.maximumProbeInterval) = (.zero, .seconds(86_400))
          $0[keyPath: path] = duration
        }
      }
      for duration in [Duration.zero, .seconds(86_400)] {
        #expect(refuses(duration) == nil, "\(name) of \(duration)")
      }
      let day = Duration.seconds(86_400) + .nanoseconds(1)
      for duration in [.nanoseconds(-1), day, .seconds(Int64.max), .seconds(Int64.min)] {
        #expect(refuses(duration) == name, "\(name) of \(duration)")
      }
    }
  }

  /// It may not be below it.
  @Test func aMaximumMayEqualItsMinimum() {
    for seconds in [0, 7] as [Int64] {
      let short = Duration.seconds(seconds)
      #expect(refused { ($0.probeInterval, $0.maximumProbeInterval) = (short, short) } == nil)
      let more = short + .microseconds(1)
      #expect(
        refused { ($0.probeInterval, $0.maximumProbeInterval) = (more, short) }
          == "maximumProbeInterval")
    }
  }

  @Test func ratesAndCountsAreAcceptedFromZeroToTheMaximum() throws {
    var coordinator = try VideoPauseCoordinator.cameras(1)
    for rate in [0, Self.most] {
      try coordinator.setBandwidthEstimate(rate, at: .zero)
      try coordinator.setAudio(streamCount: 0, measuredBitrate: rate, at: .zero)
    }
    for rate in [-1, Self.most + 1, .min, .max] {
      #expect(throws: VideoPauseError.invalidBandwidth(rate)) {
        try coordinator.setBandwidthEstimate(rate, at: .zero)
      }
      #expect(throws: VideoPauseError.invalidBandwidth(rate)) {
        try coordinator.setAudio(streamCount: 0, measuredBitrate: rate, at: .zero)
      }
    }
    for count in [0, .max] {
      try coordinator.setLastN(count, at: .zero)
      try coordinator.setAudio(streamCount: count, at: .zero)
    }
    for count in [-1, Int.min] {
      #expect(throws: VideoPauseError.invalidCount(count)) {
        try coordinator.setLastN(count, at: .zero)
      }
      #expect(throws: VideoPauseError.invalidCount(count)) {
        try coordinator.setAudio(streamCount: count, at: .zero)
      }
    }
  }

  /// The first values beyond are refused with their defects.
  @Test func layersAreAcceptedToTheEndsOfTheirRanges() throws {
    typealias Defect = VideoPauseError.LayerDefect
    func defect(_ change: (inout VideoLayer) -> Void) -> Defect? {
      var layer = VideoLayer(spatial: 0, size: VideoSize(width: 16, height: 9), bitrate: 1)
      change(&layer)
      do throws(VideoPauseError) {
        try VideoLayer.validate([layer], of: camera("a"))
        return nil
      } catch {
        guard case .invalidLayers(camera("a"), let defect) = error else {
          Issue.record("\(error)")
          return nil
        }
        return defect
      }
    }
    for (rate, expected) in [
      (0, nil), (Self.most, nil), (-1, .negativeBitrate), (.min, .negativeBitrate),
      (Self.most + 1, .bitrateTooLarge), (.max, .bitrateTooLarge),
    ] as [(Int, Defect?)] {
      #expect(defect { $0.bitrate = rate } == expected, "\(rate) bit/s")
    }
    for (index, expected) in [
      (0, nil), (255, nil), (-1, .invalidIndex), (256, .invalidIndex), (.max, .invalidIndex),
    ] as [(Int, Defect?)] {
      #expect(defect { $0.spatial = index } == expected, "spatial \(index)")
      #expect(defect { $0.temporal = index } == expected, "temporal \(index)")
    }
    for (side, expected) in [
      (1, nil), (1_000_000, nil), (0, .emptySize), (-1, .emptySize), (.min, .emptySize),
      (1_000_001, .sizeTooLarge), (1 << 31, .sizeTooLarge), (.max, .sizeTooLarge),
    ] as [(Int, Defect?)] {
      #expect(defect { $0.size.width = side } == expected, "\(side) pixels wide")
      #expect(defect { $0.size.height = side } == expected, "\(side) pixels high")
    }
    for rate in [0, 0.1, 1e9] { #expect(defect { $0.framesPerSecond = rate } == nil) }
    for rate in [-0.1, .infinity, -.infinity, .nan] {
      #expect(defect { $0.framesPerSecond = rate } == .invalidFrameRate, "\(rate) frames")
    }
  }

  @Test func layersAreDuplicatesOnlyIfBothIndicesAreEqual() throws {
    func layer(_ spatial: Int, _ temporal: Int) -> VideoLayer {
      VideoLayer(
        spatial: spatial, temporal: temporal, size: VideoSize(width: 16, height: 9), bitrate: 1)
    }
    try VideoLayer.validate([layer(0, 1), layer(1, 0), layer(1, 1), layer(0, 0)], of: camera("a"))
    #expect(throws: VideoPauseError.invalidLayers(camera("a"), .duplicate)) {
      try VideoLayer.validate([layer(0, 1), layer(1, 1), layer(0, 1)], of: camera("a"))
    }
  }

  @Test func anEmptySizeIsHiddenAndANegativeOneRefused() {
    for (width, height, field) in [
      (0, 0, nil), (0, 1, nil), (1, 0, nil), (1_000_000, 1_000_000, nil), (-1, 1, "viewSize"),
      (1, -1, "viewSize"), (.min, .min, "viewSize"), (1_000_001, 1, "viewSize"),
      (1, 1 << 31, "viewSize"), (.max, .max, "viewSize"),
    ] as [(Int, Int, String?)] {
      let demand = VideoDemand(viewSize: VideoSize(width: width, height: height))
      #expect(demand.fieldOutOfRange == field, "\(width) × \(height)")
      if field == nil { #expect(demand.isSeen == (width > 0 && height > 0)) }
    }
    for (rate, isTaken) in [
      (.leastNonzeroMagnitude, true), (1e9, true), (.infinity, true), (0, false), (-1, false),
      (.nan, false),
    ] as [(Double, Bool)] {
      let field = VideoDemand(maximumFramesPerSecond: rate).fieldOutOfRange
      #expect(field == (isTaken ? nil : "maximumFramesPerSecond"), "\(rate) frames")
    }
  }

  @Test func timestampsStopAtTheNearerEnd() {
    let (first, last) = (Timestamp(microseconds: .min), Timestamp(microseconds: .max))
    #expect(first.advanced(by: .microseconds(-1)) == first)
    #expect(last.advanced(by: .microseconds(1)) == last)
    #expect(Timestamp.zero.advanced(by: .seconds(Int64.min)) == first)
    #expect(Timestamp.zero.advanced(by: .seconds(Int64.max)) == last)
    #expect(first.microseconds(since: last) == .min)
    #expect(last.microseconds(since: first) == .max)
    #expect(first.duration(to: last) == .microseconds(Int64.max) - .microseconds(Int64.min))
    // 9,223,372,036,854.775807 s is the last representable microsecond.
    let edge = Duration.seconds(9_223_372_036_854)
    #expect((edge + .microseconds(775_807)).wholeMicroseconds == .max)
    #expect((edge + .microseconds(775_808)).wholeMicroseconds == .max)
    #expect((edge + .microseconds(775_806)).wholeMicroseconds == .max - 1)
    #expect((.zero - edge - .microseconds(775_809)).wholeMicroseconds == .min)
    #expect(Duration.nanoseconds(1_999).wholeMicroseconds == 1)
    #expect(Duration.nanoseconds(-1_999).wholeMicroseconds == -1)
  }
}

/// Messages for people must contain the item in question, its value and the remedy.
@Suite struct ErrorMessageTests {
  @Test func eachErrorNamesTheCauseAndTheRemedy() {
    let stream = share("ann")
    let table: [(VideoPauseError, [String])] = [
      (.unknownStream(stream), ["ann/screenShare", "not known", "upsert"]),
      (
        .notVideo(StreamID(participant: "ann", trackType: .audio)),
        ["ann/audio", "not video", "screenShare"]
      ),
      (.invalidLayers(stream, .duplicate), ["ann/screenShare", "same spatial and temporal"]),
      (
        .invalidDemand(stream, field: "viewSize"),
        ["ann/screenShare", "viewSize", "out of range", "VideoDemand"]
      ),
      (.invalidBandwidth(-7), ["-7 bit/s", "0 to 1000000000000"]),
      (.invalidCount(-3), ["-3", "0 or more"]),
      (
        .timestampWentBackwards(from: .seconds(2), to: .seconds(1)),
        ["from 2000000 to 1000000 µs", "monotonic"]
      ),
      (.tooManyStreams(limit: 17), ["17 streams", "remove", "limit"]),
      (
        .invalidConfiguration(field: "holdOff"),
        ["holdOff", "out of range", "VideoPauseConfiguration"]
      ),
    ]
    for (error, parts) in table { expect("\(error)", parts) }
  }

  @Test func eachLayerDefectSaysWhatIsAllowed() {
    let table: [(VideoPauseError.LayerDefect, [String])] = [
      (.negativeBitrate, ["bit rate", "negative", "0"]),
      (.bitrateTooLarge, ["bit rate", "above 1000000000000", "unit"]),
      (.emptySize, ["size", "above 0"]), (.sizeTooLarge, ["above 1000000 pixels", "unit"]),
      (.invalidIndex, ["index", "0 … 255", "from 0"]),
      (.invalidFrameRate, ["frame rate", "0"]),
      (.duplicate, ["two layers", "same", "leave one out"]),
      (.tooMany(limit: 32), ["32 layers", "leave some out"]),
    ]
    for (defect, parts) in table {
      expect("\(defect)", parts)
      expect("\(VideoPauseError.invalidLayers(camera("bo"), defect))", ["bo/video"] + parts)
    }
    #expect(Set(table.map { "\($0.0)" }).count == table.count, "no two read alike")
  }

  private func expect(_ text: String, _ parts: [String]) {
    for part in parts { #expect(text.contains(part), "\(text)") }
    #expect(!text.contains("\n"))
  }
}
