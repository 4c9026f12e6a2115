/* clarity.h — how clear speech is: how often its bands fall steeply.
 *
 * When a vowel ends, a voice near the microphone falls by 10 dB within 40 ms; a television or a voice across the room rings
 * on. Such a fall follows 3 to 4 % of the levels of a near voice, and less than 1 % of a distant one's. It does not depend
 * on the level, so it tells a user who is quieter than usual from somebody far away. Keys and doors fall, too, but what
 * falls then has no pitch. How clear the user's own voice is in this room is learned while unmuted. In a room that rings on
 * for the user too, clarity has little effect.
 */
#ifndef VA_CLARITY_H
#define VA_CLARITY_H

#include <stdint.h>

#include "network.h"

/* Falls per level: of a television, and the most that is expected of a user. A headset exceeds this. */
#define VA_CLARITY_FAR 0.006f
#define VA_CLARITY_OWN_MAX 0.04f

/* The bounds of va_clarity.db. What is more than 10 dB below the margin is too quiet, however clear: it leaks from
 * headphones. The lower bound is that of an own clarity of VA_CLARITY_OWN_MAX. */
#define VA_CLARITY_MAX_DB 10.0f
#define VA_CLARITY_MIN_DB (-4.32f)

typedef struct va_clarity {
  float own; /* falls per level of the user's own voice, VA_CLARITY_FAR … VA_CLARITY_OWN_MAX */
  uint8_t voiced; /* whether a step has a pitch: bit 0 the newest, bit 1 the one before it */
  float db;  /* evidence since the mute: positive for the user, negative for somebody far away */
} va_clarity;

/* Of a step: how many groups of bands were far enough above the noise floor, and how many of them have fallen. */
typedef struct va_falls {
  float levels, falls;
} va_falls;

void va_clarity_init(va_clarity *clarity);

/* Takes how periodic a step was; 0 for a step that was not measured. */
void va_clarity_pass(va_clarity *clarity, float periodicity);

/* Compares a step with the one two steps ago, before va_clarity_pass takes it. Nothing falls that had no pitch. frame: the
 * step's, which the network has not seen yet. */
va_falls va_clarity_measure(const va_clarity *clarity, const va_network *network, const int16_t frame[VA_FRAME]);

/* Takes a step of the user's own speech, while unmuted. */
void va_clarity_learn(va_clarity *clarity, va_falls falls);

/* Takes a step of speech while muted. */
void va_clarity_judge(va_clarity *clarity, va_falls falls);

#endif
