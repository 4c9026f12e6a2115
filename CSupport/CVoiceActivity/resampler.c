#include "resampler.h"

#include <string.h>

#include "tables.h"

/* A family of kernels for one stage. */
typedef struct va_bank {
  const float *rows; /* (phases + 1) × taps */
  uint16_t taps;
  uint16_t phases;
  float pass; /* end of the pass band as a part of the input rate */
} va_bank;

/* Up to so many outputs from one input sample to the next they stand on rows of their own, for it divides the phases of
 * every bank: 8, 16, 24, 32, 48 kHz and their doubles. */
#define VA_FEW_ROWS 2

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

static void stage_init(va_stage *stage, uint8_t bank, uint32_t step, uint32_t divisor) {
  uint32_t common = greatest_common_divisor(step, divisor);
  memset(stage, 0, sizeof *stage);
  stage->bank = bank;
  stage->step = step / common;
  stage->divisor = divisor / common;
}

/* Silence up to `position`; returns the index of the first output at or behind it. */
static uint64_t stage_restart(va_stage *stage, uint64_t position) {
  /* position · divisor / step, rounded up, without overflow: position = whole · step + rest */
  uint64_t whole = position / stage->step, rest = position % stage->step;
  uint64_t outputs = (rest * stage->divisor + stage->step - 1) / stage->step;
  uint64_t ahead = outputs * stage->step - rest * stage->divisor; /* of `position`, in 1 / divisor */
  memset(stage->history, 0, sizeof stage->history);
  stage->length = (uint16_t)(banks[stage->bank].taps / 2 - 1);
  stage->next = (uint16_t)(ahead / stage->divisor);
  stage->phase = (uint32_t)(ahead % stage->divisor);
  return whole * stage->divisor + outputs;
}

/* Input samples until `outputs` more outputs are complete. */
static size_t stage_input_for(const va_stage *stage, size_t outputs) {
  uint64_t behind = stage->phase + (uint64_t)(outputs - 1) * stage->step;
  return stage->next + (size_t)(behind / stage->divisor) + banks[stage->bank].taps - stage->length;
}

static void stage_append(va_stage *stage, const float *samples, size_t count) {
  size_t kept = stage->length - stage->next;
  memmove(stage->history, stage->history + stage->next, kept * sizeof(float));
  memcpy(stage->history + kept, samples, count * sizeof(float));
  stage->length = (uint16_t)(kept + count);
  stage->next = 0;
}

/* One output: the row nearest below the phase, blended with the row above where the phase lies between two. */
static float stage_output(const va_stage *stage, const va_bank *bank, const va_kernels *kernels) {
  const float *window = stage->history + stage->next;
  uint32_t scaled = stage->phase * bank->phases, row = scaled / stage->divisor, rest = scaled % stage->divisor;
  const float *taps = bank->rows + (size_t)row * bank->taps;
  if (rest == 0) return kernels->dot(window, taps, bank->taps);
  return kernels->blend(window, taps, taps + bank->taps, bank->taps, (float)rest / (float)stage->divisor);
}

/* How many outputs history holds. */
static size_t stage_outputs(const va_stage *stage, const va_bank *bank) {
  if (stage->next + bank->taps > stage->length) return 0;
  size_t ahead = (size_t)(stage->length - stage->next - bank->taps) + 1;
  return (ahead * stage->divisor - 1 - stage->phase) / stage->step + 1;
}

static void stage_advance(va_stage *stage, size_t outputs) {
  uint32_t phase = stage->phase + (uint32_t)outputs * stage->step; /* at most VA_STAGE_HISTORY · divisor + step */
  stage->next = (uint16_t)(stage->next + phase / stage->divisor);
  stage->phase = phase % stage->divisor;
}

/* Where all outputs stand on a few rows, each row's are `step` input samples apart: a decimation for each. */
static void stage_rows(const va_stage *stage, const va_bank *bank, const va_kernels *kernels, float *out, size_t outputs) {
  for (size_t first = 0; first < stage->divisor && first < outputs; first++) {
    float apart[VA_STAGE_HISTORY], *some = stage->divisor == 1 ? out : apart;
    size_t count = (outputs - first + stage->divisor - 1) / stage->divisor;
    size_t phase = stage->phase + first * stage->step, row = phase % stage->divisor * bank->phases / stage->divisor;
    kernels->decimate(stage->history + stage->next + phase / stage->divisor, bank->rows + row * bank->taps, bank->taps,
                      stage->step, some, count);
    if (some == apart)
      for (size_t i = 0; i < count; i++) out[first + i * stage->divisor] = apart[i];
  }
}

static size_t stage_process(va_stage *stage, const va_kernels *kernels, const float *samples, size_t count,
                            float *out) {
  const va_bank *bank = &banks[stage->bank];
  stage_append(stage, samples, count);
  size_t outputs = stage_outputs(stage, bank);
  if (stage->divisor <= VA_FEW_ROWS) {
    stage_rows(stage, bank, kernels, out, outputs);
    stage_advance(stage, outputs);
  } else {
    for (size_t i = 0; i < outputs; i++, stage_advance(stage, 1)) out[i] = stage_output(stage, bank, kernels);
  }
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

size_t va_resampler_input_for(const va_resampler *resampler, size_t room) {
  for (uint32_t s = resampler->stage_count; s-- > 0;) {
    const va_stage *stage = &resampler->stages[s];
    size_t free = VA_STAGE_HISTORY - (size_t)(stage->length - stage->next);
    room = stage_input_for(stage, room);
    if (room > free) room = free;
  }
  return room;
}

size_t va_resampler_process(va_resampler *resampler, const va_kernels *kernels, const float *samples,
                            size_t count, float *out) {
  if (resampler->stage_count == 0) {
    memcpy(out, samples, count * sizeof(float));
    return count;
  }
  float scratch[VA_RESAMPLER_STAGES - 1][VA_STAGE_HISTORY];
  for (uint32_t s = 0; s + 1 < resampler->stage_count; s++) {
    count = stage_process(&resampler->stages[s], kernels, samples, count, scratch[s]);
    samples = scratch[s];
  }
  return stage_process(&resampler->stages[resampler->stage_count - 1], kernels, samples, count, out);
}

/* Only what the next outputs still need travels. The window of the next output begins with it, so that its time, and
 * with the grid its index, follow: it must be one of the grid. */
static uint64_t stage_archive(va_stage *stage, uint64_t position, float most, va_archive *archive) {
  const uint16_t taps = banks[stage->bank].taps, ahead = taps / 2 - 1;
  uint16_t kept = (uint16_t)(stage->length - stage->next);
  va_archive_u16(archive, &kept, taps - 1);
  if (archive->from) stage->next = 0, stage->length = kept;
  va_archive_floats(archive, stage->history + stage->next, kept, -most, most);
  va_archive_u32(archive, &stage->phase, stage->divisor - 1);
  va_archive_require(archive, position + ahead >= kept);
  uint64_t time = position + ahead - kept;
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
