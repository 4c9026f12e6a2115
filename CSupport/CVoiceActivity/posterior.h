/* posterior.h — P(speech): from a window's power spectrum to the network's answer. */
#ifndef VA_POSTERIOR_H
#define VA_POSTERIOR_H

#include "kernels.h"
#include "noise_floor.h"
#include "speech_features.h"

/* The newest window ends this many hops behind the end of the hop that it decides. */
#define VA_LOOKAHEAD_HOPS 3

typedef struct va_posterior {
  va_noise_floor noise_floor;
  va_loudness loudness;
  va_network network;
} va_posterior;

/* Forgets: at the start, and after a gap. The noise floor outlives gaps. */
void va_posterior_init(va_posterior *posterior);
void va_posterior_forget(va_posterior *posterior);

/* One window of VA_WINDOW samples: writes the network's next frame and the pitch. `usable`: how many bands the input's
 * rate leaves (va_bands_usable). */
void va_posterior_measure(va_posterior *posterior, const va_kernels *kernels, const float *window, int usable,
                          va_pitch_inputs pitch);

/* What the network's logit says, 0 … 1, of the hop VA_LOOKAHEAD_HOPS behind the window's newest one. */
float va_probability(float logit);

#endif
