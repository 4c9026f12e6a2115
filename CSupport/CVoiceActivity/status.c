#include "status.h"

#include <string.h>

#include "saved.h"

/* Relaxed order is enough: va_shared_status says why. */
#define VA_STORE(d, field, value) atomic_store_explicit(&(d)->status.field, value, memory_order_relaxed)
#define VA_LOAD(d, field) atomic_load_explicit(&(d)->status.field, memory_order_relaxed)

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

/* MARK: the detector's thread */

/* Powers: they become decibels only when a host asks for them. */
static void publish(va_detector *d, float posterior, float power, float floor_power, uint64_t hops) {
  VA_STORE(d, state, d->hysteresis.state);
  VA_STORE(d, posterior, bits_of(posterior));
  VA_STORE(d, power, bits_of(power));
  VA_STORE(d, floor_power, bits_of(floor_power));
  VA_STORE(d, muted_speech, d->mute_gate.speaking);
  VA_STORE(d, hops, hops);
}

void va_publish_start(va_detector *d) {
  publish(d, 0, 0, 0, 0);
  VA_STORE(d, clipped_samples, 0);
  VA_STORE(d, non_finite_samples, 0);
  VA_STORE(d, missing_samples, 0);
}

void va_publish_hop(va_detector *d, float posterior, float power, uint64_t hops) {
  publish(d, posterior, power, d->posterior.noise_floor.power, hops);
}

/* A load and a store instead of an atomic addition: only the detector's thread writes the counts. */
void va_publish_counts(va_detector *d, va_input_counts counts, uint64_t missing) {
  if (counts.clipped) VA_STORE(d, clipped_samples, VA_LOAD(d, clipped_samples) + counts.clipped);
  if (counts.non_finite) VA_STORE(d, non_finite_samples, VA_LOAD(d, non_finite_samples) + counts.non_finite);
  if (missing) VA_STORE(d, missing_samples, VA_LOAD(d, missing_samples) + missing);
}

void va_publish_end(va_detector *d) {
  VA_STORE(d, state, VA_STATE_SILENCE);
  VA_STORE(d, muted_speech, false);
}

void va_status_copy(va_detector *to, const va_detector *from) {
#define VA_COPY(field) VA_STORE(to, field, VA_LOAD(from, field))
  VA_COPY(state), VA_COPY(posterior), VA_COPY(power), VA_COPY(floor_power);
  VA_COPY(hops), VA_COPY(clipped_samples), VA_COPY(non_finite_samples), VA_COPY(missing_samples);
  VA_COPY(muted), VA_COPY(muted_speech);
#undef VA_COPY
}

void va_status_archive(va_archive *archive, va_detector *d, uint64_t hops) {
  float posterior = float_of(VA_LOAD(d, posterior)), power = float_of(VA_LOAD(d, power));
  float floor_power = float_of(VA_LOAD(d, floor_power));
  uint64_t clipped = VA_LOAD(d, clipped_samples), non_finite = VA_LOAD(d, non_finite_samples);
  uint64_t missing = VA_LOAD(d, missing_samples);
  bool muted = va_is_muted(d);
  va_archive_floats(archive, &posterior, 1, 0, 1);
  va_archive_floats(archive, &power, 1, 0, VA_POWER_MAX);
  va_archive_floats(archive, &floor_power, 1, 0, VA_POWER_MAX);
  va_archive_u64(archive, &clipped, UINT64_MAX);
  va_archive_u64(archive, &non_finite, UINT64_MAX);
  va_archive_u64(archive, &missing, UINT64_MAX);
  va_archive_bool(archive, &muted);
  publish(d, posterior, power, floor_power, hops);
  VA_STORE(d, clipped_samples, clipped);
  VA_STORE(d, non_finite_samples, non_finite);
  VA_STORE(d, missing_samples, missing);
  VA_STORE(d, muted, muted);
}

bool va_is_muted(const va_detector *d) { return VA_LOAD(d, muted); }

/* MARK: any thread */

void va_detector_set_muted(va_detector *d, bool muted) { VA_STORE(d, muted, muted); }

/* is_muted_speech is the newest hop's and the mute flag's, so that it is false as soon as the user unmutes, before the
 * detector's thread has seen it. */
va_status_code va_detector_status(const va_detector *d, va_status *status) {
  if (!d || !status) return VA_ERROR_ARGUMENT;
  if (status->struct_size != sizeof *status) return VA_ERROR_STRUCT_SIZE;
  uint32_t state = VA_LOAD(d, state);
  bool muted = VA_LOAD(d, muted);
  float level = va_reported_db(float_of(VA_LOAD(d, power)));
  *status = (va_status){
      .struct_size = sizeof *status,
      .state = state,
      .is_speech = va_state_is_speech(state),
      .is_muted = muted,
      .is_muted_speech = muted && VA_LOAD(d, muted_speech),
      .level_dbov = va_dbov(level),
      .posterior = float_of(VA_LOAD(d, posterior)),
      .level_dbfs = level,
      .noise_floor_dbfs = va_reported_db(float_of(VA_LOAD(d, floor_power))),
      .hops = VA_LOAD(d, hops),
      .clipped_samples = VA_LOAD(d, clipped_samples),
      .non_finite_samples = VA_LOAD(d, non_finite_samples),
      .missing_samples = VA_LOAD(d, missing_samples),
  };
  return VA_OK;
}
