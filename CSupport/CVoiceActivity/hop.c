#include "hop.h"

#include "level.h"
#include "results.h"
#include "status.h"

/* A hop whose mean square is below -100 dBFS holds no more than the dither of silence. */
#define VA_SILENT_SUM (VA_HOP * 1e-10f)

/* Steps without a whole window after which the features start anew: half a second. */
#define VA_FORGET_STEPS 25

/* Completes the newest hop's level by what was heard of it. */
static void complete(va_detector *d) {
  va_waiting_hop *newest = &d->waiting[d->hops % VA_WAITING];
  float sum, peak;
  va_detector_kernels(d)->level(va_framer_hop(&d->framer), VA_HOP, &sum, &peak);
  newest->sum_of_squares += sum;
  newest->peak = peak > newest->peak ? peak : newest->peak;
}

/* Of the hops of a step that were told of, and not as silence, the floor learns the level: their mean in dB. */
static void learn_level(va_detector *d) {
  float sum_db = 0;
  int told = 0;
  for (uint64_t hop = d->hops + 1 - VA_STEP_HOPS; hop <= d->hops; hop++) {
    const va_waiting_hop *known = &d->waiting[hop % VA_WAITING];
    if (!va_is_told(known) || known->sum_of_squares < VA_SILENT_SUM) continue;
    sum_db += va_power_db(known->sum_of_squares * (1.0f / VA_HOP));
    told++;
  }
  if (told)
    va_noise_floor_update_level(&d->posterior.noise_floor, va_detector_kernels(d), sum_db / (float)told,
                                (int)d->usable_bands);
}

/* Notes a step whose window has a hole. */
static void miss_step(va_detector *d) {
  if (d->steps_unheard == VA_FORGET_STEPS) return;
  if (++d->steps_unheard == VA_FORGET_STEPS) va_posterior_forget(&d->posterior);
  else va_posterior_fade(&d->posterior);
}

/* Measures the window; false if there is nothing to ask the network. Nothing is measured, and nothing learned, of a
 * window with a hole or of silence. A lost packet leaves the features' memory alone; behind a longer gap it would be of
 * something else. */
static bool measure(va_detector *d, va_pitch_powers powers) {
  float loudest = 0;
  if (!va_framer_is_whole(&d->framer)) {
    miss_step(d);
    return false;
  }
  d->steps_unheard = 0;
  for (int i = 0; i < VA_WAITING; i++)
    loudest = d->waiting[i].sum_of_squares > loudest ? d->waiting[i].sum_of_squares : loudest;
  if (loudest < VA_SILENT_SUM) return false;
  va_posterior_measure(&d->posterior, va_detector_kernels(d), d->framer.samples, (int)d->usable_bands, powers);
  return true;
}

/* Measures all windows; returns how many have something to ask the network, and which: their pitches. */
static size_t measure_all(va_detector *const *detectors, size_t count, size_t *asking, va_pitch_inputs *inputs) {
  va_pitch_powers powers[VA_STREAMS_AT_ONCE];
  va_pitch pitches[VA_STREAMS_AT_ONCE];
  size_t asked = 0;
  for (size_t i = 0; i < count; i++)
    if (measure(detectors[i], powers[asked])) asking[asked++] = i;
    else va_posterior_pass(&detectors[i]->posterior);
  va_detector_kernels(detectors[0])->pitches(powers, pitches, asked);
  for (size_t i = 0; i < asked; i++) va_pitch_features(pitches[i], inputs[i]);
  return asked;
}

/* A step of each: what the newest windows say of the hops that waited for them. */
static void take_steps(va_detector *const *detectors, size_t count) {
  va_network *networks[VA_STREAMS_AT_ONCE];
  va_pitch_inputs pitches[VA_STREAMS_AT_ONCE];
  va_logits logits[VA_STREAMS_AT_ONCE];
  for (size_t i = 0; i < count; i++) learn_level(detectors[i]);
  size_t asking[VA_STREAMS_AT_ONCE], asked = measure_all(detectors, count, asking, pitches);
  for (size_t i = 0; i < asked; i++) networks[i] = &detectors[asking[i]]->posterior.network;
  va_detector_kernels(detectors[0])->network_steps(&va_network_weights, networks, pitches, logits, asked);
  for (size_t i = 0; i < asked; i++) va_posterior_decide(&detectors[asking[i]]->posterior, logits[i]);
}

/* What speaks for speech in a hop: the sender's word where there is one, else what was measured. A hop whose look-ahead
 * was not heard follows the word on what came next. False if there is nothing: the hop lies in a gap, or the window that
 * would decide it has a hole. */
static bool find_evidence(const va_detector *d, uint64_t hop, float *posterior) {
  *posterior = 0;
  if (d->waiting[hop % VA_WAITING].missing) return false;
  for (uint64_t next = hop; next <= d->hops; next++) {
    const va_waiting_hop *known = &d->waiting[next % VA_WAITING];
    if (known->missing) break;
    if (!va_is_told(known)) continue;
    *posterior = known->voice ? 1 : 0;
    return true;
  }
  if (d->steps_unheard > 0) return false;
  *posterior = d->posterior.decided[hop % VA_STEP_HOPS];
  return true;
}

/* Without evidence the decision stays as it is for VA_CARRIED_HOPS, so that a lost packet does not cut a word. */
static bool is_carried(va_detector *d, bool has_evidence) {
  if (has_evidence) d->carried_hops = 0;
  else if (d->carried_hops < VA_CARRIED_HOPS) return d->carried_hops++, true;
  return false;
}

static void decide(va_detector *d, uint64_t hop, va_output *output) {
  float posterior;
  if (!is_carried(d, find_evidence(d, hop, &posterior)))
    va_emit_transition(d, output, va_hysteresis_step(&d->hysteresis, posterior, hop));
  va_mute_input heard = {
      .hop = hop,
      .newest = d->hops,
      .onset = d->hysteresis.onset,
      .is_speech = va_hysteresis_is_speech(&d->hysteresis),
      .muted = va_is_muted(d),
  };
  va_emit_mute_change(d, output, va_mute_gate_step(&d->mute_gate, heard), hop);
  va_hop record = va_hop_record(d, hop, posterior);
  va_publish_hop(d, &record, hop + 1);
  if (output->hops) output->hops[output->hop_count++] = record;
}

static void conclude(va_detector *d, va_output *output) {
  if (d->hops >= VA_LOOKAHEAD_HOPS) decide(d, d->hops - VA_LOOKAHEAD_HOPS, output);
  va_framer_advance(&d->framer);
  d->hops++;
  d->waiting[d->hops % VA_WAITING] = (va_waiting_hop){.told = 0};
}

void va_analyse_hops(va_detector *const *detectors, va_output *const *outputs, size_t count) {
  for (size_t i = 0; i < count; i++) complete(detectors[i]);
  if (va_framer_ends_step(&detectors[0]->framer)) take_steps(detectors, count);
  for (size_t i = 0; i < count; i++) conclude(detectors[i], outputs[i]);
}
