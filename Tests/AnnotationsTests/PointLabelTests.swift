import Testing

@testable import Annotations

/// Labels without a length mark no speech, which a user may not expect.
@Suite struct PointLabelTests {
  private static let points = """
    class = "TextTier"
    name = "tones"
    xmin = 0
    xmax = 3
    points: size = 2
    number = 0.69
    mark = "H*"
    number = 1.46
    mark = "L-"

    """
  private static let silence = """
    class = "IntervalTier"
    name = "words"
    xmin = 0
    xmax = 3
    intervals: size = 1
    xmin = 0
    xmax = 3
    text = ""

    """

  private static func grid(_ tiers: String...) -> String {
    "File type = \"ooTextFile\"\nObject class = \"TextGrid\"\n\nxmin = 0\nxmax = 3\n"
      + "tiers? <exists>\nsize = \(tiers.count)\n" + tiers.joined()
  }

  private func remarks(_ text: String) throws -> [String] {
    let (recordings, faults) = readLabels(text.utf8)
    #expect(faults.isEmpty)
    return try #require(recordings["a"]).remarks
  }

  @Test(arguments: [grid(points), grid(points, points), "1\t1\tcough\n2.5\t2.5\tcough\n"])
  func aFileOfPointsHasARemark(text: String) throws {
    let remarks = try remarks(text)
    #expect(remarks.count == 1)
    #expect(remarks.first?.hasPrefix("it has only points") == true)
  }

  /// Someone has said where nobody speaks.
  @Test(arguments: [
    grid(), grid(silence), grid(points, silence), "", "1\t1\tcough\n2\t3\tspeech\n",
  ])
  func otherFilesHaveNone(text: String) throws { #expect(try remarks(text).isEmpty) }
}
