#include "played_mix.h"

/* The odd-numbered channels are inverted where their correlation with the others is below -0.5, the root of this, until
 * it is above 0. */
#define VA_OPPOSITE_SQUARED 0.25

/* The weight of 10 ms in a mean. */
#define VA_MEAN_WEIGHT 0.01f

/* What is louder than this counts as silence in the means, as what is not finite does, so that no sum overflows. */
#define VA_FRAME_POWER_MAX 1e30f

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
  const double product = (double)mean->product, powers = (double)mean->even * (double)mean->odd;
  if (product > 0) mix->is_inverted = false;
  else if (product * product > VA_OPPOSITE_SQUARED * powers) mix->is_inverted = true;
}

static void fold(va_played_mix *mix, const float *frames, size_t count, uint32_t channels, float *mixed) {
  const float sign = mix->is_inverted ? -1 : 1;
  va_played_powers sums = mix->present;
  for (size_t i = 0; i < count; i++, frames += channels) {
    float even = 0, odd = 0;
    for (uint32_t channel = 0; channel < channels; channel += 2) even += frames[channel];
    for (uint32_t channel = 1; channel < channels; channel += 2) odd += frames[channel];
    mixed[i] = (even + sign * odd) / (float)channels;
    const float even_power = even * even, odd_power = odd * odd;
    if (!(even_power + odd_power <= VA_FRAME_POWER_MAX)) continue; /* NaN is not */
    sums.product += even * odd;
    sums.even += even_power;
    sums.odd += odd_power;
  }
  mix->present = sums;
}

void va_played_mix_take(va_played_mix *mix, uint32_t rate_hz, uint64_t position, float *frames, size_t count,
                        uint32_t channels) {
  const uint32_t stretch = rate_hz / 100;
  float *mixed = frames;
  while (count > 0) {
    const size_t room = stretch - (size_t)(position % stretch), some = count < room ? count : room;
    fold(mix, frames, some, channels, mixed);
    if (some == room) end_stretch(mix);
    frames += some * channels;
    mixed += some;
    position += some;
    count -= some;
  }
}
