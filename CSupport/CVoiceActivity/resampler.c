#include "resampler.h"

#include <string.h>

#include "tables.h"

_Static_assert(VA_BANK_TAPS_48K <= VA_STAGE_KEPT, "the longest window, but for its last sample");

/* A family of kernels for one stage. */
typedef struct va_bank {
  const float *rows; /* (phases + 1) × taps */
  uint16_t taps;
  uint16_t phases;
  float pass; /* end of the pass band as a part of the input rate */
} va_bank;

enum { BANK_UP, BANK_24K, BANK_32K, BANK_48K, BANK_HALVE };

static const va_bank banks[] = {
    [BANK_UP] = {va_bank_up, VA_BANK_TAPS_UP, VA_BANK_PHASES_UP, 0.4375f},
    [BANK_24K] = {va_bank_24k, VA_BANK_TAPS_24K, VA_BANK_PHASES, 7.0f / 24},
    [BANK_32K] = {va_bank_32k, VA_BANK_TAPS_32K, VA_BANK_PHASES, 7.0f / 32},
    [BANK_48K] = {va_bank_48k, VA_BANK_TAPS_48K, VA_BANK_PHASES, 7.0f / 48},
    [BANK_HALVE] = {va_bank_halve, VA_BANK_TAPS_HALVE, 1, 0.15f},
};

static uint32_t greatest_common_divisor(uint32_t a, uint32_t b) {
  while (b) {
    uint32_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/* The bank of a rate that is `halvings` halvings below rate_hz; all comparisons in whole numbers. */
static uint8_t bank_for(uint32_t rate_hz, uint32_t halvings) {
  if (rate_hz < VA_RATE_HZ << halvings) return BANK_UP;
  if (rate_hz <= 24000u << halvings) return BANK_24K;
  if (rate_hz <= 32000u << halvings) return BANK_32K;
  return BANK_48K;
}

static const float *row_at(const va_stage *stage, const va_bank *bank, size_t phase) {
  return bank->rows + phase % stage->divisor * bank->phases / stage->divisor * bank->taps;
}

/* Pairs, since `decimate` adds up two taps at a time. */
static va_tap_range range_of(const float *taps, size_t count, size_t step, size_t of) {
  size_t from = 0, to = count / step;
  while (from < to && taps[step * from + of] == 0 && taps[step * (from + 1) + of] == 0) from += 2;
  while (from < to && taps[step * (to - 1) + of] == 0 && taps[step * (to - 2) + of] == 0) to -= 2;
  return (va_tap_range){(uint8_t)from, (uint8_t)to};
}

static void stage_init(va_stage *stage, uint8_t bank, uint32_t step, uint32_t divisor) {
  uint32_t common = greatest_common_divisor(step, divisor);
  memset(stage, 0, sizeof *stage);
  stage->bank = bank;
  stage->step = step / common;
  stage->divisor = divisor / common;
  stage->decimates = stage->divisor <= VA_FEW_ROWS && stage->step <= VA_DECIMATED_STEP_MAX;
  for (size_t row = 0; stage->decimates && row < stage->divisor; row++)
    for (size_t of = 0; of < stage->step; of++)
      stage->used[row][of] = range_of(row_at(stage, &banks[bank], row), banks[bank].taps, stage->step, of);
}

/* Silence up to `position`; returns the index of the first output at or behind it. */
static uint64_t stage_restart(va_stage *stage, uint64_t position) {
  /* position · divisor / step, rounded up, without overflow: position = whole · step + rest */
  uint64_t whole = position / stage->step, rest = position % stage->step;
  uint64_t outputs = (rest * stage->divisor + stage->step - 1) / stage->step;
  uint64_t ahead = outputs * stage->step - rest * stage->divisor; /* of `position`, in 1 / divisor */
  memset(stage->kept, 0, sizeof stage->kept);
  stage->count = (uint16_t)(banks[stage->bank].taps / 2 - 1 - ahead / stage->divisor); /* ahead: 2 samples at most */
  stage->phase = (uint32_t)(ahead % stage->divisor);
  return whole * stage->divisor + outputs;
}

/* Input samples until `outputs` more outputs are complete. */
static size_t stage_input_for(const va_stage *stage, size_t outputs) {
  uint64_t behind = stage->phase + (uint64_t)(outputs - 1) * stage->step;
  return (size_t)(behind / stage->divisor) + banks[stage->bank].taps - stage->count;
}

/* How many outputs are complete with `length` samples. */
static size_t stage_outputs(const va_stage *stage, const va_bank *bank, size_t length) {
  if (length < bank->taps) return 0;
  return ((length - bank->taps + 1) * stage->divisor - 1 - stage->phase) / stage->step + 1;
}

/* Where all outputs stand on a few rows, each row's are `step` input samples apart: a decimation for each. */
static void stage_rows(const va_stage *stage, const va_bank *bank, const va_kernels *kernels, const float *samples,
                       float *out, size_t outputs) {
  for (size_t first = 0; first < stage->divisor && first < outputs; first++) {
    float apart[VA_STAGE_SPAN / 4], *some = stage->divisor == 1 ? out : apart; /* every second of 161 outputs at most */
    size_t count = (outputs - first + stage->divisor - 1) / stage->divisor;
    size_t phase = stage->phase + first * stage->step;
    kernels->decimate(samples + phase / stage->divisor, row_at(stage, bank, phase), stage->used[phase % stage->divisor],
                      bank->taps, stage->step, some, count);
    if (some == apart)
      for (size_t i = 0; i < count; i++) out[first + i * stage->divisor] = apart[i];
  }
}

/* One by one: the row nearest below the phase, blended with the row above where the phase lies between two. */
static void stage_blends(const va_stage *stage, const va_bank *bank, const va_kernels *kernels, const float *samples,
                         float *out, size_t outputs) {
  uint32_t phase = stage->phase;
  for (size_t i = 0; i < outputs; i++, phase += stage->step) {
    uint32_t scaled = phase % stage->divisor * bank->phases, row = scaled / stage->divisor, rest = scaled % stage->divisor;
    const float *window = samples + phase / stage->divisor, *taps = bank->rows + (size_t)row * bank->taps;
    out[i] = rest == 0 ? kernels->dot(window, taps, bank->taps)
                       : kernels->blend(window, taps, taps + bank->taps, bank->taps, (float)rest / (float)stage->divisor);
  }
}

static size_t stage_process(va_stage *stage, const va_kernels *kernels, float *samples, size_t count, float *out) {
  const va_bank *bank = &banks[stage->bank];
  float *span = samples - stage->count;
  memcpy(span, stage->kept, stage->count * sizeof(float));
  size_t length = stage->count + count, outputs = stage_outputs(stage, bank, length);
  (stage->decimates ? stage_rows : stage_blends)(stage, bank, kernels, span, out, outputs);
  uint32_t phase = stage->phase + (uint32_t)outputs * stage->step; /* at most VA_STAGE_SPAN · divisor + step */
  size_t next = phase / stage->divisor;
  stage->phase = phase % stage->divisor;
  stage->count = (uint16_t)(length - next);
  memcpy(stage->kept, span + next, stage->count * sizeof(float));
  return outputs;
}

void va_resampler_init(va_resampler *resampler, uint32_t rate_hz) {
  uint32_t halvings = 0;
  memset(resampler, 0, sizeof *resampler);
  resampler->rate_hz = rate_hz;
  while (rate_hz > 48000u << halvings) stage_init(&resampler->stages[halvings++], BANK_HALVE, 2, 1);
  resampler->stage_count = halvings;
  if (rate_hz != VA_RATE_HZ << halvings) {
    stage_init(&resampler->stages[halvings], bank_for(rate_hz, halvings), rate_hz, VA_RATE_HZ << halvings);
    resampler->stage_count++;
  }
  va_resampler_restart(resampler, 0);
}

uint64_t va_resampler_restart(va_resampler *resampler, uint64_t position) {
  for (uint32_t s = 0; s < resampler->stage_count; s++)
    position = stage_restart(&resampler->stages[s], position);
  return position;
}

uint64_t va_resampler_input_before(const va_resampler *resampler, uint64_t outputs) {
  for (uint32_t s = resampler->stage_count; s-- > 0;) {
    const va_stage *stage = &resampler->stages[s];
    uint64_t last = outputs - 1; /* stands at last · step / divisor, without overflow: */
    outputs = last / stage->divisor * stage->step + last % stage->divisor * stage->step / stage->divisor + 1;
  }
  return outputs;
}

size_t va_resampler_input_for(const va_resampler *resampler, size_t room) {
  for (uint32_t s = resampler->stage_count; s-- > 0;) {
    const va_stage *stage = &resampler->stages[s];
    size_t free = VA_STAGE_SPAN - stage->count;
    room = stage_input_for(stage, room);
    if (room > free) room = free;
  }
  return room;
}

size_t va_resampler_process(va_resampler *resampler, const va_kernels *kernels, float *samples, size_t count,
                            float *out) {
  if (resampler->stage_count == 0) {
    if (samples != out) memcpy(out, samples, count * sizeof(float));
    return count;
  }
  float halved[VA_RESAMPLER_STAGES - 1][VA_STAGE_KEPT + VA_STAGE_SPAN / 2];
  for (uint32_t s = 0; s + 1 < resampler->stage_count; s++) {
    count = stage_process(&resampler->stages[s], kernels, samples, count, halved[s] + VA_STAGE_KEPT);
    samples = halved[s] + VA_STAGE_KEPT;
  }
  return stage_process(&resampler->stages[resampler->stage_count - 1], kernels, samples, count, out);
}

/* Only what the next outputs still need travels. The window of the next output begins with it, so that its time, and
 * with the grid its index, follow: it must be one of the grid. */
static uint64_t stage_archive(va_stage *stage, uint64_t position, float most, va_archive *archive) {
  const uint16_t taps = banks[stage->bank].taps, ahead = taps / 2 - 1;
  va_archive_u16(archive, &stage->count, taps - 1);
  va_archive_floats(archive, stage->kept, stage->count, -most, most);
  va_archive_u32(archive, &stage->phase, stage->divisor - 1);
  va_archive_require(archive, position + ahead >= stage->count);
  uint64_t time = position + ahead - stage->count;
  uint64_t rest = time % stage->step * stage->divisor + stage->phase;
  va_archive_require(archive, rest % stage->step == 0);
  return time / stage->step * stage->divisor + rest / stage->step;
}

uint64_t va_resampler_archive(va_resampler *resampler, uint64_t position, float most, va_archive *archive) {
  for (uint32_t s = 0; s < resampler->stage_count; s++)
    position = stage_archive(&resampler->stages[s], position, most, archive);
  return position;
}

float va_resampler_pass_hz(const va_resampler *resampler) {
  if (resampler->stage_count == 0) return 7000;
  const va_stage *last = &resampler->stages[resampler->stage_count - 1];
  float rate = (float)VA_RATE_HZ * (float)last->step / (float)last->divisor;
  float pass = rate * banks[last->bank].pass;
  return pass < 7000 ? pass : 7000;
}
