#include "stream.h"

#include <string.h>

#include "hop.h"
#include "level.h"
#include "results.h"
#include "status.h"

/* Hops that nobody heard and that one call decides before it returns to the caller: 10 s, about 0.2 ms of work. */
#define VA_SKIPPED_HOPS_PER_CALL 1000

/* MARK: samples that were heard */

/* How many of `count` input samples can go on without completing more than the hop in progress. */
static size_t portion(const va_detector *d, size_t count) {
  size_t wanted = va_resampler_input_for(&d->resampler, va_framer_room(&d->framer));
  return count < wanted ? count : wanted;
}

/* Clean samples, as many as `portion` allows, into the framer. */
static void frame(va_detector *d, float *samples, size_t count) {
  float *tail = va_framer_tail(&d->framer);
  size_t framed = va_resampler_process(&d->resampler, va_detector_kernels(d), samples, count, tail);
  va_framer_commit(&d->framer, framed);
  d->position += count;
  d->position_16k += framed;
}

/* Of an input that has no samples, as many zeros. */
static void feed(va_detector *d, va_input *input) {
  size_t part = portion(d, input->count - input->done);
  const float *f32 = input->f32 ? input->f32 + input->done : NULL;
  float span[VA_STAGE_KEPT + VA_STAGE_SPAN];
  float *clean = va_resampler_passes(&d->resampler) ? va_framer_tail(&d->framer) : span + VA_STAGE_KEPT;
  if (!f32 && !input->s16) {
    memset(clean, 0, part * sizeof(float));
  } else if (f32 && va_detector_kernels(d)->is_clean(f32, part)) {
    memcpy(clean, f32, part * sizeof(float));
  } else {
    va_input_counts counts = {0};
    if (f32)
      counts = va_sanitize(f32, part, clean);
    else
      counts.clipped = va_detector_kernels(d)->from_16_bits(input->s16 + input->done, part, clean);
    va_publish_counts(d, counts, 0);
  }
  frame(d, clean, part);
  input->done += part;
}

/* MARK: samples that were not */

static size_t skip(va_detector *d, uint64_t count) {
  size_t skipped = va_framer_skip(&d->framer, count);
  d->position_16k += skipped;
  return skipped;
}

static void skip_told(va_detector *d) {
  va_waiting_hop *hop = &d->waiting[d->hops % VA_WAITING];
  size_t skipped = skip(d, d->told.owed_16k);
  d->told.owed_16k -= skipped;
  hop->told = (uint16_t)(hop->told + skipped);
  hop->voice |= d->told.voice;
  hop->sum_of_squares += (float)skipped * d->told.rms * d->told.rms;
  hop->peak = d->told.rms > hop->peak ? d->told.rms : hop->peak; /* the least that the peak can have been */
}

static void skip_missing(va_detector *d) {
  d->waiting[d->hops % VA_WAITING].missing = true;
  d->owed_16k -= skip(d, d->owed_16k);
}

/* The grid goes on behind `count` samples; returns how many of its own stand among them. */
static uint64_t leap(va_detector *d, uint64_t count) {
  d->position += count;
  return va_resampler_restart(&d->resampler, d->position) - d->position_16k;
}

void va_stream_miss(va_detector *d, uint64_t count) {
  if (count == 0) return;
  if (d->gap.length == 0) d->gap.position = d->position;
  d->gap.length += count;
  d->owed_16k = leap(d, count) - d->told.owed_16k;
  va_publish_counts(d, (va_input_counts){0}, count);
}

void va_stream_tell(va_detector *d, uint64_t count, float rms, bool voice) {
  d->told = (va_told){.position = d->position, .rms = rms, .voice = voice};
  d->told.owed_16k = leap(d, count);
}

/* MARK: hops */

bool va_stream_is_drained(const va_detector *d) {
  return va_framer_room(&d->framer) > 0 && d->told.owed_16k == 0 && d->owed_16k == 0;
}

bool va_stream_next_hop(va_detector *d, va_input *input, va_output *output) {
  for (;;) {
    bool skipping = d->told.owed_16k > 0 || d->owed_16k > 0;
    if (va_framer_room(&d->framer) == 0) {
      if (!va_has_room(output)) return false;
      if (skipping && input->skipped_hops++ == VA_SKIPPED_HOPS_PER_CALL) return !(output->more = true);
      return true;
    }
    if (d->told.owed_16k > 0) {
      skip_told(d);
    } else if (skipping) {
      skip_missing(d);
    } else {
      if (input->done == input->count || (d->gap.length && !va_has_room(output))) return false;
      va_close_gap(d, output);
      feed(d, input);
    }
  }
}

void va_stream_take(va_detector *d, va_input *input, va_output *output) {
  while (va_stream_next_hop(d, input, output)) va_analyse_hops(&d, &output, 1);
}

bool va_stream_finish(va_detector *d, va_output *output) {
  const uint64_t hops_per_second = 1000 / VA_HOP_MS, rate = d->config.sample_rate_hz;
  const uint64_t whole = d->end / rate * hops_per_second + d->end % rate * hops_per_second / rate;
  va_input nothing = {.count = 0};
  for (;;) {
    va_stream_take(d, &nothing, output);
    if (!va_stream_is_drained(d)) return false;
    if (d->hops >= whole + VA_LOOKAHEAD_HOPS) return true;
    feed(d, &(va_input){.count = VA_STAGE_SPAN});
  }
}
