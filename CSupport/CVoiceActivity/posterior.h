/* posterior.h — P(speech): measures windows for the network and turns its answers into posteriors. */
#ifndef VA_POSTERIOR_H
#define VA_POSTERIOR_H

#include "echo.h"
#include "framer.h"
#include "geometry.h"
#include "kernels.h"
#include "noise_floor.h"
#include "speech_features.h"

/* The network's memory fades after this many hops in a row without speech. */
#define VA_QUIET_HOPS 70

typedef struct va_posterior {
  va_noise_floor noise_floor;
  va_loudness loudness;
  va_network network;
  float recent;        /* 0 … 1: the square of the network's highest recent answer, decaying */
  float decided[VA_STEP_HOPS]; /* P(speech) of the hops that the last step decided: hop n at n % VA_STEP_HOPS */
  uint32_t quiet_hops; /* hops in a row without speech, saturating at VA_QUIET_HOPS */
} va_posterior;

void va_posterior_init(va_posterior *posterior);

/* Forgets everything except the noise floor: after a long gap. */
void va_posterior_forget(va_posterior *posterior);

/* Fades the network's memory: after a step whose window has a hole. */
void va_posterior_fade(va_posterior *posterior);

/* The levels of a window. */
typedef struct va_window_levels {
  float bands_db[VA_BANDS];
  float power; /* of all bands, those that are not usable included */
} va_window_levels;

/* Measures the window in a framer: its levels, and the powers that the pitch is found in. usable: how many bands the
 * input's rate leaves (va_bands_usable); the others get VA_BAND_FLOOR_DB. */
void va_posterior_measure(const va_kernels *kernels, const va_framer *framer, int usable, va_window_levels *levels,
                          va_pitch_powers powers);

/* Learns from a window's levels, and writes the network's next frame. echo: what to take out of the levels, or NULL. */
void va_posterior_describe(va_posterior *posterior, const va_kernels *kernels, va_window_levels *levels, int usable,
                           va_echo *echo, int16_t *frame);

/* Sets `decided` from the logits of the network's step on that frame. weight: how much of it counts (quietness.h). */
void va_posterior_decide(va_posterior *posterior, const float *logits, float weight);

/* Sets `decided` to 0, for a step that was not measured. */
void va_posterior_pass(va_posterior *posterior);

#endif
