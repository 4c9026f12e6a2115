#include "clarity.h"

#include "fast_math.h"
#include "speech_features.h"

/* Before anything was learned. */
#define VA_CLARITY_USUAL 0.07f

/* The time constant of learning, in levels: some 10 s of speech. */
#define VA_CLARITY_MOST 1500.0f

/* Levels are compared by groups of bands, from 600 Hz on: a room's boom and hum lie below. */
#define VA_CLARITY_FIRST 8
#define VA_CLARITY_BANDS 8
#define VA_CLARITY_ONE (VA_CLARITY_BANDS * VA_FRAME_ONE)

/* Only what was 12 dB above the noise floor can show a fall, of 10 dB. */
#define VA_CLARITY_LEAST (VA_CLARITY_ONE * (12 - VA_OVER_FLOOR_CENTRE_DB) / VA_OVER_FLOOR_SPAN_DB)
#define VA_CLARITY_FALL (VA_CLARITY_ONE * 10 / VA_RELATIVE_SPAN_DB)


/* Scales the limit of the evidence against the user: 4 dB where 6 of 100 levels are followed by a fall. */
#define VA_CLARITY_COST 2.0f

void va_clarity_init(va_clarity *clarity) { *clarity = (va_clarity){.own = VA_CLARITY_USUAL}; }

static int sum(const int16_t *features) {
  int total = 0;
  for (int band = 0; band < VA_CLARITY_BANDS; band++) total += features[band];
  return total;
}

va_falls va_clarity_measure(const va_network *network, const int16_t frame[VA_FRAME]) {
  const int16_t *before = network->frames[network->next];
  int levels = 0, falls = 0;
  for (int band = VA_CLARITY_FIRST; band < VA_BANDS; band += VA_CLARITY_BANDS) {
    if (sum(before + VA_BANDS + band) < VA_CLARITY_LEAST) continue;
    levels++;
    if (sum(before + band) - sum(frame + band) > VA_CLARITY_FALL) falls++;
  }
  return (va_falls){(float)levels, (float)falls};
}

static float limited(float value, float least, float most) { return value < least ? least : value > most ? most : value; }

void va_clarity_learn(va_clarity *clarity, va_falls falls) {
  const float own = clarity->own + (falls.falls - clarity->own * falls.levels) * (1 / VA_CLARITY_MOST);
  clarity->own = limited(own, VA_CLARITY_FAR, VA_CLARITY_OWN_MAX);
}

/* Adds the logarithm of a ratio of likelihoods: of so many falls at the user's rate, and at a television's (Poisson). Each
 * unit is worth 1 dB. The evidence against the user is limited, the more the less clarity can tell. */
void va_clarity_judge(va_clarity *clarity, va_falls falls) {
  const float fall = va_log2(clarity->own * (1 / VA_CLARITY_FAR)) * 0.693147181f;
  const float evidence = falls.falls * fall - falls.levels * (clarity->own - VA_CLARITY_FAR);
  clarity->db = limited(clarity->db + evidence, -VA_CLARITY_COST * fall * fall, VA_CLARITY_MAX_DB);
}
