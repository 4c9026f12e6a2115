#include "posterior.h"

#include <string.h>

#include "fast_math.h"

/* Somebody who spoke just now may still be speaking where the network finds no speech: a weak ending, a distant word, a
 * breath in a sentence. So part of what it takes for silence counts as speech: VA_UNSEEN times the square of its
 * highest recent answer, which decays by 2 % per hop, to a third in half a second. */
#define VA_UNSEEN 0.1f
#define VA_RECENT_DECAY 0.98f

/* After VA_QUIET_HOPS below VA_QUIET nothing in the network's memory is worth keeping. It fades then, by e in a third
 * of a second. Otherwise it would drift, and a detector that has run for a day would decide differently from a new one
 * (Tests/Drift). */
#define VA_QUIET 0.008f
#define VA_MEMORY_FADE 0.97f

/* What the memory keeps of itself in a step whose window has a hole. While sound is missing, the network cannot detect
 * that a word ends; without the fade it assumes long after the loss that the word goes on (Benchmarks/loss). */
#define VA_UNHEARD_FADE 0.8f

/* Added to what fades, so that it never becomes a denormal number, which is slow. */
#define VA_NEXT_TO_NOTHING 1e-20f

void va_posterior_init(va_posterior *posterior) { memset(posterior, 0, sizeof *posterior); }

void va_posterior_forget(va_posterior *posterior) {
  memset(&posterior->loudness, 0, sizeof posterior->loudness);
  memset(&posterior->network, 0, sizeof posterior->network);
  posterior->recent = 0;
  posterior->quiet_hops = 0;
}

/* Adding and subtracting VA_NEXT_TO_NOTHING rounds far smaller numbers to 0. Without -ffast-math no compiler removes
 * the two. */
static void fade_memory(va_network *network, float kept) {
  for (int i = 0; i < VA_MEMORY; i++)
    network->memory[i] = network->memory[i] * kept + VA_NEXT_TO_NOTHING - VA_NEXT_TO_NOTHING;
}

void va_posterior_fade(va_posterior *posterior) { fade_memory(&posterior->network, VA_UNHEARD_FADE); }

/* Bins above those of 8 kHz have no power. */
static void measure_power(const va_kernels *kernels, const va_framer *framer, float *power) {
  if (framer->length == VA_HOP) {
    kernels->power_spectrum(framer->past, framer->unit, framer->samples, va_window, power);
  } else {
    kernels->half_power_spectrum(framer->past, framer->unit, framer->samples, va_half_window, power);
    memset(power + VA_HALF_BINS, 0, (VA_BINS - VA_HALF_BINS) * sizeof(float));
  }
}

void va_posterior_measure(const va_kernels *kernels, const va_framer *framer, int usable, va_window_levels *levels,
                          va_pitch_powers powers) {
  float power[VA_BINS];
  measure_power(kernels, framer, power);
  levels->power = kernels->bands(power, levels->bands_db);
  for (int band = usable; band < VA_BANDS; band++) levels->bands_db[band] = VA_BAND_FLOOR_DB;
  memcpy(powers, power, sizeof(va_pitch_powers));
}

void va_posterior_describe(va_posterior *p, const va_kernels *kernels, va_window_levels *levels, int usable,
                           va_echo *echo, int16_t *frame) {
  float floor_db[VA_BANDS];
  va_loudness_update(&p->loudness, levels->power);
  va_noise_floor_update(&p->noise_floor, kernels, levels->bands_db, usable, floor_db);
  if (echo) va_echo_measure(echo, kernels, levels->bands_db, floor_db);
  kernels->frame(levels->bands_db, floor_db, p->loudness.db, frame);
}

/* Updates `recent` and the fading with the network's answer for a hop. */
static void remember(va_posterior *p, float answer) {
  float recent = p->recent * VA_RECENT_DECAY, now = answer * answer + VA_NEXT_TO_NOTHING;
  p->recent = now > recent ? now : recent;
  if (answer >= VA_QUIET)
    p->quiet_hops = 0;
  else if (p->quiet_hops < VA_QUIET_HOPS)
    p->quiet_hops++;
  else
    fade_memory(&p->network, VA_MEMORY_FADE);
}

void va_posterior_decide(va_posterior *p, const float *logits, float weight) {
  for (int hop = 0; hop < VA_STEP_HOPS; hop++) {
    float answer = 1 / (1 + va_exp2(logits[hop] * -1.44269504f)); /* exp(-logit): 1 / ln 2 octaves */
    remember(p, answer);
    p->decided[hop] = weight * (answer + (1 - answer) * VA_UNSEEN * p->recent);
  }
}

void va_posterior_pass(va_posterior *p) {
  for (int hop = 0; hop < VA_STEP_HOPS; hop++) {
    remember(p, 0);
    p->decided[hop] = 0;
  }
}
