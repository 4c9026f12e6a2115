/// The configuration's durations in microseconds, converted once.
struct Timing {
  let decisionInterval, holdOff, gatePeriod, lockTimeout, hiddenGrace: Int64

  init(_ configuration: VideoPauseConfiguration) {
    decisionInterval = configuration.decisionInterval.wholeMicroseconds
    holdOff = configuration.holdOff.wholeMicroseconds
    gatePeriod = configuration.gatePeriod.wholeMicroseconds
    lockTimeout = configuration.lockTimeout.wholeMicroseconds
    hiddenGrace = configuration.hiddenGrace.wholeMicroseconds
  }
}
