/* geometry.h — the rates, lengths and counts that several stages share.
 *
 *   input, 8 … 192 kHz ── resampler ──► 16 kHz ── framer ──► hops of 160 samples, windows of 512
 *   window ── FFT ──► 257 bins ── bands ──► 40 bands ──► the network, once per step of 2 hops
 *
 * Input at 8 kHz is analysed at its own rate, with half as many samples in a hop and a window. Its 129 bins are those
 * up to 4 kHz at 16 kHz.
 *
 * What callers must know as well is in voice_activity.h: the range of input rates, VA_HOP_MS, the longest duration.
 */
#ifndef VA_GEOMETRY_H
#define VA_GEOMETRY_H

#if defined(__FAST_MATH__) || __FINITE_MATH_ONLY__
#error "Compile the files of this library with -fno-fast-math: under -ffast-math they would not notice NaN."
#endif

#include <stdint.h>

#include "voice_activity.h"

/* MARK: rates */

/* The rate of the analysis, and the rate of input that is analysed as it is. */
#define VA_RATE_HZ 16000u
#define VA_HALF_RATE_HZ 8000u

/* The upper edge of the band that the resampler passes undisturbed, for inputs of 16 kHz and more. It includes the
 * centres of all bands. */
#define VA_PASS_HZ 6500

/* The upper edge of what is used of 8 kHz: filters of telephones end between 3.4 and 3.8 kHz. */
#define VA_HALF_PASS_HZ 3600

/* The resampler halves the rate while it is above this one. */
#define VA_STAGE_RATE_MAX_HZ 48000u

/* Samples that a stage of the resampler keeps between calls, and the most that it processes at a time: those, and 10 ms
 * at VA_STAGE_RATE_MAX_HZ. */
#define VA_STAGE_KEPT 48
#define VA_STAGE_SPAN 528

/* MARK: time, at 16 kHz: at 8 kHz a hop and a window have half of these samples */

/* Samples of a hop. */
#define VA_HOP 160

/* Hops of a step: from one window, and one run of the network, to the next. */
#define VA_STEP_HOPS 2

/* Samples of a window, 32 ms. It ends with the last hop of a step. */
#define VA_WINDOW 512

/* Samples of a window that belong to earlier steps. */
#define VA_PAST (VA_WINDOW - VA_STEP_HOPS * VA_HOP)

/* A hop is decided when this many later hops are complete: the network decides the two hops of a step from the window
 * that ends 30 and 20 ms after them. The second decision waits for a hop, so that all hops have the same delay. */
#define VA_LOOKAHEAD_HOPS 3

/* MARK: frequency */

/* Bins of the half spectrum, DC … Nyquist, of a window at 16 kHz and at 8 kHz. They are VA_BIN_HZ apart. */
#define VA_BINS 257
#define VA_HALF_BINS 129
#define VA_BIN_HZ ((float)VA_RATE_HZ / VA_WINDOW)

/* Triangular bands on these bins (tables.h). */
#define VA_BANDS 40

_Static_assert(VA_HOP * 1000 == VA_HOP_MS * VA_RATE_HZ, "a hop is as long as voice_activity.h says");
_Static_assert(VA_STAGE_SPAN == VA_STAGE_KEPT + VA_STAGE_RATE_MAX_HZ / 1000 * VA_HOP_MS, "kept samples and 10 ms");
_Static_assert(VA_BINS == VA_WINDOW / 2 + 1, "the half spectrum of a window");
_Static_assert(VA_HALF_BINS == VA_WINDOW / 4 + 1, "the half spectrum of a window at 8 kHz");
_Static_assert(VA_LOOKAHEAD_HOPS * VA_HOP_MS <= 40, "voice_activity.h promises a look-ahead of at most 40 ms");

/* MARK: hops and input positions */

static inline bool va_is_input_rate(uint32_t rate_hz) {
  return rate_hz >= VA_SAMPLE_RATE_MIN_HZ && rate_hz <= VA_SAMPLE_RATE_MAX_HZ;
}

/* The rate at which input of a rate is analysed. */
static inline uint32_t va_analysis_rate_hz(uint32_t rate_hz) {
  return rate_hz == VA_HALF_RATE_HZ ? VA_HALF_RATE_HZ : VA_RATE_HZ;
}

#define VA_HOPS_PER_SECOND (1000 / VA_HOP_MS)

/* Whole hops in a duration, rounded up. milliseconds: 0 … VA_DURATION_MAX_MS. */
static inline uint32_t va_hops_of_ms(uint32_t milliseconds) { return (milliseconds + VA_HOP_MS - 1) / VA_HOP_MS; }

/* The first input sample of a hop: hop · rate / 100, rounded up. The hop's second and the rest are multiplied apart, so
 * that nothing overflows. */
static inline uint64_t va_hop_start(uint32_t rate_hz, uint64_t hop) {
  uint64_t rest = (hop % VA_HOPS_PER_SECOND * rate_hz + VA_HOPS_PER_SECOND - 1) / VA_HOPS_PER_SECOND;
  return hop / VA_HOPS_PER_SECOND * rate_hz + rest;
}

/* Whole hops in `samples` input samples, rounded down, likewise. */
static inline uint64_t va_whole_hops(uint32_t rate_hz, uint64_t samples) {
  return samples / rate_hz * VA_HOPS_PER_SECOND + samples % rate_hz * VA_HOPS_PER_SECOND / rate_hz;
}

#endif
