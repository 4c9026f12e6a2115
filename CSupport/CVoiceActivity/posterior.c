#include "posterior.h"

#include <string.h>

#include "fast_math.h"

/* Whoever spoke just now may be speaking still where the network sees nothing: a weak ending, a distant word, a breath
 * within a sentence. So a share of what it takes for silence counts as speech: VA_UNSEEN of it times the square of what
 * it saw last, which decays by 2 % a hop, to a third in half a second. */
#define VA_UNSEEN 0.1f
#define VA_RECENT_DECAY 0.98f

/* 0.7 s in which the network was sure that nobody spoke leave nothing worth remembering. Its memory fades then, by e in
 * a third of a second: without that it wanders, and a detector that is a day old decides otherwise than a new one
 * (Tests/Drift). */
#define VA_QUIET 0.015f
#define VA_MEMORY_FADE 0.97f

/* What the memory loses in a step that was not heard. While sound is missing the network does not see that a word ends;
 * without this it takes it for going on long after the loss (Benchmarks/loss). */
#define VA_UNHEARD_FADE 0.8f

/* Added, so that nothing fades into the denormal numbers, which are slow. */
#define VA_NEXT_TO_NOTHING 1e-20f

void va_posterior_init(va_posterior *posterior) {
  memset(posterior, 0, sizeof *posterior);
  va_noise_floor_init(&posterior->noise_floor);
}

void va_posterior_forget(va_posterior *posterior) {
  memset(&posterior->loudness, 0, sizeof posterior->loudness);
  memset(&posterior->network, 0, sizeof posterior->network);
  posterior->recent = 0;
  posterior->quiet_hops = 0;
}

static void fade_memory(va_network *network, float kept) {
  for (int i = 0; i < VA_MEMORY; i++)
    network->memory[i] = network->memory[i] * kept + VA_NEXT_TO_NOTHING - VA_NEXT_TO_NOTHING;
}

void va_posterior_fade(va_posterior *posterior) { fade_memory(&posterior->network, VA_UNHEARD_FADE); }

void va_posterior_measure(va_posterior *p, const va_kernels *kernels, const float *window, int usable,
                          va_pitch_powers powers) {
  float power[VA_BINS], bands_db[VA_BANDS];
  kernels->power_spectrum(window, va_window, power);
  va_loudness_update(&p->loudness, kernels->bands(power, bands_db));
  for (int band = usable; band < VA_BANDS; band++) bands_db[band] = VA_BAND_FLOOR_DB;
  va_noise_floor_update(&p->noise_floor, kernels, bands_db, usable);
  memcpy(powers, power, sizeof(va_pitch_powers));
  kernels->frame(bands_db, p->noise_floor.floor, p->loudness.db, p->network.frames[p->network.next]);
}

static void remember(va_posterior *p, float seen) {
  float recent = p->recent * VA_RECENT_DECAY, now = seen * seen + VA_NEXT_TO_NOTHING;
  p->recent = now > recent ? now : recent;
  if (seen >= VA_QUIET)
    p->quiet_hops = 0;
  else if (p->quiet_hops < VA_QUIET_HOPS)
    p->quiet_hops++;
  else
    fade_memory(&p->network, VA_MEMORY_FADE);
}

void va_posterior_decide(va_posterior *p, const float *logits) {
  for (int hop = 0; hop < VA_STEP_HOPS; hop++) {
    float seen = 1 / (1 + va_exp2(logits[hop] * -1.44269504f));
    remember(p, seen);
    p->decided[hop] = seen + (1 - seen) * VA_UNSEEN * p->recent;
  }
}

void va_posterior_pass(va_posterior *p) {
  for (int hop = 0; hop < VA_STEP_HOPS; hop++) {
    remember(p, 0);
    p->decided[hop] = 0;
  }
}
