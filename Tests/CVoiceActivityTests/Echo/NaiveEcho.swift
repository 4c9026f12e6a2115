import RealModule

/// The echo stage written from its description (echo.h, echo_body.h, echo_gain.h, echo_tail.h): one band and one lag
/// after the other, in double precision, with whole histories instead of rings.
struct NaiveEcho {
  struct Step {
    var isEcho: [Bool]
    var lag: Int
    var fit: Double
    var isLost: Bool
  }

  private static let lags = 38
  private var played: [[Double]] = []
  private var totals: [Double] = []
  private var heard: [Double]?
  private var slow = Means(unit: 0), fast = Means(unit: 0.25)
  private var loud = -100.0, guessedAt = -100.0, sinceActive = 38, activeSteps = 0, lag = 0,
    fit = 0.0
  private var own = [Double](repeating: 4, count: 40), spill = [Double](repeating: -40, count: 40)
  private var ownSteps = [Double](repeating: 0, count: 40),
    spillSteps = [Double](repeating: 0, count: 40)
  private var ringing = [Double](repeating: -110, count: 40),
    peak = [Double](repeating: -110, count: 40), tail = [Double](repeating: -110, count: 40)
  private var allRinging = -110.0, allTail = -110.0, allPeak = -110.0
  private var isNear = false, agreement = 0.0
  private var gain = Gain(), room = Room()
  private var meanFit = 1.0, explained = 1.0

  /// Errors in half dB, as integers.
  private struct Gain {
    var count = 0, sum = 0, squares = 0, rising = 0, learned = 0.0, suspected = 0.0

    mutating func take(_ errors: [Int], follows: Bool, canFall: Bool) {
      let mean = { (sum: Int, count: Int) in Double(sum) / Double(count) }
      let total = errors.reduce(0, +)
      let (n, totalSquares) = (errors.count, errors.reduce(0) { $0 + $1 * $1 })
      var counts = true
      if count > 0, n > 0, abs(mean(total, n) - mean(sum, count)) > 8 {
        counts = (totalSquares * n - total * total) / (n * n) * (n + 4) < 64 * n
        if counts { (count, sum, squares) = (0, 0, 0) }
      }
      count = count * 3 / 4 + (counts ? n : 0)
      sum = sum * 3 / 4 + (counts ? total : 0)
      squares = squares * 3 / 4 + (counts ? totalSquares : 0)
      (learned, suspected) = (0, 0)
      let change = count > 0 ? sum / count : 0
      let variance = count > 0 ? (squares * count - sum * sum) / (count * count) : 0
      let isNarrow = variance * (count + 20) < 196 * count
      let isChange = follows && count >= 10 && isNarrow && abs(change) < 70
      rising = isChange && change > 16 ? rising + 1 : 0
      if rising == 7 {
        (learned, rising) = (Double(change) / 2, 0)
      } else if rising > 0 {
        suspected = Double(change) / 2
      } else if isChange, change < -12, canFall, count > 30 {
        learned = -6
      }
      if learned != 0 { (count, sum, squares) = (0, 0, 0) }
    }
  }

  /// The level of what rings on, in 256ths of a dB.
  private struct Room {
    var level = -10 * 256, steps = 0

    mutating func take(_ errors: [Int]) {
      guard errors.count >= 6 else { return }
      let sum = errors.reduce(0, +)
      let squares = errors.reduce(0) { $0 + $1 * $1 }
      let n = errors.count
      let variance = (squares * n - sum * sum) / (n * n)
      let mean = 128 * sum / n
      guard variance * (n + 4) < 100 * n, mean <= 8 * 256 else { return }
      level += min(max(mean - level, -6 * 256), 6 * 256) / (steps + 4)
      level = min(max(level, -14 * 256), 2 * 256)
      steps = min(steps + 1, 29)
    }
  }

  /// Means by lag, stored in multiples of a unit, unless that is 0.
  private struct Means {
    var unit: Double
    var products = [Double](repeating: 0, count: lags), played = [Double](repeating: 0, count: lags)
    var heard = 0.0

    /// Takes a step. Returns the correlations, from means that are not rounded yet.
    mutating func fits(
      _ product: [Double], _ square: [Double], _ heardSquare: Double, weight: Double, least: Double
    ) -> [Double] {
      heard += weight * (heardSquare - heard)
      return (0..<lags).map { lag in
        let mean = products[lag] + weight * (product[lag] - products[lag])
        let power = played[lag] + weight * (square[lag] - played[lag])
        (products[lag], played[lag]) = (multiple(mean, of: unit), multiple(power, of: unit))
        return mean / Double.sqrt(power * heard + least)
      }
    }
  }

  private static func multiple(_ x: Double, of unit: Double) -> Double {
    unit > 0 ? (x / unit).rounded(.toNearestOrEven) * unit : x
  }

  private static func rounded(_ db: Double) -> Double {
    ((min(max(db, -110), 10) + 110) * 2 + 0.5).rounded(.down) / 2 - 110
  }

  private static func change(_ now: Double, _ before: Double) -> Double {
    min(max(now - before, -12), 12)
  }

  private func row(_ step: Int) -> [Double] {
    played.indices.contains(step) ? played[step] : [Double](repeating: -110, count: 40)
  }
  private func total(_ step: Int) -> Double { totals.indices.contains(step) ? totals[step] : -110 }

  mutating func step(reference: [Double], total all: Double, microphone: [Double], floor: [Double])
    -> Step
  {
    let now = played.count
    played.append(reference.map(Self.rounded))
    totals.append(Self.rounded(all))
    let levels = microphone.map(Self.rounded)
    let changes = zip(levels, heard ?? levels).map(Self.change)
    heard = levels

    loud = max(loud - 0.02, totals[now])
    if totals[now] > guessedAt + 9 { (guessedAt, activeSteps) = (totals[now], 0) }
    sinceActive =
      totals[now] > loud - 30 && totals[now] > -65 ? 0 : min(sinceActive + 1, Self.lags)
    var products: [Double] = []
    var squares: [Double] = []
    for lag in 0..<Self.lags {
      let played = zip(row(now - lag), row(now - lag - 1)).map(Self.change)
      products.append(zip(played, changes).reduce(0) { $0 + $1.0 * $1.1 })
      squares.append(played.reduce(0) { $0 + $1 * $1 })
    }
    let square = changes.reduce(0) { $0 + $1 * $1 }
    if sinceActive < Self.lags {
      activeSteps += 1
      let fits = slow.fits(
        products, squares, square, weight: max(0.02, 1 / (1 + Double(activeSteps))),
        least: 1e-3 / 16)
      let best = fits.indices.max { fits[$0] < fits[$1] }!
      if fits[best] > fits[lag] + 0.03 { lag = best }
      fit = fits[lag]
    }
    let fits = fast.fits(products, squares, square, weight: 0.06, least: 100)
    let best = fits.indices.max { fits[$0] < fits[$1] }!
    agreement = fits[lag]
    let hasJumped = fits[best] > 0.35 && fits[best] > fits[lag] + 0.15 && abs(best - lag) > 1
    let isLost = hasJumped || sinceActive < Self.lags && activeSteps <= 18
    return remove(now, microphone, floor, isLost)
  }

  private mutating func remove(
    _ now: Int, _ microphone: [Double], _ floor: [Double], _ isLost: Bool
  ) -> Step {
    let at = now - lag
    let next = lag > 0 ? at + 1 : at
    allRinging = max(
      max(total(at), max(total(at - 1), total(next)) - 5), max(allRinging - 3.5, -110))
    allTail = max(allRinging, allTail - 1)
    let dropped = max(gain.learned, 0)
    allPeak = max(allPeak - 5.0 / 256, allRinging) - dropped
    var result = Step(isEcho: [], lag: lag, fit: fit, isLost: isLost)
    let rise = isNear ? 0.25 : 1
    let isLeft = activeSteps > 50 && meanFit < 0.1 && explained < 0.3 && !isLost
    var audibleBands: [Int] = []
    var echoBands = 0
    var errors: [Int] = []
    var tailErrors: [Int] = []
    for band in 0..<40 {
      let side = max(row(at - 1)[band], row(next)[band]) - 5
      ringing[band] = max(max(row(at)[band], side), max(ringing[band] - 3.5, -110))
      let far = ringing[band]
      tail[band] = max(tail[band] - 1, far)
      peak[band] = max(peak[band] - 5.0 / 256 - dropped, far)
      own[band] += gain.learned
      spill[band] += gain.learned
      let expected = far + own[band]
      let other = allRinging + spill[band]
      let level = microphone[band]
      let rings = tail[band] + own[band]
      let roomy = rings + Double(room.level) / 256
      let slack = level - max(expected, roomy, other) - 10 - gain.suspected
      let isEcho = allTail >= -90 && (isLost || slack <= 0)
      result.isEcho.append(isEcho && !isLeft)
      let audible = level > floor[band] + 3
      if audible { audibleBands.append(band) }
      if audible && isEcho { echoBands += 1 }
      let isOwn = far > -75 && expected > other - 3
      if audible, tail[band] > -75, rings > other - 3 {
        let error = Int(2 * min(max(level - rings, -60), 60))
        if far > tail[band] - 4 { errors.append(error) }
        if far < tail[band] - 6 { tailErrors.append(error) }
      }
      if isOwn && far > peak[band] - 25 {
        let error = audible ? level - expected : min(level - expected, 0)
        ownSteps[band] = min(ownSteps[band] + 1, 250)
        own[band] += max(0.06, 1 / (ownSteps[band] + 1)) * min(max(error, -6), 6 * rise)
      } else if allRinging > allPeak - 12 && allRinging > -60 {
        let error = audible ? level - other : min(level - other, 0)
        spillSteps[band] = min(spillSteps[band] + 1, 250)
        spill[band] = min(
          -12, spill[band] + max(0.05, 1 / (spillSteps[band] + 4)) * min(max(error, -6), 3 * rise))
      }
    }
    for band in 0..<40 {
      own[band] = Self.multiple(own[band], of: 1.0 / 256)
      spill[band] = Self.multiple(spill[band], of: 1.0 / 256)
      peak[band] = Self.multiple(peak[band], of: 1.0 / 256)
    }
    isNear = audibleBands.count >= 8 && 2 * echoBands < audibleBands.count && agreement <= 0.3
    if allRinging >= -65, !isLost || allTail < -90 {
      meanFit += 0.01 * (fit - meanFit)
      if audibleBands.count >= 4 {
        explained += 0.01 * (Double(echoBands) / Double(audibleBands.count) - explained)
      }
    }
    room.take(tailErrors)
    gain.take(errors, follows: agreement > 0.1, canFall: activeSteps > 50)
    return result
  }
}
