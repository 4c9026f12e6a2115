/* kernels.h — the vector loops of the core.
 *
 * One body (kernels_body.h) is compiled three times: with 4 lanes for the baseline of the architecture, with 8 lanes
 * for AVX2 and FMA, with 16 lanes for AVX-512 with its integer products (VNNI). A detector chooses its table of
 * functions once, by index (cpu.h). All tables compute the same formulas. Their results differ by at most 1e-5 of the
 * result's scale, because of the order of additions and of FMA's single rounding; those of the network by more where a
 * value lies so near the middle between two integers that it is rounded to another one.
 *
 * Pointers need no alignment beyond their type's, and none outlives a call.
 */
#ifndef VA_KERNELS_H
#define VA_KERNELS_H

#include <stdbool.h>
#include <stddef.h>

#include "cpu.h"
#include "echo_state.h"
#include "geometry.h"
#include "level.h"
#include "network.h"
#include "tables.h"

/* How periodic a window is, and with which period. */
typedef struct va_pitch {
  float periodicity; /* 0 … 1: near 0.1 for noise, 0.3 … 0.7 for a voiced sound, 1 for a pure tone */
  float lag;         /* of the peak, in steps of 2 samples at 16 kHz: 20 … 127, 400 … 63 Hz */
} va_pitch;

typedef float va_pitch_powers[VA_PITCH_BINS];

/* The level of a band in 16-bit silence with dither, in dBFS. Lower levels carry no information. */
#define VA_BAND_FLOOR_DB (-110.0f)

/* The noise floor (noise_floor.h): the minimum is taken over this many spans, the last of which is in progress. */
#define VA_FLOOR_SPANS 4

/* Levels in dBFS times this are 16-bit integers. */
#define VA_FLOOR_ONE_DB 256

/* The weight of a new step in the smoothed level: a time constant of about 40 ms. */
#define VA_FLOOR_SMOOTHING 0.44f

/* How far the minimum of white noise, smoothed like this, lies below its mean level over 1.6 s, in dB: measured
 * (Tests/CVoiceActivityTests/Stages/NoiseFloorTests.swift). */
#define VA_FLOOR_BIAS_DB 4.3f

/* Room for a change of each band, and for the rest of the last vector. */
#define VA_CHANGES_ROOM 48

/* The largest step of `decimate`. */
#define VA_DECIMATED_STEP_MAX 3

/* The taps at one place of each step that are not 0: numbers from … to - 1, an even number of them. */
typedef struct va_tap_range {
  uint8_t from, to;
} va_tap_range;

/* Filters of a stage of the resampler: row r is for outputs that lie r / phases of a sample after an input sample. */
typedef struct va_bank {
  const float *rows; /* phases × taps, or blocks of rows that may be blended (tables.h) */
  uint16_t taps;
  uint16_t phases;
  float pass; /* upper edge of the pass band, relative to the input rate */
} va_bank;

/* Output m lies at the input time (phase + m · step) / divisor. */
typedef struct va_times {
  uint32_t phase;   /* below the divisor */
  uint32_t step;    /* at most 3 · divisor */
  uint32_t divisor; /* at most VA_TIME_DIVISOR_MAX */
} va_times;

#define VA_TIME_DIVISOR_MAX (4 * VA_RATE_HZ)

typedef struct va_kernels {
  /* out[m] = sum of x[n + i] · row[i], i < taps, m < outputs, where n is the whole part of the output's time, and the
   * row is that of the rest. taps: VA_BANK_TAPS_44K, with a row for each phase, or VA_BLOCK_TAPS or twice as many: then
   * two rows are blended linearly. outputs: at most VA_HOP + 1. */
  void (*interpolate)(const float *x, const va_bank *bank, va_times times, float *out, size_t outputs);

  /* out[m] = sum of x[step · m + i] · taps[i], m < outputs, i < count. step: 1 … VA_DECIMATED_STEP_MAX. count: a
   * multiple of 2 · step. used[step]: which taps are not 0. x has at most VA_STAGE_SPAN samples. */
  void (*decimate)(const float *x, const float *taps, const va_tap_range *used, size_t count, size_t step, float *out,
                   size_t outputs);

  /* Copies x[0 … count) to out. Returns true if every sample is 0 or has a magnitude from VA_SAMPLE_LEAST to below 1;
   * false with NaN, and if a magnitude is hardly above VA_SAMPLE_LEAST. */
  bool (*copy_clean)(const float *x, size_t count, float *out);

  /* out[i] = samples[i] / 32768. Returns how many are -32768: the only one whose float reaches full scale. */
  uint32_t (*from_16_bits)(const int16_t *samples, size_t count, float *out);

  /* Computes the sum of squares and the largest magnitude of x[0 … count), count a multiple of 16. */
  void (*level)(const float *x, size_t count, float *sum_of_squares, float *peak);

  /* out[i] = samples[i] · scale, rounded; count a multiple of 16. No product may be larger than 32767. */
  void (*to_16_bits)(const float *samples, size_t count, float scale, int16_t *out);

  /* out[i] = samples[i] · scale · 32768, rounded and limited. NaN and infinities become 0. Returns the largest
   * magnitude of the samples. count: a multiple of 32. */
  float (*clean_to_16_bits)(const float *samples, size_t count, float scale, int16_t *out);

  /* Computes the power spectrum of x · window:  power[k] = |sum_n x[n] w[n] exp(-2πi kn/512)|², without scaling. x is
   * VA_PAST samples past[i] · unit, then the step. window: VA_WINDOW floats; power: VA_BINS floats, may be `step`. */
  void (*power_spectrum)(const int16_t *past, float unit, const float *step, const float *window, float *power);

  /* The same at 8 kHz, where everything has half the length: VA_HALF_BINS floats. */
  void (*half_power_spectrum)(const int16_t *past, float unit, const float *step, const float *window, float *power);

  /* The same of 16-bit samples in units of 1, where `length` is VA_WINDOW or half of it. */
  void (*power_of_16_bits)(const int16_t *samples, size_t length, const float *window, float *power);

  /* bands_db[b] = 10 log10(sum of the power in the triangular band b), at least VA_BAND_FLOOR_DB. Returns the sum of
   * the bands' powers. power: VA_BINS floats; bands_db: VA_BANDS floats. */
  float (*bands)(const float *power, float *bands_db);

  /* Smooths the levels of the bands over time, and updates the least smoothed levels (noise_floor.h). bands_db:
   * VA_BANDS floats; smoothed, least: VA_BANDS integers, in dBFS · VA_FLOOR_ONE_DB. */
  void (*smooth_floor)(int16_t *smoothed, int16_t *least, const float *bands_db);

  /* floor_db[b] = the least level of band b in all spans, plus VA_FLOOR_BIAS_DB. minima: (VA_FLOOR_SPANS - 1)
   * · VA_BANDS integers; floor_db: VA_BANDS floats. */
  void (*find_floor)(const int16_t *least, const int16_t *minima, float *floor_db);

  /* Returns the sum of the powers of `count` levels in dB. bands_db: VA_BANDS floats. */
  float (*total)(const float *bands_db, size_t count);

  /* Finds how periodic each of some windows is, from the lowest bins of its power. A window gets the same result, bit
   * for bit, alone and among others. Multiples of VA_STREAMS_AT_ONCE are cheapest. */
  void (*pitches)(const va_pitch_powers *powers, va_pitch *pitches, size_t windows);

  /* Computes the VA_FRAME features: the bands' levels over the loudness and over their floors, scaled to -2 … 2.5
   * (speech_features.h), times VA_FRAME_ONE. */
  void (*frame)(const float *bands_db, const float *floor_db, float loudness_db, int16_t *frame);

  /* out[m] = the mean of x over `reach` samples, 1 … 3, from the time (phase + m · step) / divisor on, linearly between
   * samples. Writes whole vectors; out may be x where steps are 1 or more. */
  void (*blend)(const float *x, va_times times, int reach, float *out, size_t outputs);

  /* out[m] = the mean of the 2 · step samples from x[step · m] on, weighted by a triangle. step: 2 or 3. Reads and
   * writes whole vectors: up to 7 outputs more than `outputs`. */
  void (*thin_out)(const float *x, size_t step, float *out, size_t outputs);

  /* levels[b] = bands_db[b] in half decibels above least_db: VA_BANDS bytes. */
  void (*encode_levels)(const float *bands_db, float least_db, uint8_t *levels);

  /* changes[b] = levels[b] - before[b], at most VA_BYTE_CHANGE_MAX either way. Returns the sum of their squares.
   * levels, before: VA_BANDS bytes, and VA_BYTES_SPARE more that are not used; changes: VA_CHANGES_ROOM integers. */
  int32_t (*level_changes)(const uint8_t *levels, const uint8_t *before, int16_t *changes);

  /* sums[lag] = sum over the bands of changes[b] times the change of the reference `lag` steps before `step`, for lags
   * below VA_ECHO_LAGS, then 0. levels: the rows of a va_reference; sums: VA_ECHO_LANES integers. */
  void (*echo_sums)(const uint8_t *levels, uint64_t step, const int16_t *changes, int32_t *sums);

  /* Takes the sums of a step into the means, with a weight of 0 … 1. fits[lag] = their correlation, -1 … 1, with
   * `least` added under the root. Returns the largest. energies: the squares of the reference's changes by lag; energy:
   * of the microphone's. */
  float (*echo_fits)(va_echo_means *means, const int32_t *sums, const uint16_t *energies, float energy, float weight,
                    float least, float *fits);

  /* Does the same with means that are rounded. */
  float (*echo_short_fits)(va_echo_short_means *means, const int32_t *sums, const uint16_t *energies, float energy,
                           float weight, float least, float *fits);

  /* Lowers the bands that are only echo to their floor, and learns the path. bands_db, floor_db: VA_BANDS floats. */
  va_echo_bands (*remove_echo)(va_echo_path *path, const va_echo_rows *rows, float *bands_db, const float *floor_db);

  /* Takes a step of the network (network.h) for each of some streams; returns the logits. A stream gets the same
   * result, bit for bit, alone and among others. Multiples of VA_STREAMS_AT_ONCE are cheapest. */
  void (*network_steps)(const va_weights *weights, va_network *const *networks, const va_network_input *inputs,
                        va_logits *logits, size_t streams);
} va_kernels;

/* The functions that have no body with 16 lanes. */
#define VA_DECLARE_NARROW(body)                                       \
  void va_interpolate_of_##body(const float *x, const va_bank *bank, va_times times, float *out, size_t outputs); \
  void va_power_of_16_bits_of_##body(const int16_t *samples, size_t length, const float *window, float *power); \
  void va_half_power_spectrum_of_##body(const int16_t *past, float unit, const float *step, const float *window, \
                                        float *power);                \
  float va_bands_of_##body(const float *power, float *bands_db);      \
  void va_smooth_floor_of_##body(int16_t *smoothed, int16_t *least, const float *bands_db); \
  void va_find_floor_of_##body(const int16_t *least, const int16_t *minima, float *floor_db); \
  float va_total_of_##body(const float *bands_db, size_t count);      \
  void va_frame_of_##body(const float *bands_db, const float *floor_db, float loudness_db, int16_t *frame); \
  void va_blend_of_##body(const float *x, va_times times, int reach, float *out, size_t outputs); \
  void va_thin_out_of_##body(const float *x, size_t step, float *out, size_t outputs); \
  void va_encode_levels_of_##body(const float *bands_db, float least_db, uint8_t *levels); \
  int32_t va_level_changes_of_##body(const uint8_t *levels, const uint8_t *before, int16_t *changes); \
  void va_echo_sums_of_##body(const uint8_t *levels, uint64_t step, const int16_t *changes, int32_t *sums); \
  float va_echo_fits_of_##body(va_echo_means *means, const int32_t *sums, const uint16_t *energies, float energy, \
                               float weight, float least, float *fits); \
  float va_echo_short_fits_of_##body(va_echo_short_means *means, const int32_t *sums, const uint16_t *energies, \
                                     float energy, float weight, float least, float *fits); \
  va_echo_bands va_remove_echo_of_##body(va_echo_path *path, const va_echo_rows *rows, float *bands_db, \
                                         const float *floor_db);
VA_DECLARE_NARROW(portable)
VA_DECLARE_NARROW(avx2)
#undef VA_DECLARE_NARROW

extern const va_kernels va_kernels_portable;
#if defined(__x86_64__)
extern const va_kernels va_kernels_avx2, va_kernels_avx512;
#endif

/* Returns the table of an index, or the portable one for an index that this build does not have. */
static inline const va_kernels *va_kernels_of(va_simd simd) {
#if defined(__x86_64__)
  if (simd == VA_SIMD_AVX512) return &va_kernels_avx512;
  if (simd == VA_SIMD_AVX2) return &va_kernels_avx2;
#endif
  (void)simd;
  return &va_kernels_portable;
}

#endif
