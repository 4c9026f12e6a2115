/* save.c — writes a stream's state to bytes and restores it, so that the stream can continue elsewhere.
 * The frame of these bytes is in saved.h.
 *
 * What follows from the settings is not saved but computed again, and the SIMD body is the restoring machine's. One
 * function per part lists its fields and their bounds for both directions: what was saved can be restored, and bytes
 * that no detector could have saved are refused.
 */
#include <stddef.h>
#include <string.h>

#include "detector_state.h"
#include "saved.h"
#include "status.h"

#define VA_SAVED_MAGIC 0x74734156u /* "VAst" */
#define VA_SAVED_FORMAT 10u

/* CRC-32 of the network's weights on x86-64, plain and beside an echo: another network cannot use this one's memory. A
 * test compares it with them. */
#define VA_SAVED_MODEL 0x837559c4u

static const va_saved_kind kind = {VA_SAVED_MAGIC, VA_SAVED_FORMAT, VA_SAVED_MODEL};

/* Samples: ±4, and a few dB more from each stage of the resampler. */
#define VA_SAMPLE_MAX 64.0f

/* More than the fullest state needs: three stages of resampling and a whole window. A test measures it. */
size_t va_detector_saved_size(void) { return VA_DETECTOR_SAVED_SIZE_MAX; }

/* MARK: parts */

/* The bounds here are wide, since va_detector_init checks the settings. */
static void archive_config(va_archive *a, va_config *config) {
  config->struct_size = sizeof *config;
  va_archive_u32(a, &config->sample_rate_hz, UINT32_MAX);
  /* contract: setting */
  va_archive_floats(a, &config->onset_threshold, 1, 0, 1);
  va_archive_floats(a, &config->offset_threshold, 1, 0, 1);
  va_archive_u32(a, &config->onset_debounce_ms, UINT32_MAX);
  va_archive_u32(a, &config->hangover_ms, UINT32_MAX);
  va_archive_u32(a, &config->mute_grace_ms, UINT32_MAX);
  va_archive_u32(a, &config->mute_carry_over_ms, UINT32_MAX);
  va_archive_u32(a, &config->muted_speech_hold_ms, UINT32_MAX);
  va_archive_u32(a, &config->muted_speech_release_ms, UINT32_MAX);
  /* contract end */
}

static void archive_waiting(va_archive *a, va_detector *d) {
  for (int i = 0; i < VA_WAITING; i++) {
    va_waiting_hop *hop = &d->waiting[i];
    va_archive_floats(a, &hop->sum_of_squares, 1, 0, VA_HOP * VA_SAMPLE_MAX * VA_SAMPLE_MAX);
    va_archive_floats(a, &hop->peak, 1, 0, VA_SAMPLE_MAX);
    va_archive_u16(a, &hop->level_samples, d->framer.length);
    va_archive_bool(a, &hop->voice);
    va_archive_bool(a, &hop->missing);
  }
}

/* Only samples up to `fill` are saved; the others are written before they are read. */
static void archive_framer(va_archive *a, va_framer *framer, uint64_t hops) {
  framer->hop = hops % VA_STEP_HOPS;
  va_archive_u16(a, &framer->fill, (uint16_t)(framer->length + VA_FRAMER_SPARE));
  va_archive_u16(a, &framer->fresh, VA_WINDOW);
  va_archive_floats(a, &framer->unit, 1, 0, VA_SAMPLE_MAX);
  va_archive_i16s(a, framer->past, va_framer_past(framer), -INT16_MAX, INT16_MAX);
  va_archive_floats(a, framer->samples, (size_t)framer->hop * framer->length + framer->fill, -VA_SAMPLE_MAX,
                    VA_SAMPLE_MAX);
}

/* Positions. The resampler's inputs and outputs lie on one grid, so its next output follows from its state. What lies
 * between the framer and that output remains to be skipped: first the level, then the gap. */
static void archive_position(va_archive *a, va_detector *d) {
  va_archive_u64(a, &d->position, VA_POSITION_MAX);
  va_archive_u64(a, &d->hops, VA_POSITION_MAX / VA_HOP);
  bool ended = va_is_ended(d);
  va_archive_bool(a, &ended);
  if (ended) va_archive_u64(a, &d->end, d->position);
  va_archive_bool(a, &d->flushed);
  va_archive_require(a, ended || !d->flushed);
  archive_framer(a, &d->framer, d->hops);
  uint64_t next = va_resampler_archive(&d->resampler, d->position, VA_SAMPLE_MAX, a);
  d->framed = d->hops * d->framer.length + d->framer.fill;
  va_archive_require(a, d->framed <= next);
  va_archive_u64(a, &d->level.to_skip, next - d->framed);
  d->gap.to_skip = next - d->framed - d->level.to_skip;
}

static void archive_gap_and_level(va_archive *a, va_detector *d) {
  uint64_t now = va_input_position(d);
  va_archive_u64(a, &d->level.position, d->position);
  va_archive_floats(a, &d->level.rms, 1, 0, 1);
  va_archive_bool(a, &d->level.voice);
  va_archive_u64(a, &d->gap.length, now);
  d->gap.position = now - d->gap.length; /* a gap ends at the newest sample */
  va_archive_u8(a, &d->incomplete_steps, UINT8_MAX);
  va_archive_u8(a, &d->carried_hops, VA_CARRIED_HOPS);
}

/* An array of arrays is contiguous: it is saved as one array. */
static void archive_posterior(va_archive *a, va_posterior *p) {
  va_noise_floor *floor = &p->noise_floor;
  va_archive_i16s(a, floor->smoothed, VA_BANDS, INT16_MIN, INT16_MAX);
  va_archive_i16s(a, floor->least, VA_BANDS, INT16_MIN, INT16_MAX);
  va_archive_i16s(a, &floor->minima[0][0], sizeof floor->minima / sizeof(int16_t), INT16_MIN, INT16_MAX);
  va_archive_u8(a, &floor->steps, VA_FLOOR_SPAN_STEPS);
  va_archive_u8(a, &floor->oldest, VA_FLOOR_SPANS - 2);
  va_archive_floats(a, &floor->power, 1, 0, VA_POWER_MAX);
  va_archive_bool(a, &floor->started);
  va_archive_floats(a, &p->loudness.db, 1, -VA_DB_MAX, VA_DB_MAX);
  va_archive_u32(a, &p->loudness.started, 1);
  va_archive_i16s(a, &p->network.frames[0][0], (VA_FILTER_FRAMES - 1) * VA_FRAME, -VA_FRAME_MOST, VA_FRAME_MOST);
  va_archive_u32(a, &p->network.next, VA_FILTER_FRAMES - 2);
  va_archive_floats(a, p->network.memory, VA_MEMORY, -1.00001f, 1.00001f); /* weighted means of tanh */
  va_archive_floats(a, &p->recent, 1, 0, 1);
  va_archive_u32(a, &p->quiet_hops, VA_QUIET_HOPS);
  va_archive_floats(a, p->decided, VA_STEP_HOPS, 0, 1);
}

static void archive_speaker_level(va_archive *a, va_speaker_level *level) {
  va_archive_floats(a, &level->present, 1, 0, VA_SPEAKER_POWER_MAX);
  va_archive_floats(a, &level->sum, 1, 0, VA_SPEAKER_POWER_MAX);
  va_archive_floats(a, &level->squares, 1, 0, VA_SPEAKER_POWER_MAX * VA_SPEAKER_POWER_MAX);
  va_archive_floats(a, &level->least, 1, 0, 1);
  va_archive_u16(a, &level->hops, VA_SPEAKER_MOST_HOPS);
}

static void archive_clarity(va_archive *a, va_clarity *clarity) {
  va_archive_u16(a, &clarity->own, VA_CLARITY_OWN_MAX);
  va_archive_require(a, clarity->own >= VA_CLARITY_FAR);
  va_archive_i16s(a, &clarity->evidence, 1, VA_CLARITY_MIN, VA_CLARITY_MAX);
}

static void archive_hysteresis(va_archive *a, va_hysteresis *h, uint64_t decided) {
  va_archive_u32(a, &h->state, VA_STATE_HANGOVER);
  va_archive_u32(a, &h->run, h->debounce_hops > h->hangover_hops ? h->debounce_hops : h->hangover_hops);
  va_archive_require(a, h->state != VA_STATE_PENDING_ONSET || h->run < h->debounce_hops);
  va_archive_require(a, h->state != VA_STATE_HANGOVER || h->run < h->hangover_hops);
  va_archive_u64(a, &h->onset, decided);
  va_archive_u64(a, &h->offset, decided);
}

static void archive_mute_gate(va_archive *a, va_mute_gate *gate, uint64_t hops) {
  va_archive_bool(a, &gate->muted);
  va_archive_bool(a, &gate->speaking);
  va_archive_require(a, gate->muted || !gate->speaking);
  va_archive_u64(a, &gate->muted_at, hops);
  va_archive_u64(a, &gate->began, hops);
  va_archive_u64(a, &gate->last_speech, hops);
}

static void archive_all(va_archive *a, va_detector *d) {
  archive_position(a, d);
  archive_gap_and_level(a, d);
  archive_waiting(a, d);
  archive_posterior(a, &d->posterior);
  for (int step = 0; step < VA_QUIETNESS_STEPS; step++) va_archive_u8(a, &d->quietness.weights[step], UINT8_MAX);
  archive_speaker_level(a, &d->speaker_level);
  archive_clarity(a, &d->clarity);
  va_archive_u16(a, &d->rises, VA_RISES_MOST);
  uint64_t decided = va_decided_hops(d);
  archive_hysteresis(a, &d->hysteresis, decided);
  archive_mute_gate(a, &d->mute_gate, d->hops);
  va_status_archive(a, d, decided);
}

/* MARK: the whole */

va_status_code va_detector_save(const va_detector *detector, void *bytes, size_t capacity, size_t *size) {
  if (!detector || !bytes || !size || capacity < VA_DETECTOR_SAVED_SIZE_MAX) return VA_ERROR_ARGUMENT;
  va_detector copy; /* archive_all takes a detector that it may write to, for both directions */
  copy.config = detector->config; /* the status is atomic, and another thread may be muting */
  va_status_copy(&copy, detector);
  const size_t used = va_detector_bytes(detector->resampler.stage_count);
  memcpy((char *)&copy + VA_DETECTOR_PRIVATE, (const char *)detector + VA_DETECTOR_PRIVATE,
         used - VA_DETECTOR_PRIVATE);
  va_archive fields = va_saved_open(bytes, capacity);
  archive_config(&fields, &copy.config);
  archive_all(&fields, &copy);
  return va_saved_close(kind, &fields, size);
}

va_status_code va_detector_restore(void *memory, size_t memory_size, const void *bytes, size_t size,
                                   va_detector **detector) {
  va_config config = {.struct_size = sizeof config};
  va_detector *d;
  if (!memory || !bytes || !detector) return VA_ERROR_ARGUMENT;
  va_archive fields;
  va_status_code code = va_saved_read(kind, bytes, size, &fields);
  if (code != VA_OK) return code;
  archive_config(&fields, &config);
  code = va_detector_init(memory, memory_size, &config, &d);
  if (code != VA_OK) return code == VA_ERROR_ARGUMENT ? code : VA_ERROR_SAVED_DATA;
  archive_all(&fields, d);
  if (!va_saved_is_whole(&fields)) return VA_ERROR_SAVED_DATA;
  *detector = d;
  return VA_OK;
}
