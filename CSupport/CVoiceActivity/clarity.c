#include "clarity.h"

#include <stdbool.h>

#include "fast_math.h"
#include "speech_features.h"

/* Before anything was learned. */
#define VA_CLARITY_USUAL 0.03f

/* The time constant of learning, in levels: some 10 s of speech. */
#define VA_CLARITY_MOST 1500.0f

/* Levels are compared by groups of bands, from 600 Hz on: a room's boom and hum lie below. */
#define VA_CLARITY_FIRST 8
#define VA_CLARITY_BANDS 8
#define VA_CLARITY_ONE (VA_CLARITY_BANDS * VA_FRAME_ONE)

/* Only what was 12 dB above the noise floor can show a fall, of 10 dB. */
#define VA_CLARITY_LEAST (VA_CLARITY_ONE * (12 - VA_OVER_FLOOR_CENTRE_DB) / VA_OVER_FLOOR_SPAN_DB)
#define VA_CLARITY_FALL (VA_CLARITY_ONE * 10 / VA_RELATIVE_SPAN_DB)


/* Vowels are above this. */
#define VA_CLARITY_PERIODICITY 0.55f

/* Scales the limit of the evidence against the user: 3 dB where a fall follows 3 % of the levels. */
#define VA_CLARITY_COST 1.2f

void va_clarity_init(va_clarity *clarity) { *clarity = (va_clarity){.own = VA_CLARITY_USUAL}; }

void va_clarity_pass(va_clarity *clarity, float periodicity) {
  clarity->voiced = (uint8_t)((clarity->voiced << 1 & 2) | (periodicity > VA_CLARITY_PERIODICITY));
}

static int sum(const int16_t *features) {
  int total = 0;
  for (int band = 0; band < VA_CLARITY_BANDS; band++) total += features[band];
  return total;
}

va_falls va_clarity_measure(const va_clarity *clarity, const va_network *network, const int16_t frame[VA_FRAME]) {
  const int16_t *before = network->frames[network->next];
  const bool had_pitch = clarity->voiced & 2;
  int levels = 0, falls = 0;
  for (int band = VA_CLARITY_FIRST; band < VA_BANDS; band += VA_CLARITY_BANDS) {
    if (sum(before + VA_BANDS + band) < VA_CLARITY_LEAST) continue;
    levels++;
    if (had_pitch && sum(before + band) - sum(frame + band) > VA_CLARITY_FALL) falls++;
  }
  return (va_falls){(float)levels, (float)falls};
}

static float limited(float value, float least, float most) { return value < least ? least : value > most ? most : value; }

void va_clarity_learn(va_clarity *clarity, va_falls falls) {
  const float own = clarity->own + (falls.falls - clarity->own * falls.levels) * (1 / VA_CLARITY_MOST);
  clarity->own = limited(own, VA_CLARITY_FAR, VA_CLARITY_OWN_MAX);
}

/* Adds the logarithm of a ratio of likelihoods: of this many falls, by Poisson's law, at the user's rate and at a
 * television's. Each unit is worth 1 dB. The less the rates differ, the tighter the limit on evidence against the user. */
void va_clarity_judge(va_clarity *clarity, va_falls falls) {
  const float fall = va_log2(clarity->own * (1 / VA_CLARITY_FAR)) * 0.693147181f;
  const float evidence = falls.falls * fall - falls.levels * (clarity->own - VA_CLARITY_FAR);
  clarity->db = limited(clarity->db + evidence, -VA_CLARITY_COST * fall * fall, VA_CLARITY_MAX_DB);
}
