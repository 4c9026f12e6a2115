import Foundation

/// The recording samples/telephone-8k.wav, a synthesised voice at telephone quality, with the speech segments from its
/// label file.
public enum TelephoneSpeech {
  /// The lines of samples/telephone-8k.txt, in seconds.
  public static let phrases = [0.61...3.18, 4.2...5.58]

  /// The path of the recording.
  public static let path = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../samples/telephone-8k.wav").path

  /// Returns the recording at any rate, by windowed sinc interpolation.
  public static func samples(rate: Double) throws -> [Float] {
    let recording = try decoded()
    return (0..<Int(Double(recording.count) * rate / 8000)).map { n in
      let time = Double(n) * 8000 / rate
      let middle = Int(time)
      let around = max(0, middle - 23)...min(recording.count - 1, middle + 24)
      return Float(around.reduce(0.0) { $0 + recording[$1] * kernel(time - Double($1)) })
    }
  }

  /// Returns a sinc under a Hann window of ±24 samples.
  private static func kernel(_ x: Double) -> Double {
    if abs(x) < 1e-9 { return 1 }
    return sin(.pi * x) / (.pi * x) * (0.5 + 0.5 * cos(.pi * x / 24))
  }

  /// Decodes the µ-law bytes behind the header of the "data" chunk, by G.711's formula.
  private static func decoded() throws -> [Double] {
    let bytes = try Data(contentsOf: URL(filePath: path))
    let data = bytes.firstRange(of: Data("data".utf8))!.upperBound + 4
    return bytes[data...].map { byte in
      let code = ~byte
      let magnitude = (Int(code & 15) * 2 + 33) << Int(code >> 4 & 7)
      return Double(code & 128 == 0 ? magnitude - 33 : 33 - magnitude) / 8192
    }
  }
}
