#include "status.h"

#include <string.h>

/* Relaxed: no field is used to reach another. */
#define VA_STORE(field, value) atomic_store_explicit(&d->status.field, value, memory_order_relaxed)
#define VA_LOAD(field) atomic_load_explicit(&d->status.field, memory_order_relaxed)

static uint32_t bits_of(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static float float_of(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

void va_publish_start(va_detector *d) {
  const va_hop nothing = {.level_dbfs = VA_LEVEL_MIN_DB, .noise_floor_dbfs = VA_LEVEL_MIN_DB};
  va_publish_hop(d, &nothing, 0);
  VA_STORE(clipped_samples, 0);
  VA_STORE(non_finite_samples, 0);
  VA_STORE(missing_samples, 0);
}

void va_publish_hop(va_detector *d, const va_hop *record, uint64_t hops) {
  VA_STORE(state, record->state);
  VA_STORE(posterior, bits_of(record->posterior));
  VA_STORE(level_dbfs, bits_of(record->level_dbfs));
  VA_STORE(noise_floor_dbfs, bits_of(record->noise_floor_dbfs));
  VA_STORE(muted_speech, (record->flags & VA_HOP_MUTED_SPEECH) != 0);
  VA_STORE(hops, hops);
}

void va_publish_counts(va_detector *d, va_input_counts counts, uint64_t missing) {
  if (counts.clipped) VA_STORE(clipped_samples, VA_LOAD(clipped_samples) + counts.clipped);
  if (counts.non_finite) VA_STORE(non_finite_samples, VA_LOAD(non_finite_samples) + counts.non_finite);
  if (missing) VA_STORE(missing_samples, VA_LOAD(missing_samples) + missing);
}

void va_publish_end(va_detector *d) {
  VA_STORE(state, VA_STATE_SILENCE);
  VA_STORE(muted_speech, false);
}

void va_status_copy(va_detector *to, const va_detector *from) {
  va_detector *d = to;
  const va_shared_status *s = &from->status;
#define VA_COPY(field) VA_STORE(field, atomic_load_explicit(&s->field, memory_order_relaxed))
  VA_COPY(state), VA_COPY(posterior), VA_COPY(level_dbfs), VA_COPY(noise_floor_dbfs);
  VA_COPY(hops), VA_COPY(clipped_samples), VA_COPY(non_finite_samples), VA_COPY(missing_samples);
  VA_COPY(muted), VA_COPY(muted_speech);
#undef VA_COPY
}

void va_status_archive(va_archive *archive, va_detector *d, uint64_t hops) {
  va_hop last = {
      .posterior = float_of(VA_LOAD(posterior)),
      .level_dbfs = float_of(VA_LOAD(level_dbfs)),
      .noise_floor_dbfs = float_of(VA_LOAD(noise_floor_dbfs)),
      .state = (uint8_t)d->hysteresis.state,
      .flags = d->mute_gate.speaking ? VA_HOP_MUTED_SPEECH : 0,
  };
  uint64_t clipped = VA_LOAD(clipped_samples), non_finite = VA_LOAD(non_finite_samples), missing = VA_LOAD(missing_samples);
  bool muted = va_is_muted(d);
  va_archive_floats(archive, &last.posterior, 1, 0, 1);
  va_archive_floats(archive, &last.level_dbfs, 1, VA_LEVEL_MIN_DB, VA_LEVEL_MAX_DB);
  va_archive_floats(archive, &last.noise_floor_dbfs, 1, VA_LEVEL_MIN_DB, VA_LEVEL_MAX_DB);
  va_archive_u64(archive, &clipped, UINT64_MAX);
  va_archive_u64(archive, &non_finite, UINT64_MAX);
  va_archive_u64(archive, &missing, UINT64_MAX);
  va_archive_bool(archive, &muted);
  va_publish_hop(d, &last, hops);
  VA_STORE(clipped_samples, clipped);
  VA_STORE(non_finite_samples, non_finite);
  VA_STORE(missing_samples, missing);
  VA_STORE(muted, muted);
}

bool va_is_muted(const va_detector *d) { return VA_LOAD(muted); }

void va_detector_set_muted(va_detector *d, bool muted) { VA_STORE(muted, muted); }

va_status_code va_detector_status(const va_detector *d, va_status *status) {
  if (!d || !status) return VA_ERROR_ARGUMENT;
  if (status->struct_size != sizeof *status) return VA_ERROR_STRUCT_SIZE;
  uint32_t state = VA_LOAD(state);
  bool muted = VA_LOAD(muted);
  float level = float_of(VA_LOAD(level_dbfs));
  *status = (va_status){
      .struct_size = sizeof *status,
      .state = state,
      .is_speech = state == VA_STATE_SPEECH || state == VA_STATE_HANGOVER,
      .is_muted = muted,
      .is_muted_speech = muted && VA_LOAD(muted_speech),
      .level_dbov = va_dbov(level),
      .posterior = float_of(VA_LOAD(posterior)),
      .level_dbfs = level,
      .noise_floor_dbfs = float_of(VA_LOAD(noise_floor_dbfs)),
      .hops = VA_LOAD(hops),
      .clipped_samples = VA_LOAD(clipped_samples),
      .non_finite_samples = VA_LOAD(non_finite_samples),
      .missing_samples = VA_LOAD(missing_samples),
  };
  return VA_OK;
}
