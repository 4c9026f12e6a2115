/* framer.h — cuts the 16 kHz signal into hops and overlapping windows.
 *
 * A window consists of the newest VA_WINDOW samples at the end of a step, so that the samples that two windows share
 * move once per step only. Samples before the stream, and before the end of a gap, are zero.
 */
#ifndef VA_FRAMER_H
#define VA_FRAMER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "geometry.h"

/* Samples of a window that belong to earlier steps. */
#define VA_PAST (VA_WINDOW - VA_STEP_HOPS * VA_HOP)

/* The resampler may write one sample more than it was asked for (va_resampler_input_for). */
#define VA_FRAMER_SPARE 1

typedef struct va_framer {
  uint32_t hop;   /* the hop in progress within its step, 0 … VA_STEP_HOPS - 1 */
  uint32_t fill;  /* samples of the hop in progress, 0 … VA_HOP + VA_FRAMER_SPARE */
  uint32_t fresh; /* samples since the start or the last gap, saturating at VA_WINDOW */
  float samples[VA_WINDOW + VA_FRAMER_SPARE]; /* VA_PAST earlier ones, then the step in progress */
} va_framer;

void va_framer_init(va_framer *framer);

/* The samples of the hop in progress. */
static inline float *va_framer_hop(va_framer *framer) { return framer->samples + VA_PAST + framer->hop * VA_HOP; }

/* Where the next samples go. There is room for va_framer_room of them and VA_FRAMER_SPARE. */
float *va_framer_tail(va_framer *framer);

/* How many samples complete the hop in progress; 0 if it is complete. */
size_t va_framer_room(const va_framer *framer);

/* Adds `count` samples that were written to the tail. */
void va_framer_commit(va_framer *framer, size_t count);

/* Skips up to `count` samples of the hop in progress, of which there is no PCM, and clears all earlier ones. Returns
 * how many it skipped. */
size_t va_framer_skip(va_framer *framer, uint64_t count);

/* True if the hop in progress ends a step. Once it is complete, `samples` begins with the window. */
static inline bool va_framer_ends_step(const va_framer *framer) { return framer->hop == VA_STEP_HOPS - 1; }

/* True if the whole window is PCM without a gap. */
bool va_framer_is_whole(const va_framer *framer);

/* Begins the next hop. The hop in progress must be complete. */
void va_framer_advance(va_framer *framer);

#endif
