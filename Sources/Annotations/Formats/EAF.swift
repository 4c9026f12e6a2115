extension AnnotationFormat {
  /// ELAN's annotation files.
  public static let eaf = AnnotationFormat(
    name: "eaf", fileExtension: "eaf", naming: .none,
    writer: { TierFormat(document: EAF.document) },
    recognises: { line, _ in EAFLabels.recognises(line) },
    read: { [$0.name: EAFLabels.read($0.text, of: $0.name, marks: $0.marks, faults: &$1)] })
}

/// An annotation file of ELAN, EAF 3.0 (Max Planck Institute for Psycholinguistics, EAFv3.0.xsd). Times are whole
/// milliseconds, as vadmon's are.
private enum EAF {
  /// Returns the file's text.
  static func document(_ recording: TieredRecording) -> String {
    let spans = recording.tiers.flatMap(\.spans)
    let slots = Slots(of: spans)
    return head + header(recording.file, annotationCount: spans.count)
      + slots.text + tiers(recording.tiers, slots) + tail
  }

  /// The beginning. A result does not depend on the time of day, so the date that the schema requires is that of the
  /// beginning of 1970.
  private static let head = """
    <?xml version="1.0" encoding="UTF-8"?>
    <ANNOTATION_DOCUMENT AUTHOR="" DATE="1970-01-01T00:00:00Z" FORMAT="3.0" VERSION="3.0"
     xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
     xsi:noNamespaceSchemaLocation="http://www.mpi.nl/tools/elan/EAFv3.0.xsd">

    """

  private static let tail = """
     <LINGUISTIC_TYPE GRAPHIC_REFERENCES="false" LINGUISTIC_TYPE_ID="speech" TIME_ALIGNABLE="true"/>
    </ANNOTATION_DOCUMENT>

    """

  private static func header(_ file: String, annotationCount: Int) -> String {
    """
     <HEADER MEDIA_FILE="" TIME_UNITS="milliseconds">
    \(mediaDescriptor(file))  <PROPERTY NAME="lastUsedAnnotationId">\(annotationCount)</PROPERTY>
     </HEADER>

    """
  }

  /// Returns the descriptor of the recording, under the name that the user wrote. A relative name is relative to the
  /// current folder, and ELAN takes it relative to the EAF; it also looks for the recording beside the EAF. Standard
  /// input has no descriptor.
  private static func mediaDescriptor(_ file: String) -> String {
    guard file != "-" else { return "" }
    // No character of it means something in XML.
    let path = percentEncoded(file.utf8)
    let url = path.hasPrefix("/") ? "file://\(path)" : "./\(path)"
    let kind = file.lowercased().hasSuffix(".wav") ? "x-wav" : "*"
    return "  <MEDIA_DESCRIPTOR MEDIA_URL=\"\(url)\" MIME_TYPE=\"audio/\(kind)\""
      + " RELATIVE_MEDIA_URL=\"\(url)\"/>\n"
  }

  private static func tiers(_ tiers: [TieredRecording.Tier], _ slots: Slots) -> String {
    var text = ""
    var numbers = slots.numbers[...]
    for tier in tiers {
      text += " <TIER LINGUISTIC_TYPE_REF=\"speech\" TIER_ID=\"\(tier.name)\">\n"
      for (span, (start, end)) in zip(tier.spans, numbers.prefix(tier.spans.count)) {
        let number = slots.numbers.count - numbers.count + 1
        numbers.removeFirst()
        text += """
            <ANNOTATION>
             <ALIGNABLE_ANNOTATION ANNOTATION_ID="a\(number)"\
           TIME_SLOT_REF1="ts\(start)" TIME_SLOT_REF2="ts\(end)">
              <ANNOTATION_VALUE>\(tier.text(span))</ANNOTATION_VALUE>
             </ALIGNABLE_ANNOTATION>
            </ANNOTATION>

          """
      }
      text += " </TIER>\n"
    }
    return text
  }
}

/// The times of an EAF in order. Spans share no slot, so that moving an annotation in ELAN moves no other.
private struct Slots {
  private let times: [MediaTime]
  /// The numbers of each span's start and end among the slots, from 1.
  let numbers: [(start: Int, end: Int)]

  init(of spans: [SpanRecord]) {
    let unordered = spans.flatMap { [$0.start, $0.end] }
    let order = unordered.indices.sorted { (unordered[$0], $0) < (unordered[$1], $1) }
    var places = Array(repeating: 0, count: order.count)
    for (place, index) in order.enumerated() { places[index] = place + 1 }
    times = order.map { unordered[$0] }
    numbers = spans.indices.map { (places[2 * $0], places[2 * $0 + 1]) }
  }

  var text: String {
    let slots = times.enumerated().map { index, time in
      "  <TIME_SLOT TIME_SLOT_ID=\"ts\(index + 1)\" TIME_VALUE=\"\(time.milliseconds)\"/>\n"
    }
    return " <TIME_ORDER>\n\(slots.joined()) </TIME_ORDER>\n"
  }
}
