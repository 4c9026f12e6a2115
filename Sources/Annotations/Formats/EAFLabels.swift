/// ELAN's annotation files. Every annotation with times of its own counts as speech, on any tier, except silence marks
/// and vadmon's own for muted speech.
///
/// Times of annotations are those of ELAN's time line, which begins amid a recording whose TIME_ORIGIN is not 0; see
/// ``EAFMedia``.
///
/// Annotations that refer to others are not read: what they belong to covers them. A slot without a time lies between
/// its neighbours in TIME_ORDER, at equal distances, as ELAN shows it.
struct EAFLabels {
  private var reader: XMLReader
  private let marks: SilenceMarks
  private var media: EAFMedia
  private var slots: [String: Double?] = [:]
  /// The slots in the order of TIME_ORDER.
  private var order: [String] = []
  private var spans: [LabelledSpan] = []
  /// The time slots of the annotation that is being read.
  private var ends: (start: String, end: String)?
  /// The text of the element that is being read.
  private var value = ""

  static func recognises(_ line: TextLines.Line) -> Bool { line.hasPrefix("<") }

  static func read(
    _ text: PlainText, of recording: String, marks: SilenceMarks, faults: inout LineFaults
  ) -> LabelledRecording {
    var labels = EAFLabels(
      reader: XMLReader(text), marks: marks, media: EAFMedia(recording: recording))
    do throws(LineFault) {
      try labels.read()
    } catch {
      faults.add(error, line: labels.reader.line)
    }
    return LabelledRecording(.spans(labels.spans), remarks: labels.media.remarks)
  }

  private mutating func read() throws(LineFault) {
    guard case .start("ANNOTATION_DOCUMENT", _)? = try firstElement() else {
      throw LineFault("this is not an annotation file of ELAN: name one, or delete this file")
    }
    while let event = try reader.next() {
      switch event {
      case .start(let name, let attributes): try begin(name, attributes)
      case .text(let text): value += text
      case .end("TIME_ORDER"): placeSlots()
      case .end("ALIGNABLE_ANNOTATION"): try addSpan()
      case .end: break
      }
    }
    let read = spans
    spans = []
    for span in read { if let span = try media.span(span) { spans.append(span) } }
  }

  private mutating func firstElement() throws(LineFault) -> XMLReader.Event? {
    while let event = try reader.next() {
      if case .text = event { continue }
      return event
    }
    return nil
  }

  private mutating func begin(
    _ name: String, _ attributes: [String: String]
  ) throws(LineFault) {
    switch name {
    case "HEADER":
      let unit = attributes["TIME_UNITS"] ?? "milliseconds"
      guard unit == "milliseconds" else {
        throw LineFault("times in \(printable(unit)) are not supported: save them in milliseconds")
      }
    case "MEDIA_DESCRIPTOR": try media.add(attributes)
    case "TIME_SLOT":
      let id = try attribute("TIME_SLOT_ID", of: name, attributes)
      let time = try attributes["TIME_VALUE"].map { (text) throws(LineFault) in
        try milliseconds(text)
      }
      guard slots.updateValue(time, forKey: id) == nil else {
        throw LineFault("the time slot \(printable(id)) occurs twice: keep one")
      }
      order.append(id)
    case "ALIGNABLE_ANNOTATION":
      ends = (
        try attribute("TIME_SLOT_REF1", of: name, attributes),
        try attribute("TIME_SLOT_REF2", of: name, attributes)
      )
      value = ""
    case "ANNOTATION_VALUE": value = ""
    default: break
    }
  }

  /// Gives times to the slots between two that have one.
  private mutating func placeSlots() {
    var last: (place: Int, time: Double)?
    for (place, id) in order.enumerated() {
      guard let time = slots[id] ?? nil else { continue }
      if let last, last.time <= time {
        let step = (time - last.time) / Double(place - last.place)
        for between in last.place + 1..<place {
          slots[order[between]] = last.time + step * Double(between - last.place)
        }
      }
      last = (place, time)
    }
  }

  private mutating func addSpan() throws(LineFault) {
    guard let ends else { return }
    guard let start = try time(ends.start), let end = try time(ends.end) else { return }
    let span = try LabelledSpan(start: start, end: end)
    if marks.isSpeech(value.utf8) { spans.append(span) }
  }

  /// Returns the time of a slot, or `nil` if it has none.
  private func time(_ slot: String) throws(LineFault) -> Double? {
    guard let time = slots[slot] else {
      throw LineFault("there is no time slot \(printable(slot)) above: add it to TIME_ORDER")
    }
    return time
  }

  private func attribute(
    _ attribute: String, of name: String, _ attributes: [String: String]
  ) throws(LineFault) -> String {
    guard let value = attributes[attribute] else {
      throw LineFault("the \(name) has no \(attribute): add it")
    }
    return value
  }

  private func milliseconds(_ text: String) throws(LineFault) -> Double {
    guard let time = UInt64(text) else {
      throw LineFault(
        "the time \(quoted(Array(text.utf8)[...])) is not in milliseconds: correct it")
    }
    return try seconds(Array(MediaTime(milliseconds: time).seconds.utf8)[...], "time")
  }
}
