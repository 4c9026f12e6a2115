/* resampler.h — any rate from 8 to 192 kHz to 16 kHz.
 *
 * A cascade of polyphase FIR stages: the rate is halved while it is above 48 kHz, then one stage goes to exactly
 * 16 kHz. A stage's output m stands at input time m · step / divisor; its coefficients come from the
 * row of a bank nearest below that time, blended linearly with the next row (J. O. Smith, "Digital Audio
 * Resampling", https://ccrma.stanford.edu/~jos/resample/). Rates whose outputs fall on rows (8, 12, 24, 32, 48,
 * 96, 192 kHz …) need no blend. 16 kHz passes through.
 *
 * The kernel is cut at 8 kHz and its transition is 7 … 9 kHz (in proportion less where the rate is not a bank's
 * own: 44.1 kHz uses the 48 kHz bank, so 6.4 … 8.3), below 16 kHz at the input's Nyquist frequency ± 1/16 of the
 * rate. Whatever folds into or is mirrored within the pass band is at least 60 dB down. Output 0 stands at
 * input 0: the delay is half a kernel (2.3 ms at 8 kHz, 1 ms at 48 kHz), and is not in the positions.
 */
#ifndef VA_RESAMPLER_H
#define VA_RESAMPLER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "archive.h"
#include "kernels.h"

#define VA_RATE_HZ 16000u
#define VA_RATE_MIN_HZ 8000u
#define VA_RATE_MAX_HZ 192000u

/* Two halvings bring 192 kHz to 48 kHz. */
#define VA_RESAMPLER_STAGES 3

/* Samples that a stage looks at in one go: 10 ms at 48 kHz, and those before that it still needs. */
#define VA_STAGE_SPAN VA_DECIMATED_SPAN
#define VA_STAGE_KEPT 96

/* Up to so many outputs from one input sample to the next they stand on rows of their own, for it divides the phases of
 * every bank; `decimate` then makes them if they are not too far apart: 8, 24, 32, 48 kHz and their doubles. */
#define VA_FEW_ROWS 2

typedef struct va_stage {
  uint32_t step;    /* input samples per output: step / divisor, in lowest terms */
  uint32_t divisor;
  uint32_t phase;   /* time of the next output behind sample taps / 2 - 1 of those kept, in 1 / divisor of a sample */
  uint16_t count;   /* samples kept: the window of the next output begins with them, and is longer */
  uint8_t bank;     /* index into the banks */
  bool decimates;   /* by rows */
  va_tap_range used[VA_FEW_ROWS][VA_DECIMATED_STEP_MAX]; /* of these rows */
  float kept[VA_STAGE_KEPT];
} va_stage;

typedef struct va_resampler {
  uint32_t rate_hz;
  uint32_t stage_count; /* 0: pass through */
  va_stage stages[VA_RESAMPLER_STAGES];
} va_resampler;

/* rate_hz: VA_RATE_MIN_HZ … VA_RATE_MAX_HZ. */
void va_resampler_init(va_resampler *resampler, uint32_t rate_hz);

/* Starts anew at an absolute input position. Returns the index of the next 16 kHz output, the first that does
 * not stand before `position`. */
uint64_t va_resampler_restart(va_resampler *resampler, uint64_t position);

/* The least input position behind which the first `outputs` (at least 1) of the 16 kHz grid stand: the least that makes
 * va_resampler_restart return `outputs` or more. */
uint64_t va_resampler_input_before(const va_resampler *resampler, uint64_t outputs);

/* How many input samples (1 … VA_STAGE_SPAN) bring the next `room` outputs (1 … 160), or fewer where they are more than a
 * stage takes at a time. Below 16 kHz the last of them may bring one output more than `room`. */
size_t va_resampler_input_for(const va_resampler *resampler, size_t room);

/* Takes all `count` samples (at most va_resampler_input_for of the room in `out`, which has one float to
 * spare), returns how many outputs were written. VA_STAGE_KEPT floats before `samples` are overwritten, so that those kept
 * can stand before the new ones. Where nothing is resampled (va_resampler_passes), `samples` may be `out`, and nothing is
 * written but there. */
size_t va_resampler_process(va_resampler *resampler, const va_kernels *kernels, float *samples, size_t count,
                            float *out);

static inline bool va_resampler_passes(const va_resampler *resampler) { return resampler->stage_count == 0; }

/* Saves or restores what the stages remember, samples within ±most. `position` is the input's; returns the index of the
 * next 16 kHz output, which follows from it. */
uint64_t va_resampler_archive(va_resampler *resampler, uint64_t position, float most, va_archive *archive);

/* Upper edge of the undisturbed band in Hz, at most 7000. */
float va_resampler_pass_hz(const va_resampler *resampler);

#endif
