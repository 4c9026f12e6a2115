/* cut_fade.c — the fades of a cut. */
#include "voice_activity.h"

/* The gain `distance` frames from an end of a cut: 3t² − 2t³, which begins and ends without a bend. */
static float gain_at(uint64_t distance, uint64_t length) {
  if (distance >= length) return 1;
  const float t = ((float)distance + 0.5f) / (float)length;
  return t * t * (3 - 2 * t);
}

void va_cut_fade(float *samples, size_t count, uint32_t channels, uint64_t position, const va_cut *cut, bool follows,
                 uint64_t length) {
  const uint64_t half = (cut->end - cut->start) / 2;
  if (length > half) length = half;
  for (size_t i = 0; i < count; i++) {
    const uint64_t frame = position + i;
    if (frame < cut->start || frame >= cut->end) continue;
    float gain = 1;
    if (!follows) gain *= gain_at(frame - cut->start, length);
    if (!cut->continues) gain *= gain_at(cut->end - 1 - frame, length);
    for (uint32_t channel = 0; gain < 1 && channel < channels; channel++) samples[i * channels + channel] *= gain;
  }
}
