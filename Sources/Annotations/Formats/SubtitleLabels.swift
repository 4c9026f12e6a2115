/// SubRip subtitles and WebVTT, which differ in their heads. Every cue counts as speech, whatever its text, except
/// vadmon's own for muted speech.
///
/// A cue consists of an optional number or name, the line of its times, and its text, up to an empty line.
struct SubtitleLabels {
  static func recognisesVTT(_ line: TextLines.Line) -> Bool {
    line.fields.first?.elementsEqual("WEBVTT".utf8) == true
  }

  /// Returns whether lines begin with the times of a cue, or with a number above them.
  static func recognisesSRT(_ lines: TextLines) -> Bool {
    let head = lines.drop(while: \.isBlank).prefix(2)
    guard let first = head.first(where: { _ in true }) else { return false }
    return isTiming(first) || first.isNumber && head.contains(where: isTiming)
  }

  static func readVTT(_ lines: TextLines, faults: inout LineFaults) -> [LabelledSpan] {
    let blocks = blocks(lines)
    guard let head = blocks.first, recognisesVTT(head[0]) else {
      faults.add(LineFault("the line WEBVTT is missing: write it above the cues"), line: 1)
      return []
    }
    let others = ["NOTE", "STYLE", "REGION"]
    let cues = blocks.dropFirst().filter { block in
      isTiming(block[0])
        || !others.contains { block[0].fields.first?.elementsEqual($0.utf8) == true }
    }
    return spans(cues, faults: &faults)
  }

  static func readSRT(_ lines: TextLines, faults: inout LineFaults) -> [LabelledSpan] {
    spans(blocks(lines)[...], faults: &faults)
  }

  /// Returns the lines between empty lines.
  private static func blocks(_ lines: TextLines) -> [[TextLines.Line]] {
    lines.split(whereSeparator: \.isBlank).map(Array.init)
  }

  private static func spans(
    _ cues: some Collection<[TextLines.Line]>, faults: inout LineFaults
  ) -> [LabelledSpan] {
    var spans: [LabelledSpan] = []
    for cue in cues {
      guard let index = cue.prefix(2).firstIndex(where: isTiming) else {
        faults.add(
          LineFault(
            "\(quoted(cue[0].bytes)) is not a cue: write its times, 00:00:01.500 --> 00:00:02.000, "
              + "on the first or second line after an empty one"), line: cue[0].number)
        continue
      }
      do throws(LineFault) {
        let span = try span(cue[index].fields)
        let text = cue.dropFirst(index + 1).first?.bytes ?? []
        if !SpanLabels.isMutedSpeech(text) { spans.append(span) }
      } catch {
        faults.add(error, line: cue[index].number)
      }
    }
    return spans
  }

  private static func isTiming(_ line: TextLines.Line) -> Bool {
    line.fields.contains { $0.elementsEqual(arrow) }
  }

  private static let arrow = Array("-->".utf8)

  /// Reads the times of a cue. What follows them is its position on the screen.
  private static func span(_ fields: [ArraySlice<UInt8>]) throws(LineFault) -> LabelledSpan {
    guard fields.count >= 3, fields[1].elementsEqual(arrow) else {
      throw LineFault("the times are not START --> END: write 00:00:01.500 --> 00:00:02.000")
    }
    return try LabelledSpan(start: time(fields[0], "start"), end: time(fields[2], "end"))
  }

  /// Reads `[HH:]MM:SS.mmm`, with a point or a comma.
  private static func time(
    _ field: ArraySlice<UInt8>, _ name: String
  ) throws(LineFault) -> Double {
    let parts = field.split(
      omittingEmptySubsequences: false, whereSeparator: { ":.,".utf8.contains($0) })
    let marks = field.filter { ":.,".utf8.contains($0) }
    let numbers = parts.compactMap { part in
      part.allSatisfy(isDigit) ? UInt64(String(decoding: part, as: UTF8.self)) : nil
    }
    guard (3...4).contains(parts.count), numbers.count == parts.count,
      marks.dropLast().allSatisfy({ $0 == UInt8(ascii: ":") }), marks.last != UInt8(ascii: ":"),
      parts[parts.count - 1].count == 3, numbers.dropLast().suffix(2).allSatisfy({ $0 < 60 })
    else {
      throw LineFault("the \(name) \(quoted(field)) is not a time: write it as 00:00:01.500")
    }
    let hours = numbers.count == 4 ? min(numbers[0], 1_000_000) : 0
    let (minutes, whole) = (numbers[numbers.count - 3], numbers[numbers.count - 2])
    let time = MediaTime(
      milliseconds: ((hours * 60 + minutes) * 60 + whole) * 1000 + numbers[numbers.count - 1])
    return try seconds(Array(time.seconds.utf8)[...], name)
  }
}

extension TextLines.Line {
  /// Whether the line is a whole number.
  fileprivate var isNumber: Bool {
    let fields = fields
    return fields.count == 1 && fields[0].allSatisfy(isDigit)
  }
}

private func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
