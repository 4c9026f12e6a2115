#include "echo_gain.h"

/* A step that differs from the pool by more than this begins it anew: what mixes two gains is wide. */
#define VA_POOL_STEP_DB 4

/* A step that differs and spreads by this much itself, as at the end of a sound, is ignored. So is one of few errors
 * that hardly lie closer together. */
#define VA_STEP_SPREAD_DB 4
#define VA_STEP_FEW_ERRORS 4

/* The errors of a pool lie together. Of an echo whose gain has changed, half of the pools spread by less than 5 dB; of
 * a user beside an echo, 5 % by less than 6 dB (Benchmarks/echo). */
#define VA_SPREAD_DB 7
#define VA_FEW_ERRORS 20
#define VA_ERRORS_MIN 10

/* Within the margin of what counts as echo, there is nothing to correct at once. No change of the volume is larger than
 * the last. */
#define VA_RISE_DB 8
#define VA_FALL_DB 6
#define VA_CHANGE_MAX_DB 35

/* A rise is learned after so many steps in a row: a user who resembles the echo does so for a moment. */
#define VA_RISING_STEPS 7

/* A fall needs more errors, and is learned by at most this at a time. A gain that is too low lets the echo through; one
 * that is too high only makes the user wait. */
#define VA_FALL_ERRORS_MIN 30

static va_echo_errors faded(va_echo_errors pool) {
  return (va_echo_errors){pool.count * 3 / 4, pool.sum * 3 / 4, pool.squares * 3 / 4};
}

static bool is_alike(const va_echo_errors *pool, const va_echo_errors *errors) {
  const int32_t apart = errors->sum * pool->count - pool->sum * errors->count;
  const int32_t most = VA_HALF_DB(VA_POOL_STEP_DB) * errors->count * pool->count;
  return apart <= most && apart >= -most;
}

static void learn(va_echo_gain *gain, int32_t change) {
  gain->learned_db = 0.5f * (float)change;
  gain->pool = (va_echo_errors){0};
}

void va_echo_gain_step(va_echo_gain *gain, const va_echo_errors *errors, bool follows, bool can_fall) {
  va_echo_errors *pool = &gain->pool;
  const bool fits = is_alike(pool, errors); /* as no errors do */
  const bool begins = !fits && va_errors_lie_together(errors, VA_STEP_SPREAD_DB, VA_STEP_FEW_ERRORS);
  if (begins) *pool = (va_echo_errors){0};
  *pool = faded(*pool);
  if (fits || begins) pool->count += errors->count, pool->sum += errors->sum, pool->squares += errors->squares;
  gain->learned_db = gain->suspected_db = 0;
  const int32_t mean = pool->count > 0 ? pool->sum / pool->count : 0;
  const bool is_change = follows && pool->count >= VA_ERRORS_MIN &&
                         va_errors_lie_together(pool, VA_SPREAD_DB, VA_FEW_ERRORS) &&
                         mean < VA_HALF_DB(VA_CHANGE_MAX_DB) && mean > -VA_HALF_DB(VA_CHANGE_MAX_DB);
  const bool rises = is_change && mean > VA_HALF_DB(VA_RISE_DB);
  gain->rising = rises ? (uint8_t)(gain->rising + 1) : 0;
  if (gain->rising >= VA_RISING_STEPS) {
    learn(gain, mean);
    gain->rising = 0;
  } else if (rises) {
    gain->suspected_db = 0.5f * (float)mean;
  } else if (is_change && mean < -VA_HALF_DB(VA_FALL_DB) && can_fall && pool->count > VA_FALL_ERRORS_MIN) {
    learn(gain, -VA_HALF_DB(VA_FALL_DB));
  }
}
