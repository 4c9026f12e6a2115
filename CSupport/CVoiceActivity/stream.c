#include "stream.h"

#include <string.h>

#include "hop.h"
#include "level.h"
#include "results.h"
#include "status.h"

/* Hops of a gap that one call decides before it returns: 10 s of sound, about 0.2 ms of work. voice_activity.h promises
 * it. */
#define VA_SKIPPED_HOPS_PER_CALL (10 * VA_HOPS_PER_SECOND)

/* MARK: PCM */

/* How many of `count` input samples complete at most the hop in progress. */
static size_t portion(const va_detector *d, size_t count) {
  size_t room = va_framer_room(&d->framer);
  size_t wanted = room > 0 ? va_resampler_input_for(&d->resampler, room) : (size_t)(va_hop_completion(d) - d->position);
  return count < wanted ? count : wanted;
}

/* Writes the next `count` samples of the input to `clean`: finite, limited, and free of denormal numbers. */
static void read_clean(va_detector *d, const va_input *input, size_t count, float *clean) {
  const va_kernels *kernels = va_detector_kernels(d);
  const float *f32 = input->f32 ? input->f32 + input->done : NULL;
  if (!f32 && !input->s16) {
    memset(clean, 0, count * sizeof(float));
  } else if (f32) {
    if (!kernels->copy_clean(f32, count, clean)) va_publish_counts(d, va_sanitize(f32, count, clean), 0);
  } else {
    va_input_counts counts = {.clipped = kernels->from_16_bits(input->s16 + input->done, count, clean)};
    va_publish_counts(d, counts, 0);
  }
}

/* Takes as many samples of the input as `portion` allows. The resampler needs room before the samples; where it passes
 * them through, they are written straight to the framer. */
static void feed(va_detector *d, va_input *input) {
  float span[VA_STAGE_KEPT + VA_STAGE_SPAN];
  float *tail = va_framer_tail(&d->framer);
  float *samples = va_resampler_passes(&d->resampler) ? tail : span + VA_STAGE_KEPT;
  size_t count = portion(d, input->count - input->done);
  read_clean(d, input, count, samples);
  size_t framed = va_resampler_process(&d->resampler, va_detector_kernels(d), samples, count, tail);
  va_framer_commit(&d->framer, framed);
  d->position += count;
  d->framed += framed;
  input->done += count;
}

/* MARK: gaps and levels */

/* Skips at most `count` samples of the hop in progress; returns how many. */
static size_t skip(va_detector *d, uint64_t count) {
  size_t skipped = va_framer_skip(&d->framer, count);
  d->framed += skipped;
  return skipped;
}

static void skip_level(va_detector *d) {
  va_waiting_hop *hop = va_hop_in_progress(d);
  const float rms = d->level.rms;
  size_t skipped = skip(d, d->level.to_skip);
  d->level.to_skip -= skipped;
  hop->level_samples = (uint16_t)(hop->level_samples + skipped); /* at most framer.length */
  hop->voice |= d->level.voice;
  hop->sum_of_squares += (float)skipped * rms * rms;
  hop->peak = rms > hop->peak ? rms : hop->peak; /* the least that the peak can be */
}

static void skip_gap(va_detector *d) {
  va_hop_in_progress(d)->missing = true;
  d->gap.to_skip -= skip(d, d->gap.to_skip);
}

/* Restarts the resampler `count` input samples later. Returns how many samples at the rate of the analysis lie
 * between the framer and the resampler's next output. */
static uint64_t leap(va_detector *d, uint64_t count) {
  d->position += count;
  return va_resampler_restart(&d->resampler, d->position) - d->framed;
}

void va_stream_add_gap(va_detector *d, uint64_t count) {
  if (count == 0) return;
  if (d->gap.length == 0) d->gap.position = d->position;
  d->gap.length += count;
  d->gap.to_skip = leap(d, count) - d->level.to_skip;
  va_publish_counts(d, (va_input_counts){0}, count);
}

void va_stream_add_level(va_detector *d, uint64_t count, float rms, bool voice) {
  d->level = (va_level_run){.position = d->position, .rms = rms, .voice = voice};
  d->level.to_skip = leap(d, count);
}

/* MARK: hops */

static bool is_skipping(const va_detector *d) { return d->level.to_skip > 0 || d->gap.to_skip > 0; }

/* If a hop were analysed before the time of its last sample, a reference that comes with the input would be late. */
static bool has_complete_hop(const va_detector *d) {
  if (va_framer_room(&d->framer) > 0) return false;
  return !va_resampler_is_early(&d->resampler) || is_skipping(d) || d->position >= va_hop_completion(d);
}

bool va_stream_is_drained(const va_detector *d) { return !has_complete_hop(d) && !is_skipping(d); }

/* A hop is complete: may this call analyse it? */
static va_stream_need need_of_hop(const va_detector *d, va_input *input, const va_output *output) {
  if (!va_has_room(output)) return VA_NEEDS_CALL;
  if (!is_skipping(d)) return VA_NEEDS_ANALYSIS;
  if (input->skipped_hops == VA_SKIPPED_HOPS_PER_CALL) return VA_NEEDS_CALL;
  input->skipped_hops++;
  return VA_NEEDS_ANALYSIS;
}

va_stream_need va_stream_advance(va_detector *d, va_input *input, va_output *output) {
  while (!has_complete_hop(d)) {
    if (d->level.to_skip > 0) {
      skip_level(d);
    } else if (d->gap.to_skip > 0) {
      skip_gap(d);
    } else if (input->done == input->count) {
      return VA_NEEDS_INPUT;
    } else if (d->gap.length > 0) {
      if (!va_has_room(output)) return VA_NEEDS_CALL;
      va_close_gap(d, output);
    } else {
      feed(d, input);
    }
  }
  return need_of_hop(d, input, output);
}

void va_stream_process(va_detector *d, va_input *input, va_output *output) {
  va_stream_need need = va_stream_advance(d, input, output);
  while (need == VA_NEEDS_ANALYSIS) {
    va_analyse_hops(&d, &input->echo, &output, 1, &(va_ahead){.item = NULL});
    need = va_stream_advance(d, input, output);
  }
  output->more = need == VA_NEEDS_CALL;
}

bool va_stream_finish(va_detector *d, va_echo *echo, va_output *output) {
  const uint64_t whole_hops = va_whole_hops(d->config.sample_rate_hz, d->end);
  va_stream_process(d, &(va_input){.echo = echo}, output);
  while (va_stream_is_drained(d) && va_decided_hops(d) < whole_hops) {
    feed(d, &(va_input){.count = VA_STAGE_SPAN}); /* zeros, up to the end of the hop in progress */
    va_stream_process(d, &(va_input){.echo = echo}, output);
  }
  return va_stream_is_drained(d);
}
