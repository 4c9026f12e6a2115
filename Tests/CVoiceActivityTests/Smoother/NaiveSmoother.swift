import CVoiceActivity
import CVoiceActivityInternals
import RealModule

/// The smoother's network as its definition says, in Double and for a whole stream at once: every layer is a
/// convolution of everything before it, with a silence on both sides that is longer than the network sees.
enum NaiveSmoother {
  private static let silence = 200
  private typealias Rows = [[Double]]

  /// All floats of a part of the weights, in the order of memory.
  private static func values<Part>(_ part: KeyPath<va_smoother_weights, Part>) -> [Double] {
    withUnsafeBytes(of: va_smoother_network[keyPath: part]) { bytes in
      bytes.bindMemory(to: Float.self).map(Double.init)
    }
  }

  private static func logit(_ posterior: Float) -> Double {
    let limited = min(max(Double(posterior), 0.0025), 1 - 0.0025)
    return Double.log(limited / (1 - limited)) / 4
  }

  /// The sum over taps and inputs. `weights` is [tap][input][output], and tap t lies `distance` · (t − taps / 2) away.
  private static func convolution(
    _ rows: Rows, _ weights: [Double], _ bias: [Double], distance: Int
  ) -> Rows {
    let (inputs, outputs) = (rows[0].count, bias.count)
    let taps = weights.count / inputs / outputs
    return rows.indices.map { row in
      (0..<outputs).map { output in
        var sum = bias[output]
        for tap in 0..<taps {
          let seen = rows[min(max(row + distance * (tap - taps / 2), 0), rows.count - 1)]
          for input in 0..<inputs {
            sum += seen[input] * weights[(tap * inputs + input) * outputs + output]
          }
        }
        return sum
      }
    }
  }

  /// The smoothed posterior of each hop.
  static func posteriors(_ posteriors: [Float]) -> [Double] {
    let whole = posteriors + (posteriors.count % 2 == 0 ? [] : [0])
    let around = Rows(repeating: [logit(0), logit(0)], count: silence)
    let heard = stride(from: 0, to: whole.count, by: 2).map {
      [logit(whole[$0]), logit(whole[$0 + 1])]
    }
    let steps = around + heard + around
    var rows = convolution(steps, values(\.first), values(\.first_bias), distance: 1)
      .map { $0.map { max($0, 0) } }
    let layers = Int(VA_SMOOTHER_LAYERS)
    let (weights, bias) = (values(\.layer), values(\.layer_bias))
    for layer in 0..<layers {
      let part = { (all: [Double]) in
        Array(all[layer * all.count / layers..<(layer + 1) * all.count / layers])
      }
      let added = convolution(rows, part(weights), part(bias), distance: 1 << layer)
      rows = zip(rows, added).map { zip($0, $1).map { $0 + max($1, 0) } }
    }
    let last = convolution(rows, values(\.last), values(\.last_bias), distance: 1)
    let direct = Double(va_smoother_network.direct)
    let logits = zip(steps.joined(), last.joined()).map { direct * $0 + $1 }
    let smoothed = logits.map { 1 / (1 + Double.exp(-$0)) }
    return Array(smoothed[2 * silence..<2 * silence + posteriors.count])
  }
}
