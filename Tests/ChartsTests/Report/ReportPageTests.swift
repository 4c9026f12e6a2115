import Annotations
import Foundation
import TestSupport
import Testing

@testable import Charts

/// The document of a report. Its page is tested in a browser, by Tests/ReportPage.
@Suite struct ReportPageTests {
  private let run = RunConfiguration(
    generator: "vadmon <1>", lookahead: .zero,
    settings: [.init(name: "reference", json: .string("</script><b>"))])

  private func page(title: String = "title") -> ReportPage {
    ReportPage(
      title: title, run: run,
      command: ReportCommand(words: ["--reference", "</script>"], defaults: [:]),
      scale: PosteriorScale(onset: 0.5, offset: 0.3))
  }

  @Test func aTitleIsTextAndNoTemplate() {
    let opening = page(title: "<b>\"{{script}}{{data}}\u{1B}&").opening
    #expect(opening.contains("<title>&lt;b&gt;&quot;{{script}}{{data}}\\u{1B}&amp;</title>"))
    #expect(opening.contains("vadmon &lt;1&gt;"))
    #expect(!opening.contains("class Timeline"))
  }

  @Test func dataCannotEndItsElement() throws {
    var page = page()
    let name = "</script><!--<script>\u{2028}\"\\.wav"
    var recording = ReportRecording(file: name, rate: 8000, samples: 0..<1)
    recording.warnings = ["</SCRIPT>"]
    for element in [page.add(recording), String(page.closing.prefix { $0 != "\n" })] {
      let data = element.drop { $0 != ">" }.dropFirst().prefix { $0 != "<" }
      #expect(element.filter { $0 == "<" }.count == 2)
      if let file = try data.jsonObject["file"] { #expect(file as? String == name) }
    }
  }

  /// A page from a disk cannot import files, and must not ask a network for anything.
  @Test func thePageIsComplete() {
    let page = page()
    let text = page.opening + page.closing
    #expect(!text.contains("{{") && !text.contains("\nimport ") && !text.contains("\nexport "))
    for word in ["class Timeline", "function decideSegments", "--cursor", "</html>"] {
      #expect(text.contains(word))
    }
    for word in ["http://", "https://", "src=\"", "@import", "url("] {
      #expect(!text.contains(word))
    }
  }
}
