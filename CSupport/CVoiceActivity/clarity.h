/* clarity.h — how clear speech is: how often its bands fall steeply.
 *
 * When a sound ends, a voice near the microphone falls by 10 dB within 40 ms; a television or a voice across the room
 * rings on. Of the levels of the one, 4 to 10 of 100 are followed by such a fall, and of the other 1 or 2. This does not
 * depend on the level, so that it tells a user who is quieter than usual from somebody who is far away. How clear the
 * user's own voice is in this room is learned while unmuted. Where it rings on, too, clarity tells little and counts
 * little.
 */
#ifndef VA_CLARITY_H
#define VA_CLARITY_H

#include "network.h"

/* Falls per level: of a television, and the most that is expected of a user. The voice in a headset has more. */
#define VA_CLARITY_FAR 0.015f
#define VA_CLARITY_OWN_MAX 0.08f

/* The bounds of va_clarity.db. A clear voice 10 dB below the margin is a user who whispers, or whose level was learned too
 * high; what is quieter leaks from headphones, or was chopped by noise suppression. The lower bound is that of an own clarity of VA_CLARITY_OWN_MAX. */
#define VA_CLARITY_MAX_DB 10.0f
#define VA_CLARITY_MIN_DB (-5.61f)

typedef struct va_clarity {
  float own; /* falls per level of the user's own voice, VA_CLARITY_FAR … VA_CLARITY_OWN_MAX */
  float db;  /* evidence since the mute: positive for the user, negative for somebody far away */
} va_clarity;

/* Of a step: how many groups of bands were far enough above the noise floor, and how many of them have fallen. */
typedef struct va_falls {
  float levels, falls;
} va_falls;

void va_clarity_init(va_clarity *clarity);

/* Compares a step with the one two steps ago. frame: the step's, which the network has not seen yet. */
va_falls va_clarity_measure(const va_network *network, const int16_t frame[VA_FRAME]);

/* Takes a step of the user's own speech, while unmuted. */
void va_clarity_learn(va_clarity *clarity, va_falls falls);

/* Takes a step of speech while muted. */
void va_clarity_judge(va_clarity *clarity, va_falls falls);

#endif
