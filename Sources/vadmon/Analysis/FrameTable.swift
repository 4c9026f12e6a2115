/// What a live host had for every hop, as a CSV file: `time,probability,speech`.
///
/// One row for each whole hop; `time` is the start of the hop in seconds, `speech` 1 or 0. Neither debounce
/// nor hangover nor shaping shift anything here.
///
/// Rows are collected and written in blocks, so that a hop costs no system call.
final class FrameTable {
  private let file: OutputFile
  private var text: [UInt8] = Array("time,probability,speech\n".utf8)
  private var hops: UInt64 = 0
  /// The first failure; what comes after it is not written.
  private var failure: OutputError?

  private static let blockSize = 1 << 16

  init(_ file: OutputFile) {
    self.file = file
    text.reserveCapacity(Self.blockSize + 64)
  }

  func append(probability: Float, isSpeech: Bool) {
    appendDecimal(hops * 10, places: 3)
    text.append(UInt8(ascii: ","))
    let limited = probability.isNaN ? 0 : min(max(probability, 0), 1)
    appendDecimal(UInt64((limited * 1_000_000).rounded()), places: 6)
    text.append(UInt8(ascii: ","))
    text.append(UInt8(ascii: isSpeech ? "1" : "0"))
    text.append(UInt8(ascii: "\n"))
    hops += 1
    if text.count >= Self.blockSize { drain() }
  }

  /// Writes the rest and puts the file in its place.
  func finish() throws(OutputError) {
    drain()
    if let failure { throw failure }
    try file.commit()
  }

  private func drain() {
    do throws(OutputError) {
      if failure == nil { try file.write(text) }
    } catch {
      failure = error
    }
    text.removeAll(keepingCapacity: true)
  }

  /// `number` / 10^`places`, without floating point.
  private func appendDecimal(_ number: UInt64, places: Int) {
    var rest = number
    var digits: InlineArray<24, UInt8> = .init(repeating: UInt8(ascii: "0"))
    var count = 0
    while rest > 0 || count <= places {
      digits[count] = UInt8(ascii: "0") + UInt8(rest % 10)
      rest /= 10
      count += 1
    }
    for index in stride(from: count - 1, through: 0, by: -1) {
      text.append(digits[index])
      if index == places { text.append(UInt8(ascii: ".")) }
    }
  }
}
