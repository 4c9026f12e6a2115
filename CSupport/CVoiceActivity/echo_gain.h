/* echo_gain.h — notices that the gain from the reference to its echo has changed, as with a change of the volume.
 *
 * The echo is then louder or softer than predicted by as much in every band, step after step. What somebody near says
 * exceeds it here by little and there by much. So the errors of the prediction are pooled over the bands and the last
 * steps. If they lie together, their mean is a change of the gain.
 *
 *   errors of the bands ──► pool of steps that agree ──► narrow? ──► a rise: expected at once, learned after some steps
 *                                                              └──► a fall: learned bit by bit
 */
#ifndef VA_ECHO_GAIN_H
#define VA_ECHO_GAIN_H

#include <stdbool.h>

#include "echo_state.h"

typedef struct va_echo_gain {
  va_echo_errors pool; /* what came before counts three quarters of it at each step */
  uint8_t rising;      /* steps in a row whose pool says that the gain has risen */
  float learned_db;    /* what the path has to take over: 0 unless the newest step has found a change */
  float suspected_db;  /* how much louder the echo may be than the path predicts, until that is learned */
} va_echo_gain;

/* Takes the errors of a step. follows: the microphone's changes are rather those of the reference. can_fall: the path
 * is not just being learned. */
void va_echo_gain_step(va_echo_gain *gain, const va_echo_errors *errors, bool follows, bool can_fall);

#endif
