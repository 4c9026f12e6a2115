/// The labels that mark silence. Forced aligners label all of a recording, so that what lies between the words has a
/// label too.
///
/// A mark is the whole text of a label; case and surrounding white space do not matter.
public struct SilenceMarks: Sendable {
  /// The marks that are known, in lower case. What stands for noise, breath or laughter is not among them: corpora
  /// differ on whether that counts as speech.
  public static let known: Set<String> = [
    // Praat, "To TextGrid (silences)", writes silent; voice-activity tools write the others.
    "silent", "silence", "non-speech",
    // HTK (HTKBook, 3.1) and what is trained with it: P2FA, FAVE and MFA 1 write sil and sp. MFA from 2 on leaves the
    // text empty.
    "sil", "sp",
    // P2FA and FAVE (their README).
    "{sl}",
    // Kaldi (data preparation, data/lang): the word of an optional silence in a CTM, and the words of its recipes.
    "<eps>", "<sil>", "!sil",
    // Julius (Julius-book) and CMUSphinx: silence before, after and between sentences, and its words.
    "silb", "sile", "<s>", "</s>",
    // WebMAUS (BAS, "MAUS output") and the transcriptions of Verbmobil and SmartKom, with a long pause.
    "<p:>", "<p>", "<pp>",
    // TIMIT (NIST, PHONCODE.DOC): begin and end of a recording, pause, epenthetic silence.
    "h#", "#h", "pau", "epi",
    // Festival and Flite: pau, and before it # and a short silence.
    "#", "ssil",
    // MBROLA and MaryTTS, and EasyAlign.
    "_",
    // SPPAS ("Orthographic transcription"): beside # a short pause.
    "+",
    // Switchboard, in the word alignments of Mississippi State; people write the others in its manner. A pause without
    // brackets may be the word.
    "[silence]", "(silence)", "<silence>", "[sil]", "[pause]", "(pause)", "<pause>",
    // Pauses by their length in CHAT (CHILDES manual) and GAT 2.
    "(.)", "(..)", "(...)", "(-)", "(--)", "(---)",
  ]

  /// Marks beside the known ones, in lower case.
  private let added: Set<String>
  /// Whether every label counts as speech.
  private var areIgnored = false

  /// Creates the known marks and others.
  public init(adding words: [String] = []) { added = Set(words.map { Self.normal($0.utf8) }) }

  /// No marks: every label counts as speech.
  static let none = {
    var marks = SilenceMarks()
    marks.areIgnored = true
    return marks
  }()

  /// Returns whether a label is speech: neither a mark nor vadmon's own label for silence or for muted speech, which
  /// repeats speech and adds a hold. A label without a text is speech.
  func isSpeech(_ text: some Sequence<UInt8>) -> Bool {
    if areIgnored { return true }
    let text = Self.normal(text)
    return !Self.known.contains(text) && !added.contains(text)
      && !text.hasPrefix(SpanLabels.speakingWhileMuted) && !SpanLabels.isSilence(text)
  }

  /// Returns whether what stands in the place of a name, as in RTTM, is speech: neither a mark beside the known ones
  /// nor vadmon's own name for silence or for muted speech.
  func isSpeech(named name: some Sequence<UInt8>) -> Bool {
    areIgnored
      || !added.contains(Self.normal(name))
        && !SpanLabels.isOther(String(decoding: Array(name), as: UTF8.self))
  }

  private static func normal(_ text: some Sequence<UInt8>) -> String {
    String(decoding: Array(text), as: UTF8.self).split { $0.isWhitespace }
      .joined(separator: " ").lowercased()
  }
}
