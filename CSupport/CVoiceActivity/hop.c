#include "hop.h"

#include "level.h"
#include "results.h"
#include "status.h"

/* The mean square of a hop at -100 dBFS. A hop below it holds at most the dither of silence. */
#define VA_SILENT_POWER 1e-10f

/* Where the posterior is below this, nobody speaks whose clarity could matter. */
#define VA_HARDLY_SPEECH 0.2f

/* Steps in a row without a whole window after which the features restart: half a second. */
#define VA_FORGET_STEPS 25

/* MARK: measuring */

static float louder(float a, float b) { return a > b ? a : b; }

/* Adds the PCM of the newest hop to its level. */
static void measure_level(va_detector *d) {
  va_waiting_hop *newest = va_hop_in_progress(d);
  float sum, peak;
  va_detector_kernels(d)->level(va_framer_hop(&d->framer), d->framer.length, &sum, &peak);
  newest->sum_of_squares += sum;
  newest->peak = louder(peak, newest->peak);
}

/* Updates the noise floor with the mean level in dB of those hops of the step that came as levels and are not
 * silent. */
static void learn_level(va_detector *d) {
  float sum_db = 0;
  int count = 0;
  for (uint64_t hop = d->hops + 1 - VA_STEP_HOPS; hop <= d->hops; hop++) {
    const va_waiting_hop *waiting = va_waiting_hop_at(d, hop);
    if (!va_hop_follows_level(d, waiting) || va_hop_power(d, waiting) < VA_SILENT_POWER) continue;
    sum_db += va_power_db(va_hop_power(d, waiting));
    count++;
  }
  if (count > 0)
    va_noise_floor_update_level(&d->posterior.noise_floor, va_detector_kernels(d), sum_db / (float)count,
                                (int)d->usable_bands);
}

/* Takes the step's louder hop for the quietness. */
static void learn_quietness(va_detector *d) {
  float before = va_hop_power(d, va_waiting_hop_at(d, d->hops - 1)), newest = va_hop_power(d, va_hop_in_progress(d));
  va_quietness_update(&d->quietness, d->hops / VA_STEP_HOPS, louder(before, newest));
}

/* Counts a step whose window has a hole. A lost packet only fades the network's memory; after a longer loss, what the
 * features remember is about another sound. */
static void count_incomplete_step(va_detector *d) {
  if (d->incomplete_steps == VA_FORGET_STEPS) return;
  d->incomplete_steps++;
  if (d->incomplete_steps == VA_FORGET_STEPS) va_posterior_forget(&d->posterior);
  else va_posterior_fade(&d->posterior);
}

static bool is_silent(const va_detector *d) {
  const float silent_sum = VA_SILENT_POWER * (float)d->framer.length;
  for (int i = 0; i < VA_WAITING; i++)
    if (d->waiting[i].sum_of_squares >= silent_sum) return false;
  return true;
}

/* Counts the newest window. Returns false if the network has nothing to do: windows with a hole and silent windows are
 * neither measured nor learned from. */
static bool is_worth_measuring(va_detector *d) {
  if (!va_framer_is_whole(&d->framer)) {
    count_incomplete_step(d);
    return false;
  }
  d->incomplete_steps = 0;
  return !is_silent(d);
}

static bool is_beside_echo(const va_echo *echo) { return echo && va_echo_is_recent(echo); }

/* Removing an echo from a band makes it fall. What is not measured may have risen. */
static void learn_clarity(va_detector *d, const va_echo *echo, const int16_t *frame) {
  const float posterior = d->posterior.decided[VA_STEP_HOPS - 1];
  if (posterior <= VA_HARDLY_SPEECH || is_beside_echo(echo)) {
    d->rises = VA_RISES_MOST;
    return;
  }
  const va_falls falls = va_clarity_measure(&d->rises, &d->posterior.network, frame, (int)d->usable_bands);
  if (posterior <= VA_SURE_POSTERIOR) return;
  if (d->mute_gate.muted) va_clarity_judge(&d->clarity, falls);
  else if (va_speaker_level_is_own(&d->speaker_level)) va_clarity_learn(&d->clarity, falls);
}

/* Measures all windows. Returns for how many streams the network runs; asking[] gets their indices, inputs[] what the
 * network sees. Stage by stage: the processor then works on several streams at a time where a stage has to wait for its
 * own results. Its arrays are not on the stack while the network runs. */
static __attribute__((noinline)) size_t measure_windows(va_detector *const *detectors, va_echo *const *echoes,
                                                        size_t count, size_t *asking, va_network_input *inputs,
                                                        va_ahead *ahead) {
  const va_kernels *kernels = va_detector_kernels(detectors[0]);
  va_window_levels levels[VA_STREAMS_AT_ONCE];
  va_pitch_powers powers[VA_STREAMS_AT_ONCE];
  va_pitch pitches[VA_STREAMS_AT_ONCE];
  size_t asked = 0;
  for (size_t i = 0; i < count; i++) {
    va_detector *d = detectors[i];
    va_look_ahead(ahead);
    if (is_worth_measuring(d)) {
      va_posterior_measure(kernels, &d->framer, (int)d->usable_bands, &levels[asked], powers[asked]);
      va_look_ahead(ahead);
      asking[asked] = i;
      asked++;
    } else {
      va_posterior_pass(&d->posterior);
      d->rises = VA_RISES_MOST;
      if (echoes[i]) va_echo_pass(echoes[i]);
    }
  }
  for (size_t i = 0; i < asked; i++) {
    va_detector *d = detectors[asking[i]];
    va_look_ahead(ahead);
    va_posterior_describe(&d->posterior, kernels, &levels[i], (int)d->usable_bands, echoes[asking[i]], inputs[i].frame);
    learn_clarity(d, echoes[asking[i]], inputs[i].frame);
  }
  kernels->pitches(powers, pitches, asked);
  for (size_t i = 0; i < asked; i++) va_pitch_features(pitches[i], inputs[i].pitch);
  return asked;
}

/* Moves the streams that are not beside an echo before those that are. Returns how many they are. */
static size_t sort_by_weights(va_echo *const *echoes, size_t *asking, va_network_input *inputs, size_t asked) {
  size_t plain = 0;
  for (size_t i = 0; i < asked; i++) {
    if (is_beside_echo(echoes[asking[i]])) continue;
    if (i > plain) {
      size_t stream = asking[i];
      va_network_input input = inputs[i];
      asking[i] = asking[plain], inputs[i] = inputs[plain];
      asking[plain] = stream, inputs[plain] = input;
    }
    plain++;
  }
  return plain;
}

/* Takes a step of each stream: measures the newest windows and runs the network on them. Its arrays are not on the
 * stack while the echoes begin their steps, which need as much again. */
static __attribute__((noinline)) void analyse_steps(va_detector *const *detectors, va_echo *const *echoes, size_t count,
                                                    va_ahead *ahead) {
  size_t asking[VA_STREAMS_AT_ONCE];
  va_network *networks[VA_STREAMS_AT_ONCE];
  va_network_input inputs[VA_STREAMS_AT_ONCE];
  va_logits logits[VA_STREAMS_AT_ONCE];
  for (size_t i = 0; i < count; i++) learn_level(detectors[i]), learn_quietness(detectors[i]);
  size_t asked = measure_windows(detectors, echoes, count, asking, inputs, ahead);
  size_t plain = sort_by_weights(echoes, asking, inputs, asked);
  for (size_t i = 0; i < asked; i++) networks[i] = &detectors[asking[i]]->posterior.network;
  const va_kernels *kernels = va_detector_kernels(detectors[0]);
  va_look_ahead(ahead);
  kernels->network_steps(&va_network_weights, networks, inputs, logits, plain);
  if (asked > plain)
    kernels->network_steps(&va_network_weights_beside_echo, networks + plain, inputs + plain, logits + plain,
                           asked - plain);
  for (size_t i = 0; i < asked; i++) {
    va_detector *d = detectors[asking[i]];
    va_posterior_decide(&d->posterior, logits[i], va_quietness_weight(&d->quietness));
  }
}

/* MARK: deciding */

/* Finds the posterior of a hop. A level's voice bit comes first: the hop's own, or the next one in its look-ahead.
 * Otherwise it is the network's answer. Returns false, and a posterior of 0, if there is no evidence: the hop lies in a
 * gap, or the window that would decide it has a hole. */
static bool find_evidence(const va_detector *d, uint64_t hop, float *posterior) {
  *posterior = 0;
  if (va_waiting_hop_at(d, hop)->missing) return false;
  for (uint64_t next = hop; next <= d->hops; next++) {
    const va_waiting_hop *waiting = va_waiting_hop_at(d, next);
    if (waiting->missing) break;
    if (va_hop_follows_level(d, waiting)) {
      *posterior = waiting->voice ? 1 : 0;
      return true;
    }
  }
  if (d->incomplete_steps > 0) return false;
  *posterior = d->posterior.decided[hop % VA_STEP_HOPS];
  return true;
}

/* Updates the speech state. Without evidence it stays as it is for VA_CARRIED_HOPS hops, so that a lost packet does not
 * cut a word; after that a hop counts as non-speech. */
static va_transition decide_speech(va_detector *d, uint64_t hop, bool has_evidence, float posterior) {
  if (has_evidence) {
    d->carried_hops = 0;
  } else if (d->carried_hops < VA_CARRIED_HOPS) {
    d->carried_hops++;
    va_hysteresis_pass(&d->hysteresis, hop);
    return VA_NO_TRANSITION;
  }
  return va_hysteresis_step(&d->hysteresis, posterior, hop);
}

/* Somebody near is far louder than the echo to expect if the hop has this many times its power: 10 dB. */
#define VA_FAR_LOUDER 10.0f

static bool is_far_louder(va_detector *d, const va_echo *echo) {
  return va_hop_power(d, va_hop_in_progress(d)) > VA_FAR_LOUDER * va_echo_power(echo, va_detector_kernels(d));
}

/* A window reaches back into the hop that waits for the newest one: hop and look-ahead are PCM if both are whole. */
static va_nearness learn_speaker_level(va_detector *d, const va_echo *echo, uint64_t hop, float posterior, bool muted) {
  const va_waiting_hop *waiting = va_waiting_hop_at(d, hop);
  va_speaker_input input = {
      .power = va_hop_power(d, va_hop_in_progress(d)),
      .posterior = posterior,
      .clarity_gain = va_clarity_gain(&d->clarity),
      .is_sound = va_framer_is_whole(&d->framer) && !waiting->missing && waiting->level_samples == 0,
      .is_echo = !muted && posterior > VA_SURE_POSTERIOR && echo && echo->is_echo && !is_far_louder(d, echo),
      .muted = muted,
  };
  return va_speaker_level_step(&d->speaker_level, &input);
}

static va_mute_change decide_muted_speech(va_detector *d, const va_echo *echo, uint64_t hop, float posterior) {
  const bool muted = va_is_muted(d);
  if (!muted) d->clarity.evidence = 0;
  va_mute_input input = {
      .hop = hop,
      .newest = d->hops,
      .onset = d->hysteresis.onset,
      .is_speech = va_hysteresis_is_speech(&d->hysteresis),
      .nearness = learn_speaker_level(d, echo, hop, posterior, muted),
      .muted = muted,
  };
  const bool was_speaking = d->mute_gate.speaking;
  const va_mute_change change = va_mute_gate_step(&d->mute_gate, &input);
  if (was_speaking && !d->mute_gate.speaking) va_clarity_close(&d->clarity);
  return change;
}

static void decide(va_detector *d, const va_echo *echo, uint64_t hop, va_output *output) {
  float posterior;
  bool has_evidence = find_evidence(d, hop, &posterior);
  va_emit_transition(d, output, decide_speech(d, hop, has_evidence, posterior));
  va_emit_mute_change(d, output, decide_muted_speech(d, echo, hop, posterior), hop);
  va_publish_hop(d, posterior, va_reported_power(d, va_waiting_hop_at(d, hop)), hop + 1);
  if (output->hops) va_append_hop(output, va_hop_record(d, hop, posterior, has_evidence && echo && echo->is_echo));
}

/* Decides the hop that was waiting for the newest one, and begins the next. */
static void conclude(va_detector *d, const va_echo *echo, va_output *output) {
  if (d->hops >= VA_LOOKAHEAD_HOPS) decide(d, echo, d->hops - VA_LOOKAHEAD_HOPS, output);
  float before = va_waiting_hop_at(d, d->hops + VA_WAITING - 1)->peak; /* of no use, and 0, at the first hop */
  va_framer_advance(&d->framer, va_detector_kernels(d), louder(before, va_hop_in_progress(d)->peak));
  d->hops++;
  *va_hop_in_progress(d) = (va_waiting_hop){.level_samples = 0};
}

void va_analyse_hops(va_detector *const *detectors, va_echo *const *echoes, va_output *const *outputs, size_t count,
                     va_ahead *ahead) {
  for (size_t i = 0; i < count; i++) measure_level(detectors[i]), va_look_ahead(ahead);
  if (va_framer_ends_step(&detectors[0]->framer)) {
    for (size_t i = 0; i < count; i++)
      if (echoes[i]) va_echo_begin_step(echoes[i]);
    for (size_t i = 0; i < count; i += VA_STREAMS_AT_ONCE)
      analyse_steps(detectors + i, echoes + i, count - i < VA_STREAMS_AT_ONCE ? count - i : VA_STREAMS_AT_ONCE, ahead);
  }
  for (size_t i = 0; i < count; i++) conclude(detectors[i], echoes[i], outputs[i]), va_look_ahead(ahead);
}
