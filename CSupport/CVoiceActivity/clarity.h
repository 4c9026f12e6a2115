/* clarity.h — how clear speech is: how often its bands fall steeply.
 *
 * When a sound of speech ends, a voice near the microphone falls by 10 dB within 40 ms; a television or a voice across
 * the room rings on. Such a fall follows some 4 % of the levels of a near voice, and less than 1 % of a distant one's.
 * It does not depend on the level, so it tells a user who is quieter than usual from somebody far away. Keys and clicks
 * fall, too, but they have risen just before: falls within some 60 ms of a rise do not count. How clear the user's own
 * voice is in this room is learned while unmuted. In a room that rings on for the user too, clarity has little effect.
 */
#ifndef VA_CLARITY_H
#define VA_CLARITY_H

#include <stdint.h>

#include "network.h"

/* Which groups of bands rose, of the last three steps: four bits a step, the newest lowest. */
typedef uint16_t va_rises;
#define VA_RISES_MOST 0xfffu

/* Falls per level, in 2^-20, where a level is that of a group of bands in one step: of a television, and the most that
 * is expected of a user. A headset exceeds this. */
#define VA_CLARITY_ONE_PART 1048576.0f
#define VA_CLARITY_FAR 10486     /* 0.010 */
#define VA_CLARITY_OWN_MAX 57672 /* 0.055 */

/* The bounds of va_clarity.evidence. What is more than 6 dB below the margin is too quiet, however clear: it leaks from
 * headphones. The lower bound is that of an own clarity of VA_CLARITY_OWN_MAX. */
#define VA_CLARITY_ONE_DB 1024
#define VA_CLARITY_MAX (6 * VA_CLARITY_ONE_DB)
#define VA_CLARITY_MIN (-5953)

typedef struct va_clarity {
  uint16_t own;     /* falls per level of the user's own voice, VA_CLARITY_FAR … VA_CLARITY_OWN_MAX */
  int16_t evidence; /* since the mute, in 1/1024 dB: positive for the user, negative for somebody far away */
} va_clarity;

/* Of a step: how many groups of bands were far enough above the noise floor, and how many of them have fallen. */
typedef struct va_falls {
  float levels, falls;
} va_falls;

void va_clarity_init(va_clarity *clarity);

/* Compares a step with the one two steps ago. frame: the step's, which the network has not seen yet. usable: how many
 * of its bands are measured (va_bands_usable). */
va_falls va_clarity_measure(va_rises *rises, const va_network *network, const int16_t frame[VA_FRAME], int usable);

/* Takes a step of the user's own speech, while unmuted. */
void va_clarity_learn(va_clarity *clarity, va_falls falls);

/* Takes a step of speech while muted. */
void va_clarity_judge(va_clarity *clarity, va_falls falls);

/* Forgets the evidence for the user, once the user falls silent: the next voice may be another. */
void va_clarity_close(va_clarity *clarity);

/* Returns the evidence as the power by which it multiplies that of a voice. */
float va_clarity_gain(const va_clarity *clarity);

#endif
