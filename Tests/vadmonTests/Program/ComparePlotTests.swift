import Foundation
import TestSupport
import Testing

/// `vadmon compare --plot` as users run it.
@Suite struct ComparePlotTests {
  private let folder = TemporaryFolder()
  private let labels: String
  private let frames: String

  init() throws {
    labels = try folder.write("0\t0.01\tspeech\n0.02\t0.03\tspeech\n", to: "a.txt")
    frames = try folder.write(
      "time,probability,speech\n0.000,0.9,1\n0.010,0.2,0\n0.020,0.6,0\n0.030,0.7,1\n",
      to: "<&>\"\u{1B}[31m/é.csv")
  }

  private func compare(
    _ arguments: String..., environment: [String: String] = [:]
  ) throws -> Program.Result {
    try Program.vadmon(["compare", labels, frames] + arguments, environment: environment)
  }

  @Test func thePictureIsXMLBesideTheSameResults() throws {
    let result = try compare("--plot", folder / "p.svg", "--against", labels)
    #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    #expect(try result.output == compare("--against", labels).output)
    let script = """
      import json, sys, xml.etree.ElementTree as tree
      root = tree.fromstring(sys.stdin.buffer.read())
      print(json.dumps([root.tag] + [text.text for text in root.iter(root.tag[:-3] + 'text')]))
      """
    let texts = try #require(
      Python.json(script, input: folder.text(of: "p.svg")) as? [String])
    #expect(texts.first == "{http://www.w3.org/2000/svg}svg")
    #expect(texts.contains { $0.hasSuffix("<&>\"\\u{1B}[31m/é.csv") }, "\(texts)")
    #expect(texts.contains(labels) || texts.contains { $0.hasSuffix("/a.txt") })
    #expect(texts.contains("AUC 0.7500") && texts.contains("no probabilities"))
  }

  /// The sizes in the head of the PNG are twice those of the SVG.
  @Test func aPNGHasTwiceThePixels() throws {
    #expect(try compare("--plot", folder / "p.PNG", "--quiet").status == 0)
    #expect(try compare("--plot", folder / "p.svg", "--quiet").status == 0)
    let png = try folder.data(of: "p.PNG")
    #expect(png.prefix(8) == Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
    let (width, height) = (png[18...19], png[22...23])
    let svg = try folder.text(of: "p.svg")
    let size = { (bytes: Data) in bytes.reduce(0) { $0 * 256 + Int($1) } / 2 }
    #expect(svg.contains("width=\"\(size(width))\" height=\"\(size(height))\""))
  }

  @Test func withoutTheConverterThereIsASentenceAndNoFile() throws {
    let result = try compare(
      "--plot", folder / "p.png", "--quiet", environment: ["PATH": "/nowhere"])
    #expect(result.status == 69)
    #expect(
      result.errors == """
        vadmon: cannot write \(folder / "p.png"): PNG needs rsvg-convert, which is not on PATH; install \
        librsvg2-bin, or end the name with .svg

        """)
    #expect(result.output.isEmpty, "it is found before the work")
    #expect(try !folder.names.contains { $0.contains("p.png") })
    let other = try compare(
      "--plot", folder / "p.svg", "--quiet", environment: ["PATH": "/nowhere"])
    #expect(other.status == 0)
  }

  @Test func namesAreCheckedFirst() throws {
    for (arguments, message) in [
      (["--plot", "p.jpg"], "--plot p.jpg: end the name with .svg or .png"),
      (["--plot", "-"], "name one that ends with .svg or .png"),
      (["--plot", "x.svg", "--output", "./x.svg"], "--output and --plot name the same file"),
    ] {
      let result = try Program.vadmon(["compare", labels, frames] + arguments)
      #expect(result.status == 64 && result.output.isEmpty)
      #expect(result.errors.contains(message), "\(result.errors)")
    }
    let map = try folder.write("a 1 0 1\n", to: "map.svg")
    let result = try compare("--uem", map, "--plot", map)
    #expect(result.status == 64 && result.errors.contains("would replace"))
    #expect(try folder.text(of: "map.svg") == "a 1 0 1\n")
  }

  @Test func aMissingFolderLosesNoResults() throws {
    let result = try compare("--plot", folder / "none/p.svg", "--quiet")
    #expect(result.status == 74 && result.output.contains("AUC"))
    #expect(result.errors.contains("its folder does not exist"))
  }
}
