import Glibc

/// The Secure Hash Algorithm with 256 bits (FIPS 180-4).
enum SHA256 {
  /// Returns the 32 bytes of a message's hash.
  static func hash(_ message: [UInt8]) -> [UInt8] {
    var padded = message + [0x80]
    while padded.count % 64 != 56 { padded.append(0) }
    padded += bytes(UInt64(message.count) * 8)
    var state = initial
    for start in stride(from: 0, to: padded.count, by: 64) {
      compress(padded[start..<start + 64], into: &state)
    }
    return state.flatMap { bytes($0) }
  }

  private static func compress(_ block: ArraySlice<UInt8>, into state: inout [UInt32]) {
    var words = stride(from: block.startIndex, to: block.endIndex, by: 4).map { index in
      block[index..<index + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
    for index in 16..<64 {
      let (low, high) = (words[index - 15], words[index - 2])
      words.append(
        words[index - 16] &+ words[index - 7]
          &+ (turned(low, 7) ^ turned(low, 18) ^ low >> 3)
          &+ (turned(high, 17) ^ turned(high, 19) ^ high >> 10))
    }
    var turn = state
    for index in 0..<64 {
      let (a, e) = (turn[0], turn[4])
      let chosen = e & turn[5] ^ ~e & turn[6]
      let majority = a & turn[1] ^ a & turn[2] ^ turn[1] & turn[2]
      let first =
        turn[7] &+ (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) &+ chosen
        &+ constants[index] &+ words[index]
      let second = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) &+ majority
      turn[3] &+= first
      turn.removeLast()
      turn.insert(first &+ second, at: 0)
    }
    for index in state.indices { state[index] &+= turn[index] }
  }

  private static let primes = (2..<312).filter { number in
    (2..<number).allSatisfy { number % $0 != 0 }
  }
  private static let initial = primes.prefix(8).map { fraction(Double($0).squareRoot()) }
  private static let constants = primes.prefix(64).map { fraction(cbrt(Double($0))) }

  /// Returns the first 32 bits of the fraction.
  private static func fraction(_ number: Double) -> UInt32 {
    UInt32((number - number.rounded(.down)) * 0x1p32)
  }

  private static func turned(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word >> count | word << (32 - count)
  }

  private static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
    stride(from: number.bitWidth - 8, through: 0, by: -8).map {
      UInt8(truncatingIfNeeded: number >> $0)
    }
  }
}
