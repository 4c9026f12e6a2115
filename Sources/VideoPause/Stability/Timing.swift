/// The configuration's durations in microseconds, converted once.
struct Timing {
  let decisionInterval, holdOff, maximumHoldOff, gatePeriod, lockTimeout, hiddenGrace: Int64

  init(_ configuration: VideoPauseConfiguration) {
    decisionInterval = configuration.decisionInterval.wholeMicroseconds
    holdOff = configuration.holdOff.wholeMicroseconds
    maximumHoldOff = configuration.maximumHoldOff.wholeMicroseconds
    gatePeriod = configuration.gatePeriod.wholeMicroseconds
    lockTimeout = configuration.lockTimeout.wholeMicroseconds
    hiddenGrace = configuration.hiddenGrace.wholeMicroseconds
  }
}
