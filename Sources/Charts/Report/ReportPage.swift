package import Annotations

/// A report for a browser: one HTML document that loads nothing. Its parts are written one after the other, so that the
/// recordings need not be in memory together.
package struct ReportPage {
  private let facts: JSONValue
  private var summaries: [JSONValue] = []
  private let parts: (opening: String, closing: String)

  /// Creates the page of an analysis. `title` is its heading; `isForLabels` opens the label editor.
  package init(
    title: String, run: RunConfiguration, command: ReportCommand, scale: PosteriorScale,
    isForLabels: Bool = false
  ) {
    self.init(
      title: title, subtitle: "Speech found by \(run.generator)",
      facts: [
        "configuration": .object(
          [
            .init(name: "generator", value: .string(run.generator)),
            .init(name: "lookahead_ms", value: .integer(run.lookahead.milliseconds)),
          ] + run.settings.map { .init(name: $0.name, value: $0.json) }),
        "defaults": command.defaults,
        "editing": .bool(isForLabels),
        "fixed": .array(command.words.map { .string($0) }),
        "grid": [
          "steps": .integer(PosteriorScale.steps), "onset": .integer(scale.onset.index),
          "offset": .integer(scale.offset.index),
        ],
      ])
  }

  /// Creates the page of a comparison. The first row of `figures` is the heading of its columns; `note` explains them;
  /// `curves` is a picture of ``ComparisonPlot``.
  package init(
    title: String, generator: String, configuration: JSONValue, figures: [[String]], note: String,
    curves: String
  ) {
    self.init(
      title: title, subtitle: "Compared by \(generator)",
      facts: [
        "configuration": configuration, "grid": ["steps": .integer(PosteriorScale.steps)],
        "figures": .array(figures.map { .array($0.map { .string($0) }) }),
        "note": .string(note), "curves": .string(curves),
      ])
  }

  /// Creates a page; `facts` are what the script needs beside the recordings.
  private init(title: String, subtitle: String, facts: JSONValue) {
    self.facts = facts + ["silence": .array(SilenceMarks.known.sorted().map { .string($0) })]
    let style = Self.text(PackageResources.style_css)
    let (theme, script) = (Self.text(PackageResources.theme_js), Self.script)
    parts = Self.fill(
      Self.text(PackageResources.page_html),
      [
        "title": SVG.escaped(title), "subtitle": SVG.escaped(subtitle), "style": style,
        "theme": theme, "script": script,
        "policy": Self.policy(scripts: [theme, script], style: style),
      ])
  }

  /// Returns what the page may do (W3C, "Content Security Policy Level 3"): run its own scripts, and play the recording
  /// beside it or one that the reader chose. Whatever a recording's name or a label may smuggle in, no other script
  /// runs, and nothing is sent anywhere.
  private static func policy(scripts: [String], style: String) -> String {
    let hash = { (text: String) in "'sha256-\(SampleText.base64(SHA256.hash(Array(text.utf8))))'" }
    return [
      "default-src 'none'", "script-src \(scripts.map(hash).joined(separator: " "))",
      "style-src \(hash(style))", "img-src data:", "media-src 'self' file: blob:",
      "base-uri 'none'", "form-action 'none'",
    ].joined(separator: "; ")
  }

  /// Replaces each `{{name}}` of the template by its text. `{{data}}` is where the recordings go.
  private static func fill(
    _ template: String, _ texts: [String: String]
  ) -> (opening: String, closing: String) {
    var parts = [""]
    for piece in template.split(separator: "{{", omittingEmptySubsequences: false) {
      let halves = piece.split(separator: "}}", maxSplits: 1, omittingEmptySubsequences: false)
      if halves.count == 2 {
        if halves[0] == "data" { parts.append("") }
        parts[parts.count - 1] += texts[String(halves[0])] ?? ""
      }
      parts[parts.count - 1] += halves[halves.count - 1]
    }
    return (parts[0], parts.dropFirst().joined())
  }

  /// The document before the recordings.
  package var opening: String { parts.opening }

  /// Returns the data of a recording, and remembers its row of the index.
  package mutating func add(_ recording: ReportRecording) -> String {
    summaries.append(recording.summary)
    return Self.data(id: "recording-\(summaries.count)", recording.json)
  }

  /// The document after the recordings.
  package var closing: String {
    Self.data(id: "report", ["recordings": .array(summaries)] + facts) + parts.closing
  }

  /// Returns an element with data. A browser reads no further than the first `</script`, so that no `<` may remain.
  private static func data(id: String, _ value: JSONValue) -> String {
    let json = value.text.utf8.split(
      separator: UInt8(ascii: "<"), omittingEmptySubsequences: false)
    return "<script type=\"application/json\" id=\"\(id)\">"
      + json.map { String(Substring($0)) }.joined(separator: "\\u003c") + "</script>\n"
  }

  /// The modules in one, each after those that it imports, because a page from a disk cannot import files.
  private static var script: String {
    [
      PackageResources.text_js, PackageResources.decide_js, PackageResources.pyramid_js,
      PackageResources.view_js, PackageResources.recording_js, PackageResources.labels_js,
      PackageResources.formats_js, PackageResources.found_js, PackageResources.reading_js,
      PackageResources.storage_js, PackageResources.files_js, PackageResources.editor_js,
      PackageResources.colours_js, PackageResources.draw_js, PackageResources.timeline_js,
      PackageResources.pointer_js, PackageResources.player_js, PackageResources.settings_js,
      PackageResources.tables_js, PackageResources.list_js, PackageResources.editing_js,
      PackageResources.main_js,
    ].map { module($0) }.joined(separator: "\n")
  }

  /// Returns a module without its imports and exports. Imports end with the line that names their file.
  private static func module(_ source: [UInt8]) -> String {
    var isImport = false
    let lines = text(source).split(separator: "\n", omittingEmptySubsequences: false)
    return lines.compactMap { line -> String? in
      if line.hasPrefix("import ") { isImport = true }
      guard !isImport else {
        isImport = !line.hasSuffix(".js';")
        return nil
      }
      return line.hasPrefix("export ") ? String(line.dropFirst("export ".count)) : String(line)
    }.joined(separator: "\n")
  }

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}

/// The command line that repeats a run, for a reader who moves the sliders.
package struct ReportCommand: Sendable {
  /// The options whose values the page does not change, if they are not the defaults.
  package var words: [String]
  /// The values, by their names in the configuration, that need no option.
  package var defaults: JSONValue

  package init(words: [String], defaults: JSONValue) {
    (self.words, self.defaults) = (words, defaults)
  }
}
