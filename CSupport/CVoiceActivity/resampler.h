/* resampler.h — converts any rate from 8 to 192 kHz to 16 kHz.
 *
 * A cascade of polyphase FIR stages: the rate is halved while it is above 48 kHz, then one stage converts it to exactly
 * 16 kHz. Output m of a stage lies at the input time m · step / divisor. Its coefficients are the row of a bank nearest
 * below that time, blended linearly with the next row (J. O. Smith, "Digital Audio Resampling",
 * https://ccrma.stanford.edu/~jos/resample/). Rates whose outputs fall on rows (8, 12, 24, 32, 48, 96, 192 kHz …) need
 * no blend. 16 kHz passes through.
 *
 * The cutoff is 8 kHz and the transition band 7 … 9 kHz, or proportionally less where the rate is not a bank's own:
 * 44.1 kHz uses the 48 kHz bank, so its transition band is 6.4 … 8.3 kHz. Below 16 kHz the cutoff is the input's
 * Nyquist frequency and the transition band ± 1/16 of the rate. Aliases and images in the pass band are at least 60 dB
 * down. Output 0 lies at input 0: positions do not include the delay of half a kernel (2.3 ms at 8 kHz, 1 ms at 48
 * kHz).
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
 * short enough: at 8, 24, 32, 48 kHz and their doubles. Every bank has a row for each of these phases. */
#define VA_FEW_ROWS 2

typedef struct va_stage {
  uint32_t step; /* input samples per output: step / divisor, in lowest terms */
  uint32_t divisor;
  uint32_t phase; /* time of the next output after sample taps / 2 - 1 of those kept, in 1 / divisor of a sample */
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

/* rate_hz: VA_SAMPLE_RATE_MIN_HZ … VA_SAMPLE_RATE_MAX_HZ. */
void va_resampler_init(va_resampler *resampler, uint32_t rate_hz);

/* Restarts at an absolute input position, as if silence came before it. Returns the index of the next 16 kHz output,
 * the first one that does not lie before `position`. */
uint64_t va_resampler_restart(va_resampler *resampler, uint64_t position);

/* Returns the least input position for which va_resampler_restart returns `outputs` (at least 1) or more: the first
 * `outputs` of the 16 kHz grid lie before it. */
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

/* True if the input has 16 kHz and needs no resampling. */
static inline bool va_resampler_passes(const va_resampler *resampler) { return resampler->stage_count == 0; }

/* Saves or restores what the stages remember; samples are within ±most. `position` is the input's. Returns the index of
 * the next 16 kHz output. */
uint64_t va_resampler_archive(va_resampler *resampler, uint64_t position, float most, va_archive *archive);

/* Returns the upper edge of the undisturbed band in Hz, at most VA_PASS_HZ. */
float va_resampler_pass_hz(const va_resampler *resampler);

#endif
