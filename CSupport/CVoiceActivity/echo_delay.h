/* echo_delay.h — finds the delay from the reference to the microphone.
 *
 * The changes of the bands' levels from step to step are correlated at every lag: over a second of far-end speech
 * (`slow`), which decides the delay, and over the last third of a second (`fast`), which notices that the delay jumped.
 * WebRTC's delay estimator does the same with one bit per band.
 */
#ifndef VA_ECHO_DELAY_H
#define VA_ECHO_DELAY_H

#include <stdbool.h>

#include "echo_state.h"
#include "kernels.h"

/* No correlation is larger than 1, except for rounding. */
#define VA_FIT_MOST 1.001f

typedef struct va_echo_delay {
  va_echo_means slow;
  va_echo_short_means fast;
  float fit;             /* -1 … 1: the slow correlation at `lag` */
  float loud;            /* dBFS: the loudest step of the reference, falling slowly */
  float guessed_at;      /* dBFS: the step of the reference at which active_steps began */
  uint16_t active_steps; /* with far-end speech, saturating */
  uint8_t since_active;  /* steps since the last of them, saturating at VA_ECHO_LAGS */
  uint8_t lag;           /* steps: 0 … VA_ECHO_LAGS - 1 */
  float agreement;       /* -1 … 1: the fast correlation at `lag` */
  bool is_lost;          /* far-end speech plays, and its lag is not known: at the start and after a jump */
} va_echo_delay;

void va_echo_delay_init(va_echo_delay *delay);

/* Follows a reference whose levels have been raised. */
void va_echo_delay_raise(va_echo_delay *delay, float by_db);

/* Takes the level of a step of the reference, all bands together, in dBFS. */
void va_echo_delay_hear(va_echo_delay *delay, float total_db);

/* Takes a step of the microphone: the sums over the bands, as in va_echo_means. sums, energies: VA_ECHO_LANES. */
void va_echo_delay_step(va_echo_delay *delay, const va_kernels *kernels, const int32_t *sums, const uint16_t *energies,
                        float energy);

#endif
