#include "clarity.h"

#include "fast_math.h"
#include "level.h"
#include "speech_features.h"

/* Before anything was learned: 0.045. */
#define VA_CLARITY_USUAL 47186

/* The time constant of learning, in levels: some 10 s of speech. */
#define VA_CLARITY_MOST 1500.0f

/* Levels are compared by groups of bands, from 600 Hz on: a room's boom and hum lie below. */
#define VA_CLARITY_FIRST 8
#define VA_CLARITY_BANDS 8
#define VA_CLARITY_ONE (VA_CLARITY_BANDS * VA_FRAME_ONE)

/* Only what was 12 dB above the noise floor can show a fall, of 10 dB. A rise is 4 dB. */
#define VA_CLARITY_LEAST (VA_CLARITY_ONE * (12 - VA_OVER_FLOOR_CENTRE_DB) / VA_OVER_FLOOR_SPAN_DB)
#define VA_CLARITY_FALL (VA_CLARITY_ONE * 10 / VA_RELATIVE_SPAN_DB)
#define VA_CLARITY_RISE (VA_CLARITY_ONE * 4 / VA_OVER_FLOOR_SPAN_DB)

/* Scales the limit of the evidence against the user: 4.5 dB where a fall follows 4.5 % of the levels. */
#define VA_CLARITY_COST 2.0f

void va_clarity_init(va_clarity *clarity) { *clarity = (va_clarity){.own = VA_CLARITY_USUAL}; }

static int sum(const int16_t *features) {
  int total = 0;
  for (int band = 0; band < VA_CLARITY_BANDS; band++) total += features[band];
  return total;
}

va_falls va_clarity_measure(va_rises *rises, const va_network *network, const int16_t frame[VA_FRAME], int usable) {
  const int16_t *before = network->frames[network->next];
  const unsigned rose_lately = *rises >> 4 | *rises >> 8; /* the step two steps ago, or the one before it */
  int levels = 0, falls = 0;
  unsigned rose = 0, group = 1;
  for (int band = VA_CLARITY_FIRST; band + VA_CLARITY_BANDS <= usable; band += VA_CLARITY_BANDS, group <<= 1) {
    const int over_floor = sum(before + VA_BANDS + band);
    if (sum(frame + VA_BANDS + band) - over_floor > VA_CLARITY_RISE) rose |= group;
    if (over_floor < VA_CLARITY_LEAST) continue;
    levels++;
    if (!(rose_lately & group) && sum(before + band) - sum(frame + band) > VA_CLARITY_FALL) falls++;
  }
  *rises = (va_rises)((*rises << 4 | rose) & VA_RISES_MOST);
  return (va_falls){(float)levels, (float)falls};
}

static float limited(float value, float least, float most) {
  return value < least ? least : value > most ? most : value;
}

static float rounded(float value) { return value < 0 ? value - 0.5f : value + 0.5f; }

void va_clarity_learn(va_clarity *clarity, va_falls falls) {
  const float error = falls.falls * VA_CLARITY_ONE_PART - (float)clarity->own * falls.levels;
  const float own = (float)clarity->own + error * (1 / VA_CLARITY_MOST);
  clarity->own = (uint16_t)rounded(limited(own, VA_CLARITY_FAR, VA_CLARITY_OWN_MAX));
}

/* Adds the logarithm of a ratio of likelihoods: of this many falls, by Poisson's law, at the user's rate and at a
 * television's. A natural logarithm of 1 is worth 1 dB. The less the rates differ, the tighter the limit on evidence
 * against the user. */
void va_clarity_judge(va_clarity *clarity, va_falls falls) {
  const float own = (float)clarity->own;
  const float fall = va_log2(own * (1.0f / VA_CLARITY_FAR)) * VA_LN2;
  const float evidence = falls.falls * fall - falls.levels * (own - VA_CLARITY_FAR) * (1 / VA_CLARITY_ONE_PART);
  const float least = -VA_CLARITY_COST * fall * fall * VA_CLARITY_ONE_DB;
  const float total = (float)clarity->evidence + evidence * VA_CLARITY_ONE_DB;
  clarity->evidence = (int16_t)rounded(limited(total, least, VA_CLARITY_MAX));
}

void va_clarity_close(va_clarity *clarity) {
  if (clarity->evidence > 0) clarity->evidence = 0;
}

float va_clarity_gain(const va_clarity *clarity) {
  if (clarity->evidence == 0) return 1; /* as while unmuted: saves the power */
  return va_power_of_db((float)clarity->evidence * (1.0f / VA_CLARITY_ONE_DB));
}
