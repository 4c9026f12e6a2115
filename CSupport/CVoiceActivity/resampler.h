/* resampler.h — converts any rate above 8 kHz, up to 192 kHz, to 16 kHz. 8 and 16 kHz pass through.
 *
 * A cascade of polyphase FIR stages: the rate is halved while it is above 48 kHz, then one stage converts it to exactly
 * 16 kHz. Output m of a stage lies at the input time m · step / divisor. Its coefficients are a row of a bank.
 *  - At 24, 32 and 48 kHz, one or two rows make all outputs, a vector of them at a time.
 *  - At 44.1 kHz, the bank has a row for each of the 160 phases.
 *  - At other rates, the row nearest below the output's time is blended linearly with the next one (J. O. Smith,
 *    "Digital Audio Resampling", https://ccrma.stanford.edu/~jos/resample/).
 *
 * The cutoff is 8 kHz and the transition band 6.5 … 9.5 kHz, or proportionally less where the rate is not a bank's own:
 * 37.8 kHz uses the 48 kHz bank, so its transition band is 5.1 … 7.5 kHz. Below 16 kHz the cutoff is the input's
 * Nyquist frequency and the transition band ± 1/16 of the rate. Aliases and images in the pass band are at least 48 dB
 * down, which is enough for the features and needs a kernel of 1 ms only, or 2 ms between 24 and 32 kHz.
 *
 * An output needs no later input: it is delayed by half a kernel, 0.5 to 0.7 ms at 24 kHz and at the rates above
 * 32 kHz, and at most 1.5 ms below. Positions leave this delay out: output m has the position m · step / divisor.
 */
#ifndef VA_RESAMPLER_H
#define VA_RESAMPLER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "archive.h"
#include "geometry.h"
#include "kernels.h"

/* Two halvings bring 192 kHz to 48 kHz. */
#define VA_RESAMPLER_STAGES 3

/* A stage with at most this many different phases takes each one's outputs together, with `decimate`, if its step is
 * short enough: at 24, 32, 48 kHz and their doubles. Its bank has just the rows for these phases. */
#define VA_FEW_ROWS 2

typedef struct va_stage {
  uint32_t step; /* input samples per output: step / divisor, in lowest terms */
  uint32_t divisor;
  uint32_t phase; /* time of the next output after the last sample of its window, in 1 / divisor of a sample */
  uint16_t count; /* samples kept: the first ones of the next output's window, which is longer */
  uint8_t bank;   /* index into the banks */
  bool decimates; /* the stage has VA_FEW_ROWS phases or fewer, and a short step */
  va_tap_range used[VA_FEW_ROWS][VA_DECIMATED_STEP_MAX]; /* the taps that are not 0, by phase and place in a step */
  float kept[VA_STAGE_KEPT];
} va_stage;

typedef struct va_resampler {
  uint32_t stage_count; /* 0: pass through */
  va_stage stages[VA_RESAMPLER_STAGES];
} va_resampler;

/* How many stages a rate needs: 0 … VA_RESAMPLER_STAGES, and 0 for a rate outside the range below. */
uint32_t va_resampler_stages(uint32_t rate_hz);

/* rate_hz: VA_SAMPLE_RATE_MIN_HZ … VA_SAMPLE_RATE_MAX_HZ. It touches no more stages than the rate needs. */
void va_resampler_init(va_resampler *resampler, uint32_t rate_hz);

/* Restarts at an absolute input position, as if silence came before it. Returns the index of the next 16 kHz output,
 * the first one that does not lie before `position`. */
uint64_t va_resampler_restart(va_resampler *resampler, uint64_t position);

/* Returns the least input position that the first `outputs` (at least 1) of the 16 kHz grid lie before. */
uint64_t va_resampler_input_before(const va_resampler *resampler, uint64_t outputs);

/* Returns how many input samples (1 … VA_STAGE_SPAN) make the next `room` outputs (1 … VA_HOP), or as many of them as a
 * stage makes at a time. Below 16 kHz they may make one output more. */
size_t va_resampler_input_for(const va_resampler *resampler, size_t room);

/* Resamples `count` samples, at most va_resampler_input_for of the room in `out`; `out` needs room for one float more.
 * Returns how many outputs it wrote.
 *
 * The VA_STAGE_KEPT floats before `samples` must belong to the caller: they are overwritten with the samples kept from
 * before. If va_resampler_passes, they are left alone, and `samples` may equal `out`. */
size_t va_resampler_process(va_resampler *resampler, const va_kernels *kernels, float *samples, size_t count,
                            float *out);

/* True if the input has 16 or 8 kHz and needs no resampling. */
static inline bool va_resampler_passes(const va_resampler *resampler) { return resampler->stage_count == 0; }

/* True if an output may be made up to 3 input samples before its time: if it lies between samples of a halved rate. */
static inline bool va_resampler_is_early(const va_resampler *resampler) {
  return resampler->stage_count > 1 && resampler->stages[resampler->stage_count - 1].divisor > 1;
}

/* Saves or restores what the stages remember; samples are within ±most. `position` is the input's. Returns the index of
 * the next 16 kHz output. */
uint64_t va_resampler_archive(va_resampler *resampler, uint64_t position, float most, va_archive *archive);

/* Returns the upper edge of the undisturbed band in Hz, at most VA_PASS_HZ. */
float va_resampler_pass_hz(const va_resampler *resampler);

#endif
