#include "speech_features.h"

#include "fast_math.h"
#include "level.h"

/* The weight of a louder step, and the fall in dB per step. */
#define VA_LOUDNESS_ATTACK 0.36f
#define VA_LOUDNESS_DECAY_DB 0.1f

void va_loudness_update(va_loudness *loudness, float power) {
  float db = va_power_db(power), rise = db - loudness->db;
  if (!loudness->started) {
    loudness->db = db;
    loudness->started = 1;
  } else {
    loudness->db += rise > 0 ? VA_LOUDNESS_ATTACK * rise : -VA_LOUDNESS_DECAY_DB;
  }
}

void va_pitch_features(va_pitch pitch, float features[VA_PITCH_INPUTS]) {
  features[0] = (pitch.periodicity - 0.3f) * 5;
  features[1] = (va_log2(pitch.lag) - 5.8f) * 1.25f;
}
