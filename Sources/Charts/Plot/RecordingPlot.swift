internal import Annotations

/// A recording as a picture in SVG 1.1, for papers and issues: its waveform with the segments behind it, the
/// probability with both thresholds, and lanes for what was found.
///
/// It has no spectrogram, which SVG could hold only as pixels.
package struct RecordingPlot {
  private let recording: ReportRecording
  private let picture: ChannelPicture
  private let time: PlotAxis

  /// Dimensions in pixels.
  private static let (width, left, right) = (960, 96.0, 880.0)
  private static let (waveTop, waveBottom) = (36.0, 156.0)
  private static let (posteriorTop, posteriorBottom) = (170.0, 270.0)
  private static let (laneTop, lane) = (282.0, 18.0)

  /// Okabe and Ito's colours, which colour-blind readers can distinguish.
  private static let speechColor = "#0072b2"
  private static let mutedColor = "#d55e00"
  private static let gapColor = "#999999"
  private static let waveColor = "#5f7488"

  /// Creates the picture; `nil` if nothing of the sound is known.
  package init?(_ recording: ReportRecording) {
    guard let picture = recording.picture else { return nil }
    (self.recording, self.picture) = (recording, picture)
    time = PlotAxis(
      seconds: recording.seconds.start, to: recording.seconds.end, pixels: Self.left, Self.right)
  }

  /// The picture.
  package var text: String {
    let height = Int(Self.laneTop + Double(lanes.count) * Self.lane + 44)
    return SVG.document(
      width: Self.width, height: height, title: recording.title,
      [SVG.text(recording.title, x: Self.left, y: 22)] + shades + axis + wave + posterior + laneBars
    )
  }

  private var lanes: [(name: String, spans: [SpanRecord], color: String)] {
    [("speech", recording.segments, Self.speechColor)]
      + [
        ("while muted", recording.mutedSpeech, Self.mutedColor),
        ("missing", recording.gaps, Self.gapColor),
      ].filter { !$0.1.isEmpty }
  }

  /// Returns a bar. Without its last `edge` pixels, one that was cut into pieces shows it.
  private func bar(
    _ span: SpanRecord, top: Double, bottom: Double, _ fill: String, _ tip: String, edge: Double = 0
  ) -> String {
    let (start, end) = (time.pixel(span.start.inSeconds), time.pixel(span.end.inSeconds))
    return SVG.rectangle(
      x: start, y: top, width: max(0.5, end - start - edge), height: bottom - top, fill: fill,
      tip: "\(tip) \(span.start.seconds)–\(span.end.seconds) s")
  }

  /// The segments behind the curves.
  private var shades: [String] {
    recording.segments.map {
      bar($0, top: Self.waveTop, bottom: Self.posteriorBottom, "#e4eef6", "speech")
    }
  }

  private var laneBars: [String] {
    lanes.enumerated().flatMap { index, lane in
      let top = Self.laneTop + Double(index) * Self.lane
      return [SVG.text(lane.name, x: Self.left - 8, y: top + 11, anchor: "end")]
        + lane.spans.map {
          bar($0, top: top + 1, bottom: top + Self.lane - 5, lane.color, lane.name, edge: 0.5)
        }
    }
  }

  private var axis: [String] {
    let bottom = Self.laneTop + Double(lanes.count) * Self.lane
    return time.ticks.flatMap { tick in
      let x = time.pixel(tick)
      return [
        SVG.line([(x, bottom), (x, bottom + 4)], stroke: "#222"),
        SVG.text(time.label(tick), x: x, y: bottom + 18, anchor: "middle"),
      ]
    } + [
      SVG.line([(Self.left, bottom), (Self.right, bottom)], stroke: "#222"),
      SVG.text(
        "time in \(time.timeUnit)", x: (Self.left + Self.right) / 2, y: bottom + 36,
        anchor: "middle"),
    ]
  }

  /// The extremes of each pixel, along the top and back along the bottom.
  private var wave: [String] {
    let track = picture.peaks
    let loudest = track.peaks.reduce(8) {
      max($0, Int($1.highest.magnitude), Int($1.lowest.magnitude))
    }
    let middle = (Self.waveTop + Self.waveBottom) / 2
    let scale = (Self.waveBottom - Self.waveTop) / 2 / Double(loudest)
    let columns = columns(of: track.peaks, seconds: Double(track.step) / Double(picture.rate)) {
      part in
      (Double(part.map(\.lowest).min()!), Double(part.map(\.highest).max()!))
    }
    guard !columns.isEmpty else { return [] }
    let top = columns.map { (x: $0.x, y: middle - $0.highest * scale - 0.25) }
    let bottom = columns.map { (x: $0.x, y: middle - $0.lowest * scale + 0.25) }
    return [
      SVG.text("waveform", x: Self.left - 8, y: middle + 4, anchor: "end"),
      SVG.area(top + bottom.reversed(), fill: Self.waveColor, tip: "waveform", opacity: 1),
    ]
  }

  private var posterior: [String] {
    let axis = PlotAxis(from: 0, to: 1, pixels: Self.posteriorBottom, Self.posteriorTop)
    let columns = columns(of: picture.posteriors, seconds: 0.01) { part in
      (
        Double(part.min()!) / Double(PosteriorScale.steps),
        Double(part.max()!) / Double(PosteriorScale.steps)
      )
    }
    let points = columns.flatMap { column in
      [(x: column.x, y: axis.pixel(column.highest)), (x: column.x, y: axis.pixel(column.lowest))]
    }
    let (onset, offset) = (
      axis.pixel(Double(picture.scale.onset.threshold)),
      axis.pixel(Double(picture.scale.offset.threshold))
    )
    // Names of thresholds that are close to each other need room.
    let push = max(0, 12 - (offset - onset)) / 2
    let thresholds = [
      ("onset \(picture.scale.onset.threshold)", onset, -push, "6 3"),
      ("offset \(picture.scale.offset.threshold)", offset, push, "2 3"),
    ]
    let middle = (Self.posteriorTop + Self.posteriorBottom) / 2
    return [
      SVG.text("probability", x: Self.left - 8, y: middle + 4, anchor: "end"),
      SVG.text("1", x: Self.left - 8, y: Self.posteriorTop + 8, anchor: "end"),
      SVG.text("0", x: Self.left - 8, y: Self.posteriorBottom + 2, anchor: "end"),
      SVG.line(
        [(Self.left, Self.posteriorBottom), (Self.right, Self.posteriorBottom)], stroke: "#ccc"),
    ] + (points.isEmpty ? [] : [SVG.line(points, stroke: Self.speechColor)])
      + thresholds.flatMap { name, y, push, dashes in
        [
          SVG.line([(Self.left, y), (Self.right, y)], stroke: Self.mutedColor, dashes: dashes),
          SVG.text(name, x: Self.right + 8, y: y + 4 + push),
        ]
      }
  }

  /// Returns the extremes of the values under each pixel; fewer columns if there are fewer values.
  private func columns<Value>(
    of values: [Value], seconds: Double, extremes: (ArraySlice<Value>) -> (Double, Double)
  ) -> [(x: Double, lowest: Double, highest: Double)] {
    let count = min(values.count, Int(Self.right - Self.left))
    return (0..<count).map { column in
      let range = (column * values.count / count)..<((column + 1) * values.count / count)
      let (lowest, highest) = extremes(values[range])
      let middle =
        recording.seconds.start + Double(range.lowerBound + range.upperBound) / 2 * seconds
      return (min(time.pixel(middle), Self.right), lowest, highest)
    }
  }
}

extension ReportRecording {
  /// The beginning and the end of what is shown, not rounded.
  fileprivate var seconds: (start: Double, end: Double) {
    (Double(samples.lowerBound) / Double(rate), Double(samples.upperBound) / Double(rate))
  }
}

extension MediaTime {
  fileprivate var inSeconds: Double { Double(milliseconds) / 1000 }
}
