/* mute_gate.h — is the user speaking while muted?
 *
 * Muted speech is speech whose onset comes later than a grace after the mute (who mutes at the end of a sentence
 * is not told so), or that began before and still runs for a while after that grace (who mutes by mistake is).
 * It is held for a least time, outlives the speech by a release time, and ends at once on unmute. A pure state
 * machine; times are hops.
 */
#ifndef VA_MUTE_GATE_H
#define VA_MUTE_GATE_H

#include <stdbool.h>
#include <stdint.h>

#include "voice_activity.h"

typedef struct va_mute_gate {
  uint32_t grace_hops, carry_over_hops, hold_hops, release_hops;
  bool muted;          /* as of the last hop */
  bool speaking;       /* the muted-speech state */
  uint64_t muted_at;   /* the hop during which the mute came */
  uint64_t began;      /* the hop that decided `speaking` */
  uint64_t last_speech; /* the last hop with speech while `speaking` */
} va_mute_gate;

typedef enum va_mute_change { VA_MUTE_NO_CHANGE, VA_MUTED_SPEECH_BEGAN, VA_MUTED_SPEECH_ENDED } va_mute_change;

void va_mute_gate_init(va_mute_gate *gate, const va_config *config);

/* What the gate hears of one hop. */
typedef struct va_mute_input {
  uint64_t hop;       /* the hop that was decided */
  uint64_t newest;    /* the newest hop heard: ahead of `hop` by the look-ahead */
  uint64_t onset;     /* hop at which the present speech began */
  bool is_speech;
  bool muted;
} va_mute_input;

va_mute_change va_mute_gate_step(va_mute_gate *gate, va_mute_input input);

#endif
