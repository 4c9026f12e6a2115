#include "reference.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "level.h"
#include "tables.h"

/* Input samples that are converted at a time. Rates below 16 kHz give up to twice as many. */
#define VA_PORTION 480
#define VA_PORTION_LOW 60
#define VA_PORTION_ROOM (VA_PORTION + 32) /* and what whole vectors reach beyond it */

/* The windows end this much before their steps do where the conversion of the rate rounds, so that no step is late:
 * 1 ms. Where it makes a sample of several, the microphone's last sample of a step may be due with the first of
 * them. */
#define VA_SLACK 16
#define VA_SLACK_OF_MEANS 1

/* Full scale in units of the stored samples: 20 log10 32768. */
#define VA_FULL_SCALE_DB 90.309f

/* Zeros after which the window is zero, whatever the filter remembers. */
#define VA_SILENT (VA_WINDOW + 64)

/* The scale changes if stored samples would reach 2, which is more than a little clipping, or if the loudest are below
 * 2^VA_FAINT_OCTAVES, -42 dBFS, and speech rather than noise: 12 dB over the softest peak of a step. The loudest are
 * then between 1/16 and 1/8. */
#define VA_FAINT_OCTAVES (-7)
#define VA_RANGE 4.0f
#define VA_SCALED_OCTAVES (-3)

/* In a step, the loudest peak falls by 0.1 dB, and the softest rises by as much: 5 dB in a second. */
#define VA_PEAK_DRIFT 1.0116f

/* True if the reference is analysed at 8 kHz, where everything has half of the samples. */
static bool is_half(const va_reference *r) { return r->rate_hz == VA_HALF_RATE_HZ; }

static size_t past_length(const va_reference *r) { return is_half(r) ? VA_PAST / 2 : VA_PAST; }

static size_t step_length(const va_reference *r) { return (is_half(r) ? VA_HOP / 2 : VA_HOP) * VA_STEP_HOPS; }

/* The time of a sample at 16 kHz, where that of a sample that is averaged is rate_hz. */
static uint32_t period(const va_reference *r) { return VA_RATE_HZ * r->averaged; }

static bool is_blended(const va_reference *r) { return r->rate_hz != period(r) * r->stride && !is_half(r); }

/* Samples that one at 16 kHz is a mean of. */
static uint8_t reach(const va_reference *r) { return r->rate_hz < VA_RATE_HZ ? 1 : r->stride + 1; }

static uint16_t slack(const va_reference *r) {
  return is_blended(r) ? VA_SLACK : r->rate_hz > VA_RATE_HZ ? VA_SLACK_OF_MEANS : 0;
}

void va_reference_init(va_reference *r, uint32_t rate_hz) {
  memset(r, 0, sizeof *r);
  r->rate_hz = rate_hz;
  r->averaged = (uint8_t)((rate_hz + VA_STAGE_RATE_MAX_HZ - 1) / VA_STAGE_RATE_MAX_HZ);
  uint32_t stride = rate_hz / r->averaged / VA_RATE_HZ;
  r->stride = (uint8_t)(stride > 1 ? stride : 1);
  r->kept = is_blended(r) ? reach(r) : r->stride;
  r->fill = slack(r);
  r->silent = VA_SILENT;
}

/* MARK: the scale */

static int16_t shifted(int16_t sample, int octaves) {
  if (octaves < 0) return (int16_t)(octaves < -15 ? 0 : sample / (1 << -octaves));
  const int64_t wide = (int64_t)sample * (1 << (octaves > 15 ? 15 : octaves));
  return (int16_t)(wide > INT16_MAX ? INT16_MAX : wide < INT16_MIN ? INT16_MIN : wide);
}

/* Measures the energies anew: a row that was raised changes more from one that could not be. */
static void measure_changes(va_reference *r, const va_kernels *kernels) {
  int16_t changes[VA_CHANGES_ROOM];
  for (int back = 1; back < VA_REFERENCE_STEPS; back++) {
    const uint8_t *row = r->levels + VA_BANDS * va_reference_at(r->steps, back);
    const uint8_t *before = r->levels + VA_BANDS * va_reference_at(r->steps, back + 1);
    r->energies[back - 1] = (uint16_t)kernels->level_changes(row, before, changes);
  }
}

/* Changes the scale of what is stored, as if it had always been this one. */
static void rescale(va_reference *r, const va_kernels *kernels, int octaves) {
  octaves = octaves > VA_OCTAVES_MAX ? VA_OCTAVES_MAX : octaves < -VA_OCTAVES_MAX ? -VA_OCTAVES_MAX : octaves;
  const int change = octaves - r->octaves;
  if (change == 0) return;
  for (size_t i = 0; i < past_length(r); i++) r->samples[i] = shifted(r->samples[i], change);
  for (size_t i = 0; i < VA_REFERENCE_STEPS; i++) r->totals[i] = va_byte_raised(r->totals[i], change);
  for (size_t i = 0; i < sizeof r->levels; i++) r->levels[i] = va_byte_raised(r->levels[i], change);
  r->octaves = (int8_t)octaves;
  measure_changes(r, kernels);
}

/* The exponent of 2 in a magnitude above 0. */
static int octaves_of(float magnitude) {
  uint32_t bits;
  memcpy(&bits, &magnitude, sizeof bits);
  return (int)(bits >> 23) - 127;
}

/* Chooses the scale of the next step by the peak of the one that is complete, so that chunks do not matter. */
static void choose_scale(va_reference *r, const va_kernels *kernels) {
  const float peak = r->peak;
  r->peak = 0;
  if (peak < FLT_MIN) return;
  const float falling = r->loudest / VA_PEAK_DRIFT, rising = r->softest * VA_PEAK_DRIFT;
  r->loudest = peak > falling ? peak : falling;
  r->softest = peak < rising || r->softest == 0 ? peak : rising;
  const int stored = octaves_of(peak) + r->octaves;
  const bool is_loud = 2 * peak >= r->loudest && peak >= VA_RANGE * r->softest;
  if (stored >= 1 || (is_loud && stored < VA_FAINT_OCTAVES))
    rescale(r, kernels, VA_SCALED_OCTAVES - 1 - octaves_of(peak));
}

/* MARK: steps */

/* Writes the levels of the window's bands in units of the samples. Returns its power. */
static float measure(const va_reference *r, const va_kernels *kernels, float *bands_db) {
  float power[VA_BINS];
  kernels->power_of_16_bits(r->samples, past_length(r) + step_length(r), is_half(r) ? va_half_window : va_window,
                            power);
  if (is_half(r)) memset(power + VA_HALF_BINS, 0, (VA_BINS - VA_HALF_BINS) * sizeof *power);
  return kernels->bands(power, bands_db);
}

/* Measures the window that the step in progress has completed. */
static void complete_step(va_reference *r, const va_kernels *kernels) {
  float bands_db[VA_BANDS], total = 0;
  if (r->silent < VA_SILENT) total = measure(r, kernels, bands_db);
  else for (int band = 0; band < VA_BANDS; band++) bands_db[band] = VA_BAND_FLOOR_DB;
  int16_t changes[VA_CHANGES_ROOM];
  const float least_db = VA_BYTE_LEAST_DB + VA_FULL_SCALE_DB;
  const size_t at = va_reference_at(r->steps, 0), before = va_reference_at(r->steps, 1);
  uint8_t *row = r->levels + VA_BANDS * at;
  kernels->encode_levels(bands_db, least_db, row);
  memmove(r->energies + 1, r->energies, sizeof r->energies - sizeof r->energies[0]);
  r->energies[0] = (uint16_t)kernels->level_changes(row, r->levels + VA_BANDS * before, changes);
  float byte = (va_power_db(total) - least_db) * VA_BYTES_PER_DB + 0.5f;
  r->totals[at] = (uint8_t)(byte < 0 ? 0 : byte > VA_BYTE_MAX ? VA_BYTE_MAX : byte);
  memmove(r->samples, r->samples + step_length(r), past_length(r) * sizeof *r->samples);
  r->fill = 0;
  r->steps++;
  choose_scale(r, kernels);
}

static float scale_of(const va_reference *r) {
  const uint32_t bits = (uint32_t)(127 + r->octaves) << 23;
  float scale;
  memcpy(&scale, &bits, sizeof scale);
  return scale;
}

/* Stores at most VA_HOP samples that are not whole vectors, by way of arrays that are. Returns their peak. */
static float store_odd(int16_t *to, const va_kernels *kernels, const float *samples, size_t count, float scale) {
  float padded[VA_HOP];
  int16_t stored[VA_HOP];
  const size_t whole = (count + 31) / 32 * 32;
  memcpy(padded, samples, count * sizeof *samples);
  for (size_t i = count; i < whole; i++) padded[i] = 0;
  const float peak = kernels->clean_to_16_bits(padded, whole, scale, stored);
  memcpy(to, stored, count * sizeof *stored);
  return peak;
}

/* Stores at most VA_HOP samples of a step. */
static void store(va_reference *r, const va_kernels *kernels, const float *samples, size_t count) {
  int16_t *to = r->samples + past_length(r) + r->fill;
  const float scale = scale_of(r), peak = count % 32 == 0 ? kernels->clean_to_16_bits(samples, count, scale, to)
                                                          : store_odd(to, kernels, samples, count, scale);
  if (peak > r->peak) r->peak = peak;
}

/* Adds samples at the rate of the analysis. */
static void add(va_reference *r, const va_kernels *kernels, const float *samples, size_t count, bool is_given) {
  while (count > 0) {
    const size_t room = step_length(r) - r->fill, least = count < room ? count : room;
    const size_t some = least < VA_HOP ? least : VA_HOP, silent = is_given ? 0 : r->silent + some;
    store(r, kernels, samples, some);
    r->fill = (uint16_t)(r->fill + some);
    r->silent = (uint16_t)(silent < VA_SILENT ? silent : VA_SILENT);
    samples += some;
    count -= some;
    if (some == room) complete_step(r, kernels);
  }
}

/* MARK: conversion of the rate */

/* Writes one sample for each `averaged` in place. Returns how many. */
static size_t average(va_reference *r, float *samples, size_t count) {
  size_t made = 0;
  for (size_t i = 0; i < count; i++) {
    r->average += samples[i];
    r->average_fill++;
    if (r->average_fill < r->averaged) continue;
    samples[made] = r->average / (float)r->averaged;
    made++;
    r->average = 0;
    r->average_fill = 0;
  }
  return made;
}

/* Thins out `count` samples at x, behind those kept of earlier calls, which it puts there. Writes to x, and returns how
 * many. */
static size_t thin_out(va_reference *r, const va_kernels *kernels, float *x, size_t count) {
  const size_t made = count / r->stride - 1; /* at least a stride is kept */
  r->kept = (uint8_t)(count - made * r->stride);
  memcpy(r->past, x + made * r->stride, r->kept * sizeof *x); /* first: whole vectors are written */
  kernels->thin_out(x, r->stride, x, made);
  return made;
}

/* Blends likewise, to `out`, which may be x unless the rate is below 16 kHz. */
static size_t blend(va_reference *r, const va_kernels *kernels, const float *x, size_t count, float *out) {
  const size_t gone = count - r->kept;
  const uint64_t end = (uint64_t)gone * period(r), step = r->rate_hz;
  const size_t made = r->phase < end ? (size_t)((end - r->phase + step - 1) / step) : 0;
  const size_t whole = r->phase / period(r);
  memcpy(r->past, x + gone, r->kept * sizeof *x);
  kernels->blend(x + whole, (va_times){r->phase % period(r), r->rate_hz, period(r)}, reach(r), out, made);
  r->phase = (uint32_t)(r->phase + made * step - end);
  return made;
}

/* Converts `count` samples at span + VA_REFERENCE_PAST in place, but rates below 16 kHz give more samples than they
 * have. */
static void convert(va_reference *r, const va_kernels *kernels, float *span, size_t count, bool is_given) {
  float *samples = span + VA_REFERENCE_PAST, more[2 * VA_PORTION_LOW + 16];
  if (r->averaged > 1) count = average(r, samples, count);
  samples -= r->kept;
  count += r->kept;
  memcpy(samples, r->past, r->kept * sizeof *samples);
  float *out = r->rate_hz < VA_RATE_HZ ? more : samples;
  count = is_blended(r) ? blend(r, kernels, samples, count, out) : thin_out(r, kernels, samples, count);
  add(r, kernels, out, count, is_given);
}

/* MARK: input */

/* Goes on to what remains after the first `count` frames. */
static void advance(va_played *played, uint64_t count) {
  if (played->f32) played->f32 += count * played->channels;
  if (played->s16) played->s16 += count * played->channels;
  played->count -= count;
}

/* What is not finite spoils a sample or two at 16 kHz, which are cleaned then. */
static void read(const va_kernels *kernels, const va_played *played, size_t count, float *samples) {
  if (played->s16) kernels->from_16_bits(played->s16, count, samples);
  else if (played->f32) memcpy(samples, played->f32, count * sizeof *samples);
  else memset(samples, 0, count * sizeof *samples);
}

/* Takes `count` frames, at most VA_PORTION samples of all channels together. At the rate of the analysis they need no
 * conversion. */
static void feed_portion(va_reference *r, const va_kernels *kernels, const va_played *played, size_t count) {
  const bool is_analysed = r->rate_hz == VA_RATE_HZ || is_half(r), is_given = played->f32 || played->s16;
  const bool is_direct = is_analysed && played->f32 && played->channels == 1;
  float span[VA_REFERENCE_PAST + VA_PORTION_ROOM], *samples = span + VA_REFERENCE_PAST;
  if (!is_direct) read(kernels, played, count * played->channels, samples);
  if (played->channels > 1) va_played_mix_take(&r->mix, r->rate_hz, samples, count, played->channels);
  if (is_analysed) add(r, kernels, is_direct ? played->f32 : samples, count, is_given);
  else convert(r, kernels, span, count, is_given);
}

static void feed(va_reference *r, const va_kernels *kernels, va_played played) {
  const size_t most = (r->rate_hz < VA_RATE_HZ ? VA_PORTION_LOW : VA_PORTION) / played.channels;
  while (played.count > 0) {
    const size_t count = played.count < most ? (size_t)played.count : most;
    feed_portion(r, kernels, &played, count);
    r->position += count;
    advance(&played, count);
  }
}

void va_reference_push(va_reference *r, const va_kernels *kernels, va_played played) {
  const uint64_t late = played.count < r->missed ? played.count : r->missed;
  r->missed -= late;
  r->late += late;
  advance(&played, late);
  feed(r, kernels, played);
}

void va_reference_require(va_reference *r, const va_kernels *kernels, uint64_t step) {
  if (r->steps > step) return;
  const uint64_t missing = va_hop_start(r->rate_hz, VA_STEP_HOPS * (step + 1)) - r->position;
  r->missed += missing;
  feed(r, kernels, (va_played){.count = missing, .channels = 1});
}

/* The latest position beside a microphone that has taken `steps` steps. */
static uint64_t latest_position(const va_reference *r, uint64_t steps) {
  return va_hop_start(r->rate_hz, VA_STEP_HOPS * (steps + 1 + VA_REFERENCE_AHEAD_STEPS));
}

bool va_reference_accepts(const va_reference *r, uint64_t steps, uint64_t count) {
  const uint64_t late = count < r->missed ? count : r->missed;
  return count - late <= latest_position(r, steps) - r->position;
}

/* MARK: state */

static float finite_or_infinite(float x) { return x >= -FLT_MAX && x <= FLT_MAX ? x : INFINITY; }

void va_reference_tidy(va_reference *r) {
  for (size_t i = past_length(r) + r->fill; i < VA_WINDOW; i++) r->samples[i] = 0;
  for (size_t i = 0; i < VA_REFERENCE_PAST; i++) r->past[i] = i < r->kept ? finite_or_infinite(r->past[i]) : 0;
  r->average = finite_or_infinite(r->average);
}

/* What the averages and the low-pass hold back is less than VA_SLACK. */
bool va_reference_is_consistent(const va_reference *r, uint64_t steps) {
  if (r->fill >= step_length(r) || r->position > latest_position(r, steps)) return false;
  if (is_blended(r) ? r->kept != reach(r) : r->kept < r->stride || r->kept >= 2 * r->stride) return false;
  const uint64_t rate = va_analysis_rate_hz(r->rate_hz);
  const uint64_t whole = r->position / r->rate_hz * rate, rest = r->position % r->rate_hz * rate / r->rate_hz;
  const uint64_t made = r->steps * step_length(r) + r->fill, due = whole + rest + slack(r);
  return made <= due + 1 && due < made + VA_SLACK && (is_blended(r) || due < made + 1);
}
