/* posterior.h — P(speech): from a window's power spectrum to the network's answer. */
#ifndef VA_POSTERIOR_H
#define VA_POSTERIOR_H

#include "kernels.h"
#include "noise_floor.h"
#include "speech_features.h"

/* A hop is decided when so many more are complete. The window of a step ends with its second hop, and decides the hops
 * that lie 3 and 2 behind. */
#define VA_LOOKAHEAD_HOPS 3

/* After so many hops in which the network saw next to nothing its memory fades. */
#define VA_QUIET_HOPS 70

typedef struct va_posterior {
  va_noise_floor noise_floor;
  va_loudness loudness;
  va_network network;
  float recent;        /* 0 … 1: the square of what the network saw, held while it decays */
  float decided[VA_STEP_HOPS]; /* P(speech) of the hops that the last step decided: hop n at n % VA_STEP_HOPS */
  uint32_t quiet_hops; /* in a row, in which the network saw next to nothing; stays at VA_QUIET_HOPS */
} va_posterior;

/* Forgets: at the start, and after a gap. The noise floor outlives gaps. */
void va_posterior_init(va_posterior *posterior);
void va_posterior_forget(va_posterior *posterior);

/* A step that was not heard: what the network remembers of before counts for less. */
void va_posterior_fade(va_posterior *posterior);

/* One window of VA_WINDOW samples: writes the network's next frame, and what its pitch is to be found in. `usable`: how many
 * bands the input's rate leaves (va_bands_usable). */
void va_posterior_measure(va_posterior *posterior, const va_kernels *kernels, const float *window, int usable,
                          va_pitch_powers powers);

/* Behind the network's step: `decided`, of what the network saw, its logits, in the light of what it saw before. */
void va_posterior_decide(va_posterior *posterior, const float *logits);

/* Instead of the two above where there is nothing to measure: `decided` is 0. */
void va_posterior_pass(va_posterior *posterior);

#endif
