/* detector_state.h — everything that a detector remembers: one block without pointers, so that it can be copied. */
#ifndef VA_DETECTOR_STATE_H
#define VA_DETECTOR_STATE_H

#include <stdatomic.h>
#include <stddef.h>

#include "clarity.h"
#include "framer.h"
#include "geometry.h"
#include "hysteresis.h"
#include "level.h"
#include "mute_gate.h"
#include "posterior.h"
#include "quietness.h"
#include "resampler.h"
#include "speaker_level.h"
#include "voice_activity.h"

/* The part of the state that other threads may access: va_detector_status reads it, va_detector_set_muted writes
 * `muted`.
 *
 * Relaxed order is enough for every access. Each field has one writer at a time (the detector's thread, or whoever
 * mutes) and is stored whole; no field guards other memory, and readers are promised no consistency between fields.
 * Floats are stored as their bits, since C has no lock-free guarantee for atomic floats. */
typedef struct va_shared_status {
  _Atomic uint32_t state, posterior, power, floor_power;
  _Atomic uint64_t hops, clipped_samples, non_finite_samples, missing_samples;
  _Atomic bool muted;        /* the mute flag; va_mute_gate samples it once per hop */
  _Atomic bool muted_speech;
} va_shared_status;

/* The gap that has no discontinuity event yet. */
typedef struct va_gap {
  uint64_t position, length; /* input samples; length 0: there is none */
  uint64_t to_skip;          /* how many of its samples at the rate of the analysis the framer has not skipped yet */
} va_gap;

/* The samples of the newest va_detector_push_level. */
typedef struct va_level_run {
  uint64_t position; /* where they begin, input samples */
  uint64_t to_skip;  /* as in va_gap; they come before the samples of a gap */
  float rms;
  bool voice;
} va_level_run;

/* What is known of a hop, from its first sample until it is decided. */
typedef struct va_waiting_hop {
  float sum_of_squares, peak; /* PCM is added when the hop is complete, levels as they come */
  uint16_t level_samples;     /* how many of its samples came as levels */
  bool voice;                 /* one of these levels had the voice bit */
  bool missing;               /* part of the hop or all of it lies in a gap */
} va_waiting_hop;

/* The hops that wait for their look-ahead, and the one in progress. */
#define VA_WAITING (VA_LOOKAHEAD_HOPS + 1)

/* Hops in a row without evidence over which a decision is carried: a gap of 60 ms touches up to 7 hops, takes the
 * look-ahead of the hops before it, and leaves the window of 1 hop behind it incomplete. */
#define VA_CARRIED_HOPS (VA_LOOKAHEAD_HOPS + 7 + 1)
_Static_assert(VA_CARRIED_HOPS * VA_HOP_MS == 110, "voice_activity.h promises 110 ms");

/* va_detector.end before va_detector_flush. */
#define VA_NO_END UINT64_MAX

struct va_detector {
  va_config config;
  va_shared_status status;
  uint8_t simd;              /* va_simd: an index instead of a pointer, so that the state can be copied */
  uint8_t usable_bands;      /* va_bands_usable for the input's rate */
  uint8_t incomplete_steps;  /* since the last window without a hole, saturating at VA_FORGET_STEPS (hop.c) */
  uint8_t carried_hops;      /* decided in a row without evidence, saturating at VA_CARRIED_HOPS */
  bool flushed;              /* everything up to `end` is decided and reported */
  va_rises rises;
  uint64_t position;         /* input samples taken so far, gaps and levels included */
  uint64_t framed;           /* samples at the rate of the analysis framed or skipped so far */
  uint64_t hops;             /* hops that the framer has completed */
  uint64_t end;              /* the position at which the stream ended, or VA_NO_END */
  va_level_run level;
  va_gap gap;
  va_waiting_hop waiting[VA_WAITING]; /* hop n is at n % VA_WAITING; hop number `hops` is in progress */
  va_framer framer;
  va_posterior posterior;
  va_quietness quietness;
  va_speaker_level speaker_level;
  va_hysteresis hysteresis;
  va_mute_gate mute_gate;
  va_clarity clarity;
  va_resampler resampler; /* last: a detector has memory for the stages that its rate needs (va_detector_bytes) */
};

/* Where the part begins that only the detector's thread accesses, behind what never changes and what others access. */
#define VA_DETECTOR_PRIVATE offsetof(va_detector, simd)

/* The memory of a detector whose resampler has `stages` stages. */
static inline size_t va_detector_bytes(uint32_t stages) {
  return offsetof(va_detector, resampler.stages) + stages * sizeof(va_stage);
}

static inline const va_kernels *va_detector_kernels(const va_detector *d) { return va_kernels_of((va_simd)d->simd); }

static inline bool va_is_ended(const va_detector *d) { return d->end != VA_NO_END; }

/* The position of the newest input sample. va_stream_finish advances `position` beyond the end of the stream. */
static inline uint64_t va_input_position(const va_detector *d) { return d->position < d->end ? d->position : d->end; }

/* Hops decided so far: the others are waiting for their look-ahead. */
static inline uint64_t va_decided_hops(const va_detector *d) {
  return d->hops < VA_LOOKAHEAD_HOPS ? 0 : d->hops - VA_LOOKAHEAD_HOPS;
}

static inline va_waiting_hop *va_hop_in_progress(va_detector *d) { return &d->waiting[d->hops % VA_WAITING]; }

/* The input position at which the hop in progress is complete: behind its last sample at the rate of the analysis. */
static inline uint64_t va_hop_completion(const va_detector *d) {
  return va_resampler_input_before(&d->resampler, (d->hops + 1) * d->framer.length);
}

/* A hop that is waiting, or the one in progress. */
static inline const va_waiting_hop *va_waiting_hop_at(const va_detector *d, uint64_t hop) {
  return &d->waiting[hop % VA_WAITING];
}

/* The mean square of a complete hop. */
static inline float va_hop_power(const va_detector *d, const va_waiting_hop *hop) {
  return hop->sum_of_squares / (float)d->framer.length;
}

/* What is reported of it: nothing is known of a hop that lies in a gap. */
static inline float va_reported_power(const va_detector *d, const va_waiting_hop *hop) {
  return hop->missing ? 0 : va_hop_power(d, hop);
}

/* True if levels decide the hop: they cover half of it or more. */
static inline bool va_hop_follows_level(const va_detector *d, const va_waiting_hop *hop) {
  return !hop->missing && 2 * hop->level_samples >= d->framer.length;
}

#endif
