/* posterior.h — P(speech given features).
 *
 * A logistic function of the seven features and of their products two by two: 36 weights. Small enough to read,
 * and enough to know that loud alone is not speech while loud, periodic and changing is. It says P for the hop
 * VA_LOOKAHEAD_HOPS behind the window's newest one.
 */
#ifndef VA_POSTERIOR_H
#define VA_POSTERIOR_H

#include "speech_features.h"

/* The newest window ends this many hops behind the end of the hop that it decides: the window's middle then lies
 * 9 ms behind the hop's. */
#define VA_LOOKAHEAD_HOPS 2

/* 0 … 1 */
float va_posterior(const va_features *features);

#endif
