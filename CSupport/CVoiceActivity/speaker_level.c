#include "speaker_level.h"

/* A time constant of 0.32 s. A longer one misses more users who turn away, a shorter one follows the syllables of a
 * television (Benchmarks/echo/television.md). */
#define VA_PRESENT_HOPS 32

/* 6 dB further below. */
#define VA_HARDLY_PART 0.25f

void va_speaker_level_init(va_speaker_level *level, float least) { *level = (va_speaker_level){.least = least}; }

static void learn(va_speaker_level *level) {
  if (level->hops < VA_SPEAKER_MOST_HOPS) level->hops++;
  const float weight = 1 / (float)level->hops, x = level->present;
  level->sum += weight * (x - level->sum);
  level->squares += weight * (x * x - level->squares);
}

va_nearness va_speaker_level_step(va_speaker_level *level, const va_speaker_input *input) {
  level->present += (input->power - level->present) * (1.0f / VA_PRESENT_HOPS);
  if (!input->muted) {
    if (input->posterior > VA_SURE_POSTERIOR && input->is_sound && !input->is_echo) learn(level);
    return VA_NEAR;
  }
  if (level->hops < VA_SPEAKER_LEAST_HOPS) return VA_NEAR;
  const float present = level->present * level->sum * input->clarity_gain;
  const float near = level->squares * level->least;
  return present >= near ? VA_NEAR : present >= near * VA_HARDLY_PART ? VA_HARDLY_NEAR : VA_FAR;
}

bool va_speaker_level_is_own(const va_speaker_level *level) {
  return level->present * level->sum >= level->squares * VA_HARDLY_PART;
}

/* MARK: what is known */

float va_speaker_level_power(const va_speaker_level *level) { return level->sum > 0 ? level->squares / level->sum : 0; }

void va_speaker_level_replace(va_speaker_level *level, float power, uint32_t hops) {
  level->hops = (uint16_t)(hops < VA_SPEAKER_MOST_HOPS ? hops : VA_SPEAKER_MOST_HOPS);
  level->sum = hops > 0 ? power : 0;
  level->squares = level->sum * level->sum;
}

static float limited(float power, float most) { return power < most ? power : most; }

/* What was heard before the change is part of the present level, too. */
void va_speaker_level_amplify(va_speaker_level *level, float gain) {
  level->present = limited(level->present * gain, VA_SPEAKER_POWER_MAX);
  level->sum = limited(level->sum * gain, VA_SPEAKER_POWER_MAX);
  level->squares = limited(level->squares * gain * gain, VA_SPEAKER_POWER_MAX * VA_SPEAKER_POWER_MAX);
}
