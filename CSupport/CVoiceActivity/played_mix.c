#include "played_mix.h"

#include <string.h>

/* The odd-numbered channels are inverted where their correlation with the others is below -0.5, the root of this, until
 * it is above 0. */
#define VA_OPPOSITE_SQUARED 0.25

/* The weight of 10 ms in a mean. */
#define VA_MEAN_WEIGHT 0.01f

/* One frame of so many is counted, which is enough for a correlation over a second. */
#define VA_COUNTED_FRAMES 8

/* What is louder than this counts as silence in the means, as what is not finite does, so that no sum overflows. */
#define VA_FRAME_POWER_MAX 1e30f

/* Frames that are mixed at a time. */
#define VA_MIXED_FRAMES 16

static void move_to(float *mean, float *present) {
  *mean += VA_MEAN_WEIGHT * (*present - *mean);
  *present = 0;
}

/* Squares of these floats need a double. */
static void end_stretch(va_played_mix *mix) {
  va_played_powers *mean = &mix->mean, *present = &mix->present;
  move_to(&mean->product, &present->product);
  move_to(&mean->even, &present->even);
  move_to(&mean->odd, &present->odd);
  mix->filled = 0;
  const double product = (double)mean->product, powers = (double)mean->even * (double)mean->odd;
  if (product > 0) mix->is_inverted = false;
  else if (product * product > VA_OPPOSITE_SQUARED * powers) mix->is_inverted = true;
}

static float sum(const float *frame, uint32_t first, uint32_t channels) {
  float total = 0;
  for (uint32_t channel = first; channel < channels; channel += 2) total += frame[channel];
  return total;
}

static void count_powers(va_played_mix *mix, const float *frames, size_t count, uint32_t channels) {
  const size_t first = (VA_COUNTED_FRAMES - mix->filled % VA_COUNTED_FRAMES) % VA_COUNTED_FRAMES;
  for (size_t i = first; i < count; i += VA_COUNTED_FRAMES) {
    const float *frame = frames + i * channels;
    const float even = sum(frame, 0, channels), odd = sum(frame, 1, channels);
    const float even_power = even * even, odd_power = odd * odd;
    if (!(even_power + odd_power <= VA_FRAME_POWER_MAX)) continue; /* NaN is not */
    mix->present.product += even * odd;
    mix->present.even += even_power;
    mix->present.odd += odd_power;
  }
}

/* `mixed` is at or before `frames`: a part is read before it is written. */
static void fold(const float *frames, size_t count, uint32_t channels, float sign, float *mixed) {
  const float weight = 1 / (float)channels;
  for (size_t done = 0, some; done < count; done += some) {
    float part[VA_MIXED_FRAMES];
    some = count - done < VA_MIXED_FRAMES ? count - done : VA_MIXED_FRAMES;
    const float *x = frames + done * channels;
    if (channels == 2 && some == VA_MIXED_FRAMES)
      for (size_t i = 0; i < VA_MIXED_FRAMES; i++) part[i] = (x[2 * i] + sign * x[2 * i + 1]) * weight;
    else
      for (size_t i = 0; i < some; i++, x += channels)
        part[i] = (sum(x, 0, channels) + sign * sum(x, 1, channels)) * weight;
    memcpy(mixed + done, part, some * sizeof *part);
  }
}

void va_played_mix_take(va_played_mix *mix, uint32_t rate_hz, float *frames, size_t count, uint32_t channels) {
  const uint32_t stretch = rate_hz / 100;
  float *mixed = frames;
  while (count > 0) {
    const size_t room = stretch - mix->filled, some = count < room ? count : room;
    count_powers(mix, frames, some, channels);
    fold(frames, some, channels, mix->is_inverted ? -1 : 1, mixed);
    mix->filled = (uint16_t)(mix->filled + some);
    if (some == room) end_stretch(mix);
    frames += some * channels;
    mixed += some;
    count -= some;
  }
}
