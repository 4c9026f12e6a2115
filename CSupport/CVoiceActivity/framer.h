/* framer.h — cuts the 16 kHz signal into hops, and into overlapping windows.
 *
 * A hop is 160 samples (10 ms). A window is the newest 512 samples (32 ms) where a step of VA_STEP_HOPS hops ends, so
 * that only what two windows share is moved, and only once a step. What stands before the stream, or before the end of a
 * gap, is zero.
 */
#ifndef VA_FRAMER_H
#define VA_FRAMER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels.h"

#define VA_HOP 160

/* Samples that a window has of the steps before its own. */
#define VA_PAST (VA_WINDOW - VA_STEP_HOPS * VA_HOP)

/* A resampler may bring one output more than was asked for. */
#define VA_FRAMER_SPARE 1

typedef struct va_framer {
  uint32_t hop;   /* of the step: the one in progress, 0 … VA_STEP_HOPS - 1 */
  uint32_t fill;  /* samples of the hop in progress, 0 … VA_HOP + VA_FRAMER_SPARE */
  uint32_t fresh; /* real samples since the start or the last gap, saturating at VA_WINDOW */
  float samples[VA_WINDOW + VA_FRAMER_SPARE]; /* the past, then the step in progress */
} va_framer;

void va_framer_init(va_framer *framer);

/* The hop in progress. */
static inline float *va_framer_hop(va_framer *framer) { return framer->samples + VA_PAST + framer->hop * VA_HOP; }

/* Where the next samples go, and how many complete the hop (0: it is complete). */
float *va_framer_tail(va_framer *framer);
size_t va_framer_room(const va_framer *framer);

/* Says that `count` samples were written to the tail. */
void va_framer_commit(va_framer *framer, size_t count);

/* Passes over at most `count` samples of this hop that nobody has; returns how many of them fell into it. What was
 * heard before is forgotten. */
size_t va_framer_skip(va_framer *framer, uint64_t count);

/* Does the hop in progress end a step? Then `samples` begins with the window. */
static inline bool va_framer_ends_step(const va_framer *framer) { return framer->hop == VA_STEP_HOPS - 1; }

/* True where the whole window was heard without a gap. */
bool va_framer_is_whole(const va_framer *framer);

/* Moves on by one hop. The hop must be complete. */
void va_framer_advance(va_framer *framer);

#endif
