/* sounds.h — what the fuzz targets let a detector hear. */
#ifndef SOUNDS_H
#define SOUNDS_H

#include <math.h>
#include <stdint.h>

enum { SILENCE, FAINT_NOISE, LOUD_NOISE, VOICE, ODD, SOUNDS };

/* Sample n of a stream is the same whichever way it is played. */
static inline float sample(int kind, uint64_t n, uint32_t rate) {
  static const float odd[] = {NAN, INFINITY, -INFINITY, 1e-38f, -1e-31f, 1, -1, 3.9f, -1e30f, 0, 0.25f};
  uint32_t noise = ((uint32_t)n * 2654435761u) ^ (uint32_t)(n >> 7) * 40503u;
  float white = (float)(int32_t)(noise * 2246822519u) / 2147483648.0f;
  switch (kind) {
    case FAINT_NOISE: return white * 0.001f;
    case LOUD_NOISE: return white * 0.9f;
    case VOICE: { /* a pulse train of 125 Hz, each pulse ringing, four syllables a second */
      uint32_t period = rate / 125, since = (uint32_t)(n % period);
      float t = (float)since / (float)rate, syllable = (float)(n % (rate / 4)) / (float)(rate / 4);
      return 0.4f * expf(-300 * t) * cosf(4400 * t) * (syllable < 0.6f ? 1.0f : 0.05f) + white * 0.0005f;
    }
    case ODD: return odd[noise % (sizeof odd / sizeof *odd)];
    default: return 0;
  }
}

#endif
