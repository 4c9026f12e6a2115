import Foundation

/// Returns a sound as from a television: in a room with an RT60 of 0.7 s, whose direct sound is 8 dB below what rings
/// on. It has the power of the sound.
public func acrossTheRoom(_ sound: [Float], rate: Int) -> [Float] {
  var generator = SeededGenerator(seed: 5)
  let length = rate * 7 / 10
  var room = (0..<length).map {
    Float(Double.random(in: -1...1, using: &generator) * pow(10, -3 * Double($0) / Double(length)))
  }
  room[0] = 0
  room[0] = (power(room) * 0.158).squareRoot()
  var heard = sound.map { $0 * room[0] }
  for delay in 1..<min(length, sound.count) {
    for n in delay..<sound.count { heard[n] += room[delay] * sound[n - delay] }
  }
  let gain = (power(sound) / power(heard)).squareRoot()
  return heard.map { $0 * gain }
}

private func power(_ sound: [Float]) -> Float { sound.reduce(0) { $0 + $1 * $1 } }
