/* speaker_level.h — what the user's own voice measures at this microphone, and what is too quiet to be the user.
 *
 * A television or the next desk is quieter at the microphone than its user. The level of speech is learned while the
 * user is unmuted. While the user is muted, speech further than a margin below it does not raise muted speech, unless
 * it is as clear as a voice at the microphone (clarity.h).
 *
 * The learned level is the mean of the present level weighted by its power, sum of x² over sum of x, so that the
 * loudest voice decides: of a user and a television 15 dB below who speak for equally long, the level is that of the
 * user within 0.2 dB, and a user who stops is remembered until the television has spoken for minutes. It is 2 to 3 dB
 * above the active level of ITU-T P.56. A pure state machine of powers, without logarithms.
 */
#ifndef VA_SPEAKER_LEVEL_H
#define VA_SPEAKER_LEVEL_H

#include <stdbool.h>
#include <stdint.h>

#include "geometry.h"

/* The level counts once it was learned from this many hops: 3 s of speech. */
#define VA_SPEAKER_LEAST_HOPS (VA_SPEAKER_LEAST_MS / VA_HOP_MS)

/* The time constant of forgetting, in hops of speech: 30 s. */
#define VA_SPEAKER_MOST_HOPS (VA_SPEAKER_MOST_MS / VA_HOP_MS)

/* Only sure speech is learned. */
#define VA_SURE_POSTERIOR 0.9f

/* No power is above this: samples are within ±64 (save.c). */
#define VA_SPEAKER_POWER_MAX 4096.0f

typedef struct va_speaker_level {
  float present; /* mean square of the last third of a second, the look-ahead included, decaying */
  float sum;     /* mean of `present` over what was learned, by an exponential window */
  float squares; /* mean of its square; the learned level is squares / sum */
  float least;   /* the quietest present power that is near, as a part of the learned level; 0: everything is */
  uint16_t hops; /* hops learned, saturating at VA_SPEAKER_MOST_HOPS */
} va_speaker_level;

/* How the present level compares with the learned one: quieter, up to 6 dB beyond the margin, or within it. Speech that
 * is hardly near does not raise muted speech but keeps it, so that a voice about the margin is one notice and not
 * several. */
typedef enum va_nearness { VA_FAR, VA_HARDLY_NEAR, VA_NEAR } va_nearness;

/* The properties of a hop from which the level is learned and by which it is judged. */
typedef struct va_speaker_input {
  float power;        /* mean square of the newest hop */
  float posterior;    /* of the hop that is decided */
  float clarity_gain; /* evidence of nearness (clarity.h): above 1 it widens the margin, below 1 it narrows it */
  bool is_sound;      /* everything from the hop that is decided to the newest is PCM without a gap */
  bool is_echo;       /* the sound came from the loudspeaker, and nobody near is far louder; matters for sure speech */
  bool muted;
} va_speaker_input;

/* Forgets the level. least: as in the struct. */
void va_speaker_level_init(va_speaker_level *level, float least);

/* Takes a hop. While unmuted, and while too little was learned to tell, everything is near. */
va_nearness va_speaker_level_step(va_speaker_level *level, const va_speaker_input *input);

/* True if what is heard is as loud as the learned level, 6 dB below it or louder. */
bool va_speaker_level_is_own(const va_speaker_level *level);

/* Returns the power of the learned level; 0 if nothing was learned. */
float va_speaker_level_power(const va_speaker_level *level);

/* Replaces what was learned by a power that was learned from `hops` hops; 0 forgets. */
void va_speaker_level_replace(va_speaker_level *level, float power, uint32_t hops);

/* Multiplies every power by `gain`, by which the input has become louder. */
void va_speaker_level_amplify(va_speaker_level *level, float gain);

#endif
