/* mute_gate.h — decides whether the user is speaking while muted.
 *
 * Speech counts as muted speech if its onset comes later than a grace after the mute: an earlier onset is a sentence
 * that the user was ending. Speech from before counts if it is still running some time after the grace: the user muted
 * by mistake. Speech that is too quiet to be the user's does not begin muted speech (speaker_level.h). Muted speech is
 * held for a minimum time, outlasts the speech by a release time, and ends at once when the user unmutes. A pure state
 * machine; times are hops.
 */
#ifndef VA_MUTE_GATE_H
#define VA_MUTE_GATE_H

#include <stdbool.h>
#include <stdint.h>

#include "speaker_level.h"
#include "voice_activity.h"

typedef struct va_mute_gate {
  uint32_t grace_hops, carry_over_hops, hold_hops, release_hops;
  bool muted;           /* the mute flag as the last hop sampled it; the flag itself is in va_shared_status */
  bool speaking;        /* the muted-speech state */
  uint64_t muted_at;    /* the hop during which the user muted */
  uint64_t began;       /* the hop that set `speaking` */
  uint64_t last_speech; /* the last hop with speech while `speaking` */
} va_mute_gate;

typedef enum va_mute_change { VA_MUTE_NO_CHANGE, VA_MUTED_SPEECH_BEGAN, VA_MUTED_SPEECH_ENDED } va_mute_change;

void va_mute_gate_init(va_mute_gate *gate, const va_config *config);

/* What the gate needs of one hop. */
typedef struct va_mute_input {
  uint64_t hop;    /* the hop that is decided */
  uint64_t newest; /* the newest hop of the input, the look-ahead later: a mute is timed by it */
  uint64_t onset;  /* the hop at which the present speech began */
  bool is_speech;
  bool muted;
  va_nearness nearness; /* VA_NEAR speech begins muted speech, VA_HARDLY_NEAR speech only continues it */
} va_mute_input;

va_mute_change va_mute_gate_step(va_mute_gate *gate, const va_mute_input *input);

/* Ends muted speech at the end of the stream. */
va_mute_change va_mute_gate_end(va_mute_gate *gate);

#endif
