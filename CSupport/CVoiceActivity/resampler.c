#include "resampler.h"

#include <string.h>

#include "tables.h"

_Static_assert(VA_BANK_TAPS_48K <= VA_STAGE_KEPT, "a stage keeps the longest window, without its last sample");

/* Those with BELOW are for all lower rates that have no bank of their own. */
enum {
  BANK_UP,
  BANK_22K,
  BANK_BELOW_24K,
  BANK_24K,
  BANK_BELOW_32K,
  BANK_32K,
  BANK_44K,
  BANK_BELOW_48K,
  BANK_48K,
  BANK_HALVE
};

/* Input below 16 kHz passes up to 7/16 of its rate. */
static const va_bank banks[] = {
    [BANK_UP] = {va_bank_up, VA_BLOCK_TAPS, VA_BANK_PHASES_UP, 7.0f / 16},
    [BANK_22K] = {va_bank_22k, VA_BLOCK_TAPS, VA_BANK_PHASES, (float)VA_PASS_HZ / 22050},
    [BANK_BELOW_24K] = {va_bank_below_24k, VA_BLOCK_TAPS, VA_BANK_PHASES, (float)VA_PASS_HZ / 24000},
    [BANK_24K] = {va_bank_24k, VA_BANK_TAPS_24K, 2, (float)VA_PASS_HZ / 24000},
    [BANK_BELOW_32K] = {va_bank_below_32k, 2 * VA_BLOCK_TAPS, VA_BANK_PHASES, 7.0f / 32},
    [BANK_32K] = {va_bank_32k, VA_BANK_TAPS_32K, 1, (float)VA_PASS_HZ / 32000},
    [BANK_44K] = {va_bank_44k, VA_BANK_TAPS_44K, VA_BANK_PHASES_44K, (float)VA_PASS_HZ / 44100},
    [BANK_BELOW_48K] = {va_bank_below_48k, 2 * VA_BLOCK_TAPS, VA_BANK_PHASES, (float)VA_PASS_HZ / 48000},
    [BANK_48K] = {va_bank_48k, VA_BANK_TAPS_48K, 1, (float)VA_PASS_HZ / 48000},
    [BANK_HALVE] = {va_bank_halve, VA_BANK_TAPS_HALVE, 1, 0},
};

static uint32_t greatest_common_divisor(uint32_t a, uint32_t b) {
  while (b) {
    uint32_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/* Returns the bank for rate_hz after `halvings` halvings. The bounds are shifted instead of the rate, so that nothing
 * is rounded. */
static uint8_t bank_for(uint32_t rate_hz, uint32_t halvings) {
  if (rate_hz < VA_RATE_HZ << halvings) return BANK_UP;
  if (rate_hz <= 22050u << halvings) return BANK_22K;
  if (rate_hz < 24000u << halvings) return BANK_BELOW_24K;
  if (rate_hz == 24000u << halvings) return BANK_24K;
  if (rate_hz < 32000u << halvings) return BANK_BELOW_32K;
  if (rate_hz == 32000u << halvings) return BANK_32K;
  if (rate_hz == 44100u << halvings) return BANK_44K;
  if (rate_hz < 48000u << halvings) return BANK_BELOW_48K;
  return BANK_48K;
}

/* Finds the taps at one place of each step that are not 0. They are dropped in pairs, since `decimate` adds two taps at
 * a time. count / step is even. */
static va_tap_range range_of(const float *taps, size_t count, size_t step, size_t place) {
  size_t from = 0, to = count / step;
  while (from < to && taps[step * from + place] == 0 && taps[step * (from + 1) + place] == 0) from += 2;
  while (from < to && taps[step * (to - 1) + place] == 0 && taps[step * (to - 2) + place] == 0) to -= 2;
  return (va_tap_range){(uint8_t)from, (uint8_t)to};
}

static void stage_init(va_stage *stage, uint8_t bank, uint32_t step, uint32_t divisor) {
  uint32_t common = greatest_common_divisor(step, divisor);
  memset(stage, 0, sizeof *stage);
  stage->bank = bank;
  stage->step = step / common;
  stage->divisor = divisor / common;
  stage->decimates = stage->divisor <= VA_FEW_ROWS && stage->step <= VA_DECIMATED_STEP_MAX;
  if (!stage->decimates) return;
  for (size_t row = 0; row < stage->divisor; row++)
    for (size_t place = 0; place < stage->step; place++)
      stage->used[row][place] =
          range_of(banks[bank].rows + row * banks[bank].taps, banks[bank].taps, stage->step, place);
}

/* MARK: positions */

/* Fills a stage with silence up to `position`. Returns the index of the first output at or after it: position · divisor
 * / step, rounded up. `position` is split into whole · step + rest, so that nothing overflows. */
static uint64_t stage_restart(va_stage *stage, uint64_t position) {
  uint64_t whole = position / stage->step, rest = position % stage->step;
  uint64_t outputs = (rest * stage->divisor + stage->step - 1) / stage->step;
  uint64_t after = outputs * stage->step - rest * stage->divisor; /* from `position` to that output, in 1 / divisor */
  memset(stage->kept, 0, sizeof stage->kept);
  stage->count = (uint16_t)(banks[stage->bank].taps - 1 - after / stage->divisor); /* that is 2 samples at most */
  stage->phase = (uint32_t)(after % stage->divisor);
  return whole * stage->divisor + outputs;
}

/* Returns how many input samples complete the next `outputs` outputs. */
static size_t stage_input_for(const va_stage *stage, size_t outputs) {
  uint64_t last = stage->phase + (uint64_t)(outputs - 1) * stage->step; /* the time of the last one, in 1 / divisor */
  return (size_t)(last / stage->divisor) + banks[stage->bank].taps - stage->count;
}

/* Returns how many outputs `length` samples complete. */
static size_t stage_outputs(const va_stage *stage, const va_bank *bank, size_t length) {
  if (length < bank->taps) return 0;
  return ((length - bank->taps + 1) * stage->divisor - 1 - stage->phase) / stage->step + 1;
}

/* MARK: samples */

/* Makes the outputs of one phase: those at `first`, `first` + divisor, …, which lie `step` input samples apart. */
static void stage_phase(const va_stage *stage, const va_bank *bank, const va_kernels *kernels, const float *samples,
                        size_t first, float *out, size_t count) {
  size_t time = stage->phase + first * stage->step, row = time % stage->divisor;
  kernels->decimate(samples + time / stage->divisor, bank->rows + row * bank->taps, stage->used[row], bank->taps,
                    stage->step, out, count);
}

/* Makes all outputs of a stage with few phases: one decimation per phase. */
static void stage_decimate(const va_stage *stage, const va_bank *bank, const va_kernels *kernels, const float *samples,
                           float *out, size_t outputs) {
  if (stage->divisor == 1) {
    stage_phase(stage, bank, kernels, samples, 0, out, outputs);
    return;
  }
  float of_phase[VA_STAGE_SPAN / 4]; /* at most every second of VA_HOP + 1 outputs */
  for (size_t first = 0; first < stage->divisor && first < outputs; first++) {
    size_t count = (outputs - first + stage->divisor - 1) / stage->divisor;
    stage_phase(stage, bank, kernels, samples, first, of_phase, count);
    for (size_t i = 0; i < count; i++) out[first + i * stage->divisor] = of_phase[i];
  }
}

/* The span begins with the samples kept, in the room that va_resampler_process demands before `samples`: count <=
 * VA_STAGE_KEPT. */
static size_t stage_process(va_stage *stage, const va_kernels *kernels, float *samples, size_t count, float *out) {
  const va_bank *bank = &banks[stage->bank];
  float *span = samples - stage->count;
  memcpy(span, stage->kept, stage->count * sizeof(float));
  size_t length = stage->count + count, outputs = stage_outputs(stage, bank, length);
  if (stage->decimates) stage_decimate(stage, bank, kernels, span, out, outputs);
  else kernels->interpolate(span, bank, (va_times){stage->phase, stage->step, stage->divisor}, out, outputs);
  uint32_t phase = stage->phase + (uint32_t)outputs * stage->step; /* at most VA_STAGE_SPAN · divisor + step */
  size_t next = phase / stage->divisor; /* the first sample of the next output's window */
  stage->phase = phase % stage->divisor;
  stage->count = (uint16_t)(length - next);
  memcpy(stage->kept, span + next, stage->count * sizeof(float));
  return outputs;
}

/* MARK: all stages */

static uint32_t halvings_of(uint32_t rate_hz) {
  uint32_t halvings = 0;
  while (rate_hz > VA_STAGE_RATE_MAX_HZ << halvings) halvings++;
  return halvings;
}

uint32_t va_resampler_stages(uint32_t rate_hz) {
  if (!va_is_input_rate(rate_hz)) return 0;
  uint32_t halvings = halvings_of(rate_hz);
  return halvings + (rate_hz != va_analysis_rate_hz(rate_hz) << halvings);
}

void va_resampler_init(va_resampler *resampler, uint32_t rate_hz) {
  uint32_t halvings = halvings_of(rate_hz);
  resampler->stage_count = va_resampler_stages(rate_hz);
  for (uint32_t stage = 0; stage < halvings; stage++) stage_init(&resampler->stages[stage], BANK_HALVE, 2, 1);
  if (resampler->stage_count > halvings)
    stage_init(&resampler->stages[halvings], bank_for(rate_hz, halvings), rate_hz, VA_RATE_HZ << halvings);
  va_resampler_restart(resampler, 0);
}

uint64_t va_resampler_restart(va_resampler *resampler, uint64_t position) {
  for (uint32_t s = 0; s < resampler->stage_count; s++)
    position = stage_restart(&resampler->stages[s], position);
  return position;
}

uint64_t va_resampler_input_before(const va_resampler *resampler, uint64_t outputs) {
  if (va_resampler_passes(resampler)) return outputs;
  const uint32_t halvings = resampler->stage_count - 1;
  const va_stage *stage = &resampler->stages[halvings];
  /* The last one lies at last · step / divisor; divided first, so that nothing overflows. */
  uint64_t step = (uint64_t)stage->step << halvings, last = outputs - 1;
  return last / stage->divisor * step + last % stage->divisor * step / stage->divisor + 1;
}

size_t va_resampler_input_for(const va_resampler *resampler, size_t room) {
  for (uint32_t s = resampler->stage_count; s > 0; s--) {
    const va_stage *stage = &resampler->stages[s - 1];
    size_t wanted = stage_input_for(stage, room), most = VA_STAGE_SPAN - stage->count;
    room = wanted < most ? wanted : most; /* what the stage before may make */
  }
  return room;
}

size_t va_resampler_process(va_resampler *resampler, const va_kernels *kernels, float *samples, size_t count,
                            float *out) {
  if (va_resampler_passes(resampler)) {
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

/* Saves or restores the samples kept and the phase. Returns the index of the next output, which follows from them: its
 * window begins with the samples kept, the last of which is the newest input sample, and it lies `phase` after the last
 * sample of the window. That time must be on the output grid, a multiple of step / divisor. */
static uint64_t stage_archive(va_stage *stage, uint64_t position, float most, va_archive *archive) {
  const uint16_t last = banks[stage->bank].taps - 1;
  va_archive_u16(archive, &stage->count, last);
  va_archive_floats(archive, stage->kept, stage->count, -most, most);
  va_archive_u32(archive, &stage->phase, stage->divisor - 1);
  va_archive_require(archive, position + last >= stage->count);
  uint64_t sample = position - stage->count + last;
  uint64_t whole = sample / stage->step; /* split as in stage_restart */
  uint64_t rest = sample % stage->step * stage->divisor + stage->phase;
  va_archive_require(archive, rest % stage->step == 0);
  return whole * stage->divisor + rest / stage->step;
}

uint64_t va_resampler_archive(va_resampler *resampler, uint64_t position, float most, va_archive *archive) {
  for (uint32_t s = 0; s < resampler->stage_count; s++)
    position = stage_archive(&resampler->stages[s], position, most, archive);
  return position;
}

float va_resampler_pass_hz(const va_resampler *resampler) {
  if (va_resampler_passes(resampler)) return VA_PASS_HZ;
  const va_stage *last = &resampler->stages[resampler->stage_count - 1];
  float rate = (float)VA_RATE_HZ * (float)last->step / (float)last->divisor;
  float pass = rate * banks[last->bank].pass;
  return pass < VA_PASS_HZ ? pass : VA_PASS_HZ;
}
