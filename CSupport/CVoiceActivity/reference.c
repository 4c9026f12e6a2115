#include "reference.h"

#include <string.h>

#include "level.h"

/* Input samples that are converted at a time. Rates below 16 kHz give up to twice as many. */
#define VA_PORTION 480
#define VA_PORTION_LOW 60
#define VA_PORTION_ROOM (VA_PORTION + 32) /* and what whole vectors reach beyond it */

/* The windows end this much before their steps do where the conversion of the rate rounds, so that no step is late:
 * 1 ms. */
#define VA_SLACK 16

static uint32_t period(const va_reference *r) { return VA_RATE_HZ * r->averaged * r->stride; }

/* Zeros after which the window is zero, whatever the filter remembers. */
#define VA_SILENT (VA_WINDOW + 64)

static uint16_t slack(const va_reference *r) { return r->rate_hz == period(r) ? 0 : VA_SLACK; }

void va_reference_init(va_reference *r, uint32_t rate_hz) {
  memset(r, 0, sizeof *r);
  r->rate_hz = rate_hz;
  r->averaged = (uint8_t)((rate_hz + VA_STAGE_RATE_MAX_HZ - 1) / VA_STAGE_RATE_MAX_HZ);
  uint32_t stride = rate_hz / r->averaged / VA_RATE_HZ;
  r->stride = (uint8_t)(stride > 1 ? stride : 1);
  r->kept = r->stride;
  r->fill = slack(r);
  r->silent = VA_SILENT;
}

/* MARK: steps */

/* Measures the window that the step in progress has completed. */
static void complete_step(va_reference *r, const va_kernels *kernels) {
  float bands_db[VA_BANDS], total = 0;
  if (r->silent < VA_SILENT) {
    float step[VA_WINDOW - VA_PAST]; /* and the power of its bins: the stack is deepest here */
    _Static_assert(VA_BINS <= VA_WINDOW - VA_PAST, "room for them");
    kernels->widen_16_bits(r->samples + VA_PAST, VA_WINDOW - VA_PAST, 1.0f / 32768, step);
    kernels->power_spectrum(r->samples, 1.0f / 32768, step, va_window, step);
    total = kernels->bands(step, bands_db);
  } else {
    for (int band = 0; band < VA_BANDS; band++) bands_db[band] = VA_BAND_FLOOR_DB;
  }
  int16_t changes[VA_CHANGES_ROOM];
  const size_t at = va_reference_at(r->steps), before = va_reference_at(r->steps + VA_REFERENCE_STEPS - 1);
  uint8_t *row = r->levels + VA_BANDS * at;
  kernels->encode_levels(bands_db, VA_BYTE_LEAST_DB, row);
  memmove(r->energies + 1, r->energies, sizeof r->energies - sizeof r->energies[0]);
  r->energies[0] = (uint16_t)kernels->level_changes(row, r->levels + VA_BANDS * before, changes);
  float byte = (va_power_db(total) - VA_BYTE_LEAST_DB) * VA_BYTES_PER_DB + 0.5f;
  r->totals[at] = (uint8_t)(byte < 0 ? 0 : byte > VA_BYTE_MAX ? VA_BYTE_MAX : byte);
  memmove(r->samples, r->samples + VA_WINDOW - VA_PAST, VA_PAST * sizeof *r->samples);
  r->fill = 0;
  r->steps++;
}

/* Adds samples at 16 kHz. */
static void add(va_reference *r, const va_kernels *kernels, const int16_t *samples, size_t count) {
  while (count > 0) {
    size_t room = VA_WINDOW - VA_PAST - r->fill, some = count < room ? count : room;
    memcpy(r->samples + VA_PAST + r->fill, samples, some * sizeof *samples);
    r->fill = (uint16_t)(r->fill + some);
    samples += some;
    count -= some;
    size_t silent = r->silent + some;
    r->silent = (uint16_t)(silent < VA_SILENT ? silent : VA_SILENT);
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

/* Thins out the samples that `x` gets before it: those kept of earlier calls, then `count` new ones. Writes to x, and
 * returns how many. x: room for r->kept samples before `count`. */
static size_t thin_out(va_reference *r, const va_kernels *kernels, float *x, size_t count) {
  memcpy(x, r->past, r->kept * sizeof *x);
  const size_t all = r->kept + count, made = all / r->stride - 1; /* kept: at least a stride */
  r->kept = (uint8_t)(all - made * r->stride);
  memcpy(r->past, x + made * r->stride, r->kept * sizeof *x); /* first: whole vectors are written */
  kernels->thin_out(x, r->stride, x, made);
  return made;
}

/* Interpolates between x[0], the sample before, and the `count` after it. Returns how many samples at 16 kHz it writes to
 * `out`, which may be x unless the rate is below 16 kHz. */
static size_t interpolate(va_reference *r, const float *x, size_t count, float *out) {
  const uint32_t one = period(r), whole = r->rate_hz / one, rest = r->rate_hz % one;
  const float part = 1 / (float)one, last = x[count];
  size_t at = r->phase / one, made = 0;
  uint32_t phase = r->phase % one;
  for (; at < count; made++) {
    out[made] = x[at] + (x[at + 1] - x[at]) * ((float)phase * part);
    phase += rest;
    at += whole + (phase >= one ? 1 : 0);
    phase -= phase >= one ? one : 0;
  }
  r->phase = phase + (uint32_t)(at - count) * one;
  r->last = last;
  return made;
}

/* Adds samples at 16 kHz, VA_HOP at a time: these are whole vectors, but for the last ones. */
static void add_floats(va_reference *r, const va_kernels *kernels, const float *samples, size_t count) {
  int16_t stored[VA_HOP];
  for (; count >= VA_HOP; samples += VA_HOP, count -= VA_HOP) {
    kernels->clean_to_16_bits(samples, VA_HOP, stored);
    add(r, kernels, stored, VA_HOP);
  }
  if (count == 0) return;
  float rest[VA_HOP] = {0};
  memcpy(rest, samples, count * sizeof *rest);
  kernels->clean_to_16_bits(rest, VA_HOP, stored);
  add(r, kernels, stored, count);
}

/* Rates below 16 kHz give more samples than they have. */
static void convert_low(va_reference *r, const va_kernels *kernels, float *samples, size_t count) {
  float more[2 * VA_PORTION_LOW + 16];
  samples[-1] = r->last;
  count = interpolate(r, samples - 1, count, more);
  add_floats(r, kernels, more, count);
}

/* Converts `count` samples at span + VA_REFERENCE_PAST in place. */
static void convert(va_reference *r, const va_kernels *kernels, float *span, size_t count) {
  float *samples = span + VA_REFERENCE_PAST;
  if (r->averaged > 1) count = average(r, samples, count);
  if (r->rate_hz > VA_RATE_HZ) {
    samples -= r->kept;
    count = thin_out(r, kernels, samples, count);
  }
  if (r->rate_hz != period(r)) {
    samples--;
    samples[0] = r->last;
    count = interpolate(r, samples, count, samples);
  }
  add_floats(r, kernels, samples, count);
}

/* MARK: input */

/* What remains of samples after the first `count`. */
static va_played later(va_played played, uint64_t count) {
  if (played.f32) played.f32 += count;
  if (played.s16) played.s16 += count;
  played.count -= count;
  return played;
}

/* What is not finite spoils a sample or two at 16 kHz, which are cleaned then. */
static void read(const va_kernels *kernels, va_played played, float *samples) {
  const size_t count = (size_t)played.count;
  if (played.s16) kernels->from_16_bits(played.s16, count, samples);
  else if (played.f32) memcpy(samples, played.f32, count * sizeof *samples);
  else memset(samples, 0, count * sizeof *samples);
}

/* Takes at most VA_PORTION samples. At 16 kHz they need no conversion of the rate. */
static void feed_portion(va_reference *r, const va_kernels *kernels, va_played played) {
  const size_t count = (size_t)played.count;
  float span[VA_REFERENCE_PAST + VA_PORTION_ROOM];
  if (played.f32 || played.s16) r->silent = 0;
  if (r->rate_hz == VA_RATE_HZ && played.s16) {
    add(r, kernels, played.s16, count);
  } else if (r->rate_hz == VA_RATE_HZ && played.f32) {
    add_floats(r, kernels, played.f32, count);
  } else {
    read(kernels, played, span + VA_REFERENCE_PAST);
    if (r->rate_hz < VA_RATE_HZ) convert_low(r, kernels, span + VA_REFERENCE_PAST, count);
    else convert(r, kernels, span, count);
  }
}

static void feed(va_reference *r, const va_kernels *kernels, va_played played) {
  const uint64_t most = r->rate_hz < VA_RATE_HZ ? VA_PORTION_LOW : VA_PORTION;
  r->position += played.count;
  while (played.count > 0) {
    va_played portion = {played.f32, played.s16, played.count < most ? played.count : most};
    feed_portion(r, kernels, portion);
    played = later(played, portion.count);
  }
}

void va_reference_push(va_reference *r, const va_kernels *kernels, va_played played) {
  const uint64_t late = played.count < r->missed ? played.count : r->missed;
  r->missed -= late;
  r->late += late;
  feed(r, kernels, later(played, late));
}

void va_reference_require(va_reference *r, const va_kernels *kernels, uint64_t step) {
  if (r->steps > step) return;
  const uint64_t missing = va_hop_start(r->rate_hz, VA_STEP_HOPS * (step + 1)) - r->position;
  r->missed += missing;
  feed(r, kernels, (va_played){.count = missing});
}

bool va_reference_accepts(const va_reference *r, uint64_t steps, uint64_t count) {
  const uint64_t most = va_hop_start(r->rate_hz, VA_STEP_HOPS * (steps + 1 + VA_REFERENCE_AHEAD_STEPS));
  const uint64_t late = count < r->missed ? count : r->missed;
  return count - late <= most - r->position;
}

/* What the averages and the low-pass hold back is less than VA_SLACK. */
bool va_reference_is_consistent(const va_reference *r) {
  const uint64_t whole = r->position / r->rate_hz * VA_RATE_HZ, rest = r->position % r->rate_hz * VA_RATE_HZ / r->rate_hz;
  const uint64_t made = r->steps * (VA_WINDOW - VA_PAST) + r->fill, due = whole + rest + slack(r);
  return made <= due + 1 && due < made + VA_SLACK && (slack(r) > 0 || due < made + 1);
}
