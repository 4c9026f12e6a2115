#include "echo_delay.h"

#include <string.h>

/* Weights of a step in the means: 1 s and a third of a second. */
#define VA_SLOW 0.02f
#define VA_FAST 0.06f

/* Added under the root, in quarters of dB², so that what hardly changes correlates with nothing. */
#define VA_SLOW_LEAST 1e-3f
#define VA_FAST_LEAST 1600.0f

/* Another lag must fit better by this. */
#define VA_SWITCH 0.03f

/* Until this much far-end speech was heard, 0.36 s, the lag is a guess. More misses users who speak at the
 * beginning. */
#define VA_GUESSED_STEPS 18

/* Where the reference becomes this much louder, the guess begins anew: before, there was only the far end's
 * background. */
#define VA_LOUDER_DB 9.0f

/* The microphone fits another lag this well, and better than the present one by this. */
#define VA_ELSEWHERE 0.35f
#define VA_ELSEWHERE_BY 0.15f

/* Far-end speech: at most this far below the loudest step, which falls by VA_LOUD_FALL_DB a step, and not below
 * VA_ACTIVE_DB. */
#define VA_ACTIVE_SPAN_DB 30.0f
#define VA_ACTIVE_DB (-65.0f)
#define VA_LOUD_FALL_DB 0.02f

/* No level has been heard. */
#define VA_UNHEARD_DB (-100.0f)

void va_echo_delay_init(va_echo_delay *delay) {
  memset(delay, 0, sizeof *delay);
  delay->loud = delay->guessed_at = VA_UNHEARD_DB;
  delay->since_active = VA_ECHO_LAGS;
}

void va_echo_delay_raise(va_echo_delay *delay, float by_db) {
  if (delay->loud > VA_UNHEARD_DB) delay->loud = va_raised_db(delay->loud, by_db);
  if (delay->guessed_at > VA_UNHEARD_DB) delay->guessed_at = va_raised_db(delay->guessed_at, by_db);
}

void va_echo_delay_hear(va_echo_delay *delay, float total_db) {
  float falling = delay->loud - VA_LOUD_FALL_DB;
  delay->loud = total_db > falling ? total_db : falling;
  if (total_db > delay->guessed_at + VA_LOUDER_DB) {
    delay->guessed_at = total_db;
    delay->active_steps = 0;
  }
  if (total_db > delay->loud - VA_ACTIVE_SPAN_DB && total_db > VA_ACTIVE_DB) delay->since_active = 0;
  else if (delay->since_active < VA_ECHO_LAGS) delay->since_active++;
}

/* Returns the first lag with this fit, or VA_ECHO_LAGS: lanes without a lag fit by 0. */
static uint32_t lag_with(const float *fits, float fit) {
  uint32_t lag = 0;
  while (lag < VA_ECHO_LAGS && fits[lag] < fit) lag++;
  return lag;
}

/* A correlation is -1 … 1, except for rounding, and for forged means. */
static float limited(float fit) { return fit > -VA_FIT_MOST ? fit < VA_FIT_MOST ? fit : VA_FIT_MOST : -VA_FIT_MOST; }

void va_echo_delay_step(va_echo_delay *delay, const va_kernels *kernels, const int32_t *sums, const uint16_t *energies,
                        float energy) {
  float fits[VA_ECHO_LANES];
  if (delay->since_active < VA_ECHO_LAGS) {
    if (delay->active_steps < UINT16_MAX) delay->active_steps++;
    float mean = 1 / (1 + (float)delay->active_steps), weight = mean > VA_SLOW ? mean : VA_SLOW;
    float best = kernels->echo_fits(&delay->slow, sums, energies, energy, weight, VA_SLOW_LEAST, fits);
    if (best > fits[delay->lag] + VA_SWITCH) {
      uint32_t lag = lag_with(fits, best);
      if (lag < VA_ECHO_LAGS) delay->lag = (uint8_t)lag;
    }
    delay->fit = limited(fits[delay->lag]);
  }
  float best = kernels->echo_short_fits(&delay->fast, sums, energies, energy, VA_FAST, VA_FAST_LEAST, fits);
  delay->agreement = limited(fits[delay->lag]);
  delay->is_lost = delay->since_active < VA_ECHO_LAGS && delay->active_steps <= VA_GUESSED_STEPS;
  if (best > VA_ELSEWHERE && best > fits[delay->lag] + VA_ELSEWHERE_BY) {
    uint32_t lag = lag_with(fits, best);
    if (lag > delay->lag + 1u || lag + 1 < delay->lag) delay->is_lost = true;
  }
}
