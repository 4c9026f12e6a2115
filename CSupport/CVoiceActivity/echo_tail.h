/* echo_tail.h — learns how far below the sound a room rings on.
 *
 * Where the reference has become quieter, the microphone hears the room. Its level against what the sound's own would
 * be is the same in all bands, give or take 4 dB. In a dry room it is 8 to 10 dB lower, in a bare one 2 to 4
 * (Benchmarks/echo).
 */
#ifndef VA_ECHO_TAIL_H
#define VA_ECHO_TAIL_H

#include "echo_state.h"

typedef struct va_echo_tail {
  int16_t level;  /* of the tail over the sound's own, as in va_echo_path */
  uint8_t steps;  /* learned from so many */
} va_echo_tail;

void va_echo_tail_init(va_echo_tail *tail);

/* Takes the errors of a step in the bands where the reference has become quieter. */
void va_echo_tail_step(va_echo_tail *tail, const va_echo_errors *errors);

#endif
