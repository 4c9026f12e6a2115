/* framer.h — cuts the signal at 16 or 8 kHz into hops and overlapping windows.
 *
 * A window consists of the newest samples at the end of a step. Those that it shares with the window before are kept in
 * 16 bits: their loudest becomes 32767, so that what they lose lies 98 dB below it. Samples before the stream, and
 * before the end of a gap, are zero.
 */
#ifndef VA_FRAMER_H
#define VA_FRAMER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "geometry.h"
#include "kernels.h"

/* The resampler may write one sample more than it was asked for (va_resampler_input_for). */
#define VA_FRAMER_SPARE 1

typedef struct va_framer {
  uint16_t length; /* samples of a hop: VA_HOP, or half of it at 8 kHz */
  uint16_t hop;    /* the hop in progress within its step, 0 … VA_STEP_HOPS - 1 */
  uint16_t fill;   /* samples of the hop in progress, 0 … length + VA_FRAMER_SPARE */
  uint16_t fresh;  /* samples since the start or the last gap, saturating at VA_WINDOW */
  float unit;      /* of `past` */
  int16_t past[VA_PAST];                                  /* the newest samples of the earlier steps */
  float samples[VA_STEP_HOPS * VA_HOP + VA_FRAMER_SPARE]; /* the step in progress */
} va_framer;

/* rate_hz: VA_RATE_HZ or VA_HALF_RATE_HZ. */
void va_framer_init(va_framer *framer, uint32_t rate_hz);

/* Samples of a window. */
static inline uint32_t va_framer_window(const va_framer *framer) {
  return framer->length * (uint32_t)VA_WINDOW / VA_HOP;
}

/* How many of them belong to earlier steps. */
static inline uint32_t va_framer_past(const va_framer *framer) { return framer->length * (uint32_t)VA_PAST / VA_HOP; }

/* The samples of the hop in progress. */
static inline float *va_framer_hop(va_framer *framer) { return framer->samples + framer->hop * framer->length; }

/* Where the next samples go. There is room for va_framer_room of them and VA_FRAMER_SPARE. */
static inline float *va_framer_tail(va_framer *framer) { return va_framer_hop(framer) + framer->fill; }

/* How many samples complete the hop in progress; 0 if it is complete. */
static inline size_t va_framer_room(const va_framer *framer) {
  return framer->fill < framer->length ? (size_t)(framer->length - framer->fill) : 0;
}

/* Adds `count` samples that were written to the tail. */
void va_framer_commit(va_framer *framer, size_t count);

/* Skips up to `count` samples of the hop in progress, of which there is no PCM, and clears all earlier ones. Returns
 * how many it skipped. */
size_t va_framer_skip(va_framer *framer, uint64_t count);

/* True if the hop in progress ends a step. */
static inline bool va_framer_ends_step(const va_framer *framer) { return framer->hop == VA_STEP_HOPS - 1; }

/* True if the whole window is PCM without a gap. */
bool va_framer_is_whole(const va_framer *framer);

/* Begins the next hop. The hop in progress must be complete. peak: no sample of the step has a larger magnitude. */
void va_framer_advance(va_framer *framer, const va_kernels *kernels, float peak);

#endif
