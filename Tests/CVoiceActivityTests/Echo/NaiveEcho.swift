import RealModule

/// The echo stage written from its description (echo.h, echo_body.h): one band and one lag after the other, in double
/// precision, with whole histories instead of rings.
struct NaiveEcho {
  struct Step {
    var isEcho: [Bool]
    var lag: Int
    var fit: Double
    var isLost: Bool
  }

  private static let lags = 26
  private var played: [[Double]] = []
  private var totals: [Double] = []
  private var heard: [Double]?
  private var slow = Means(), fast = Means()
  private var loud = -100.0, guessedAt = -100.0, sinceActive = 26, activeSteps = 0, lag = 0,
    fit = 0.0
  private var own = [Double](repeating: 4, count: 40), spill = [Double](repeating: -40, count: 40)
  private var ownSteps = [Double](repeating: 0, count: 40),
    spillSteps = [Double](repeating: 0, count: 40)
  private var ringing = [Double](repeating: -110, count: 40),
    peak = [Double](repeating: -110, count: 40)
  private var allRinging = -110.0, allPeak = -110.0
  private var isNear = false, agrees = false

  private struct Means {
    var products = [Double](repeating: 0, count: 26), played = [Double](repeating: 0, count: 26)
    var heard = 0.0

    mutating func take(
      _ product: [Double], _ square: [Double], _ heardSquare: Double, _ weight: Double
    ) {
      for lag in 0..<26 {
        products[lag] += weight * (product[lag] - products[lag])
        played[lag] += weight * (square[lag] - played[lag])
      }
      heard += weight * (heardSquare - heard)
    }

    func fits(_ least: Double) -> [Double] {
      (0..<26).map { products[$0] / Double.sqrt(played[$0] * heard + least) }
    }
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
    sinceActive = totals[now] > loud - 30 && totals[now] > -65 ? 0 : min(sinceActive + 1, 26)
    var products: [Double] = []
    var squares: [Double] = []
    for lag in 0..<Self.lags {
      let played = zip(row(now - lag), row(now - lag - 1)).map(Self.change)
      products.append(zip(played, changes).reduce(0) { $0 + $1.0 * $1.1 })
      squares.append(played.reduce(0) { $0 + $1 * $1 })
    }
    let square = changes.reduce(0) { $0 + $1 * $1 }
    if sinceActive < 26 {
      activeSteps += 1
      slow.take(products, squares, square, max(0.02, 1 / (1 + Double(activeSteps))))
      let fits = slow.fits(1e-3 / 16)
      let best = fits.indices.max { fits[$0] < fits[$1] }!
      if fits[best] > fits[lag] + 0.03 { lag = best }
      fit = fits[lag]
    }
    fast.take(products, squares, square, 0.06)
    let fits = fast.fits(100)
    let best = fits.indices.max { fits[$0] < fits[$1] }!
    agrees = fits[lag] > 0.3
    let hasJumped = fits[best] > 0.35 && fits[best] > fits[lag] + 0.15 && abs(best - lag) > 1
    let isLost = hasJumped || sinceActive < 26 && activeSteps <= 18
    return remove(now, microphone, floor, isLost)
  }

  private mutating func remove(
    _ now: Int, _ microphone: [Double], _ floor: [Double], _ isLost: Bool
  ) -> Step {
    let at = now - lag
    let next = lag > 0 ? at + 1 : at
    allRinging = max(
      max(total(at), max(total(at - 1), total(next)) - 5), max(allRinging - 3.5, -110))
    allPeak = max(allPeak - 0.02, allRinging)
    var result = Step(isEcho: [], lag: lag, fit: fit, isLost: isLost)
    let rise = isNear ? 0.25 : 1
    var audibleBands: [Int] = []
    for band in 0..<40 {
      let side = max(row(at - 1)[band], row(next)[band]) - 5
      ringing[band] = max(max(row(at)[band], side), max(ringing[band] - 3.5, -110))
      let far = ringing[band]
      peak[band] = max(peak[band] - 0.02, far)
      let expected = far + own[band]
      let other = allRinging + spill[band]
      let level = microphone[band]
      let slack = level - max(expected, other) - 10
      result.isEcho.append(allRinging >= -90 && (isLost || slack <= 0))
      let audible = level > floor[band] + 3
      if audible { audibleBands.append(band) }
      if far > peak[band] - 25 && far > -75 && expected > other - 3 {
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
    let echoes = audibleBands.count { result.isEcho[$0] }
    isNear = audibleBands.count >= 8 && 2 * echoes < audibleBands.count && !agrees
    return result
  }
}
