/* detector_state.h — everything a detector remembers: one block, without pointers. */
#ifndef VA_DETECTOR_STATE_H
#define VA_DETECTOR_STATE_H

#include <stdatomic.h>

#include "framer.h"
#include "hysteresis.h"
#include "level.h"
#include "mute_gate.h"
#include "posterior.h"
#include "resampler.h"
#include "voice_activity.h"

/* What va_detector_status reads from other threads. Each field is stored whole; all stores are relaxed, since no
 * field is used to reach another. Floats travel as their bits. */
typedef struct va_shared_status {
  _Atomic uint32_t state, posterior, level_dbfs, noise_floor_dbfs;
  _Atomic uint64_t hops, clipped_samples, non_finite_samples, missing_samples;
  _Atomic bool muted;        /* written by va_detector_set_muted, read once per hop */
  _Atomic bool muted_speech;
} va_shared_status;

/* The missing samples that no event has told of yet. */
typedef struct va_gap {
  uint64_t position, length; /* input samples; length 0: none */
} va_gap;

/* Samples that were not heard but told of, by va_detector_push_level. */
typedef struct va_told {
  uint64_t position; /* where they begin, input samples */
  uint64_t owed_16k; /* how many of the 16 kHz grid are not yet skipped; they come before the missing ones */
  float rms;
  bool voice;
} va_told;

/* What is known of a hop, from its first sample until it is decided. */
typedef struct va_waiting_hop {
  float sum_of_squares, peak; /* until it is complete, of what was told alone */
  uint16_t told;              /* how many of its samples were told of */
  bool voice;                 /* … and some of them as voice */
  bool missing;               /* it lies in a gap, wholly or in part */
} va_waiting_hop;

/* Half of a hop or more that was told of makes the whole of it told. */
static inline bool va_is_told(const va_waiting_hop *hop) { return !hop->missing && 2 * hop->told >= VA_HOP; }

#define VA_WAITING (VA_LOOKAHEAD_HOPS + 1)

/* Hops in a row without evidence over which a decision is carried. A gap of 60 ms touches up to 7 hops, takes the
 * look-ahead of the 3 before it, and leaves 1 behind it without a whole window. */
#define VA_CARRIED_HOPS (VA_LOOKAHEAD_HOPS + 7 + 1)

struct va_detector {
  va_config config;
  uint32_t simd;             /* va_simd: an index, so that the state can be copied */
  uint32_t usable_bands;
  uint32_t steps_unheard;    /* since the last whole window */
  uint32_t carried_hops;     /* decided in a row without evidence, saturating at VA_CARRIED_HOPS */
  uint64_t position;         /* input samples taken or missing so far */
  uint64_t position_16k;     /* samples of the 16 kHz grid framed or skipped so far */
  uint64_t owed_16k;         /* samples of that grid that are missing and not yet skipped */
  uint64_t hops;             /* hops completed by the framer; decisions are VA_LOOKAHEAD_HOPS behind */
  uint64_t end;              /* where the stream ended; UINT64_MAX before va_detector_flush */
  bool flushed;              /* … and it has nothing more to say */
  va_told told;
  va_gap gap;
  va_waiting_hop waiting[VA_WAITING]; /* hop n at n % VA_WAITING; `hops` itself is in progress */
  va_resampler resampler;
  va_framer framer;
  va_posterior posterior;
  va_hysteresis hysteresis;
  va_mute_gate mute_gate;
  va_shared_status status; /* last: all before it is cleared by a reset */
};

static inline const va_kernels *va_detector_kernels(const va_detector *d) { return va_kernels_of((va_simd)d->simd); }

#endif
