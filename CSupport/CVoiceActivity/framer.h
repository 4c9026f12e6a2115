/* framer.h — cuts the 16 kHz signal into overlapping windows.
 *
 * A window is the newest 512 samples (32 ms), taken every hop of 160 (10 ms). Window j ends with hop j. What
 * stands before the stream, or before the end of a gap, is zero.
 */
#ifndef VA_FRAMER_H
#define VA_FRAMER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels.h"

#define VA_HOP 160

/* A resampler may bring one output more than was asked for. */
#define VA_FRAMER_SPARE 1

typedef struct va_framer {
  uint32_t fill;  /* samples of the hop in progress, 0 … VA_HOP + VA_FRAMER_SPARE */
  uint32_t fresh; /* real samples since the start or the last gap, saturating at VA_WINDOW */
  float samples[VA_WINDOW + VA_FRAMER_SPARE]; /* the window; the hop in progress is its last VA_HOP */
} va_framer;

void va_framer_init(va_framer *framer);

/* Where the next samples go, and how many complete the hop (0: it is complete). */
float *va_framer_tail(va_framer *framer);
size_t va_framer_room(const va_framer *framer);

/* Says that `count` samples were written to the tail. */
void va_framer_commit(va_framer *framer, size_t count);

/* Passes over at most `count` samples of this hop that nobody has; returns how many of them fell into it. What was
 * heard before is forgotten. */
size_t va_framer_skip(va_framer *framer, uint64_t count);

/* True where the whole window was heard without a gap. */
bool va_framer_is_whole(const va_framer *framer);

/* Moves on by one hop. The hop must be complete. */
void va_framer_advance(va_framer *framer);

#endif
