#include "smoother.h"

#include <string.h>

#include "fast_math.h"
#include "memory.h"
#include "results.h"

/* Probabilities nearer to 0 and 1 than this say nothing more. As training has it. */
#define VA_LEAST_PROBABILITY 0.0025f

/* What a logit is divided by before the first layer. */
#define VA_LOGIT_SCALE 4.0f

/* Steps of silence before the stream: more than the network sees, and a whole number of rounds of what is kept. */
#define VA_SILENT_STEPS (2 * VA_SMOOTHER_KEPT)

#define VA_KEPT_HOPS (VA_SMOOTHER_KEPT * VA_STEP_HOPS)

static float logit(float p) {
  p = p > VA_LEAST_PROBABILITY ? p : VA_LEAST_PROBABILITY; /* NaN, too */
  p = p < 1 - VA_LEAST_PROBABILITY ? p : 1 - VA_LEAST_PROBABILITY;
  return (va_log2(p) - va_log2(1 - p)) * (VA_LN2 / VA_LOGIT_SCALE);
}

/* MARK: the network */

/* All processors have vectors of four, so that one body is enough. A row of channels is two of them. */
typedef float va_four __attribute__((vector_size(16)));
typedef int32_t va_mask __attribute__((vector_size(16)));
enum { FOURS = VA_SMOOTHER_CHANNELS / 4 };
_Static_assert(VA_SMOOTHER_CHANNELS % 4 == 0, "channels fill vectors");
typedef struct va_row {
  va_four of[FOURS];
} va_row;

static inline va_row load(const float *channels) {
  va_row row;
  memcpy(&row, channels, sizeof row);
  return row;
}

/* Returns the sums and inputs × weights. */
static inline va_row add(va_row sums, const float *inputs, size_t count, const float (*weights)[VA_SMOOTHER_CHANNELS]) {
  for (size_t i = 0; i < count; i++) {
    const va_row row = load(weights[i]);
    for (int four = 0; four < FOURS; four++) sums.of[four] += inputs[i] * row.of[four];
  }
  return sums;
}

static inline va_row above_zero(va_row row) {
  for (int four = 0; four < FOURS; four++) row.of[four] = (va_four)((va_mask)row.of[four] & (row.of[four] > 0));
  return row;
}

static float *input_of(va_smoother *s, int layer, uint64_t step) { return s->inputs[layer][step % VA_SMOOTHER_KEPT]; }

/* The first layer's output for `step`. */
static va_row run_first(const va_smoother *s, uint64_t step) {
  const va_smoother_weights *w = &va_smoother_network;
  va_row sums = load(w->first_bias);
  for (int tap = 0; tap < VA_SMOOTHER_TAPS; tap++)
    sums = add(sums, s->logits[(step + (uint64_t)tap - VA_SMOOTHER_TAPS / 2) % VA_SMOOTHER_KEPT], VA_STEP_HOPS,
               w->first[tap]);
  return above_zero(sums);
}

/* A further layer's. */
static va_row run_layer(va_smoother *s, int layer, uint64_t step) {
  const va_smoother_weights *w = &va_smoother_network;
  const uint64_t away = VA_SMOOTHER_DILATION(layer);
  const float *middle = input_of(s, layer, step);
  va_row sums = load(w->layer_bias[layer]), kept = load(middle);
  sums = add(sums, input_of(s, layer, step - away), VA_SMOOTHER_CHANNELS, w->layer[layer][0]);
  sums = add(sums, middle, VA_SMOOTHER_CHANNELS, w->layer[layer][1]);
  sums = above_zero(add(sums, input_of(s, layer, step + away), VA_SMOOTHER_CHANNELS, w->layer[layer][2]));
  for (int four = 0; four < FOURS; four++) kept.of[four] += sums.of[four];
  return kept;
}

/* Runs the network on the logits of the newest step, which are in their place. Returns the step that this decides, and
 * its logits. Steps before the stream wrap around, and so do their places. */
static uint64_t run_network(va_smoother *s, float *decided) {
  const va_smoother_weights *w = &va_smoother_network;
  uint64_t step = s->steps - VA_SMOOTHER_TAPS / 2;
  va_row row = run_first(s, step);
  for (int layer = 0; layer < VA_SMOOTHER_LAYERS; layer++) {
    memcpy(input_of(s, layer, step), &row, sizeof row);
    step -= VA_SMOOTHER_DILATION(layer);
    row = run_layer(s, layer, step);
  }
  float out[VA_SMOOTHER_CHANNELS];
  memcpy(out, &row, sizeof out);
  for (int hop = 0; hop < VA_STEP_HOPS; hop++) {
    decided[hop] = w->last_bias[hop] + w->direct * s->logits[step % VA_SMOOTHER_KEPT][hop];
    for (int channel = 0; channel < VA_SMOOTHER_CHANNELS; channel++)
      decided[hop] += out[channel] * w->last[channel][hop];
  }
  return step;
}

/* Completes the newest step: keeps the posteriors of the one that it decides. */
static void complete_step(va_smoother *s) {
  float decided[VA_STEP_HOPS];
  uint64_t step = run_network(s, decided);
  for (int hop = 0; hop < VA_STEP_HOPS; hop++)
    s->posteriors[step % VA_SMOOTHER_KEPT][hop] = 1 / (1 + va_exp2(decided[hop] * (-1 / VA_LN2)));
  s->steps++;
}

static void add_logit(va_smoother *s, float value) {
  s->logits[s->steps % VA_SMOOTHER_KEPT][s->newest] = value;
  s->newest = (s->newest + 1) % VA_STEP_HOPS;
  if (s->newest == 0) complete_step(s);
}

/* MARK: life */

/* A stream begins as after a silence so long that the network sees nothing else. */
void va_smoother_reset(va_smoother *s) {
  memset(s->logits, 0, sizeof s->logits);
  memset(s->inputs, 0, sizeof s->inputs);
  va_hysteresis_reset(&s->hysteresis);
  s->next_hop = s->next_event = 0;
  s->taken = s->released = s->steps = 0;
  s->newest = 0;
  s->newest_logit = logit(0);
  s->has_ended = false;
  for (int hop = 0; hop < VA_SILENT_STEPS * VA_STEP_HOPS; hop++) add_logit(s, logit(0));
}

va_status_code va_smoother_create(const va_config *config, va_smoother **smoother) {
  va_status_code code = va_config_check(smoother ? config : NULL);
  if (code != VA_OK) return code;
  void *memory;
  code = va_allocate(sizeof(va_smoother), &memory);
  if (code != VA_OK) return code;
  va_smoother *made = memory;
  made->rate_hz = config->sample_rate_hz;
  va_hysteresis_init(&made->hysteresis, config);
  va_smoother_reset(made);
  *smoother = made;
  return VA_OK;
}

void va_smoother_destroy(va_smoother *smoother) { va_release(smoother); }

/* MARK: hops */

/* A detector that was restored goes on in the middle. */
static void start_at(va_smoother *s, const va_hop *hop) {
  s->first = va_whole_hops(s->rate_hz, hop->position);
  s->hysteresis.onset = s->hysteresis.offset = s->first;
}

/* The input position by which a detector has decided the next hop; resampling delays it by less than half a hop. */
static uint64_t next_decision(const va_smoother *s) {
  return va_hop_start(s->rate_hz, s->first + s->taken + 1 + VA_LOOKAHEAD_HOPS) + s->rate_hz / (2 * VA_HOPS_PER_SECOND);
}

static void take(va_smoother *s, const va_hop *hop) {
  if (!va_hysteresis_carried(&s->hysteresis, hop)) s->newest_logit = logit(hop->posterior);
  s->hops[s->taken % VA_KEPT_HOPS] = *hop;
  s->taken++;
  add_logit(s, s->newest_logit);
}

/* The hops that the network has decided. */
static uint64_t decided_hops(const va_smoother *s) {
  const uint64_t before = VA_SILENT_STEPS + VA_SMOOTHER_DELAY;
  const uint64_t decided = s->steps > before ? (s->steps - before) * VA_STEP_HOPS : 0;
  return decided < s->taken ? decided : s->taken;
}

static void emit(const va_smoother *s, va_output *output, va_transition transition) {
  if (transition == VA_NO_TRANSITION) return;
  const bool began = transition == VA_SPEECH_BEGAN;
  va_append_event(output, (va_event){
                              .type = began ? VA_EVENT_ONSET : VA_EVENT_OFFSET,
                              .position = va_hop_start(s->rate_hz, began ? s->hysteresis.onset : s->hysteresis.offset),
                              .decided_at = va_hop_start(s->rate_hz, s->first + s->taken),
                          });
}

/* The posterior of a hop that was decided. What a sender decided stays, and a gap has none. */
static float posterior_of(const va_smoother *s, const va_hop *hop) {
  if (hop->flags & (VA_HOP_MISSING | VA_HOP_LEVEL_ONLY)) return hop->posterior;
  return s->posteriors[(s->released / VA_STEP_HOPS + VA_SILENT_STEPS) % VA_SMOOTHER_KEPT][s->released % VA_STEP_HOPS];
}

/* Releases the next hop that was decided. */
static void release(va_smoother *s, va_output *output) {
  va_hop *hop = &s->hops[s->released % VA_KEPT_HOPS];
  va_hysteresis *h = &s->hysteresis;
  const bool carried = va_hysteresis_carried(h, hop); /* over a short gap, where the detector had no evidence */
  const uint64_t number = s->first + s->released;
  if (carried) {
    va_hysteresis_pass(h, number);
  } else {
    hop->posterior = posterior_of(s, hop);
    emit(s, output, va_hysteresis_step(h, hop->posterior, number));
  }
  va_hysteresis_record(h, hop);
  s->released++;
  if (output->hops) va_append_hop(output, *hop);
}

/* MARK: results */

/* Passes on the events that do not depend on the smoothed hops and were decided up to a position. With the position of
 * the next hop's decision, the order of all events does not depend on the calls, except at the end of a stream. Returns
 * false if the output is full before. */
static bool pass_on_events(va_smoother *s, const va_output *results, uint64_t decided, va_output *output) {
  for (; s->next_event < results->event_count; s->next_event++) {
    const va_event *event = &results->events[s->next_event];
    if (va_event_is_of_speech(event)) continue;
    if (event->decided_at > decided) break;
    if (!va_has_room(output)) return false;
    va_append_event(output, *event);
  }
  return true;
}

/* Releases all hops that were decided. Returns false if the output is full before. */
static bool release_decided(va_smoother *s, va_output *output) {
  for (; s->released < decided_hops(s); release(s, output))
    if (!va_has_room(output)) return false;
  return true;
}

/* Takes all results. Returns false if the output is full before. */
static bool take_results(va_smoother *s, const va_output *results, va_output *output) {
  for (;;) {
    if (!release_decided(s, output)) return false;
    if (s->next_hop >= results->hop_count) return pass_on_events(s, results, UINT64_MAX, output);
    if (s->taken == 0) start_at(s, &results->hops[s->next_hop]);
    if (s->next_event < results->event_count && !pass_on_events(s, results, next_decision(s), output)) return false;
    take(s, &results->hops[s->next_hop]);
    s->next_hop++;
  }
}

/* Decides all hops, as if silence followed, and ends open speech. Returns false if the output is full before. */
static bool end(va_smoother *s, va_output *output) {
  while (release_decided(s, output)) {
    if (s->released < s->taken) {
      add_logit(s, logit(0));
    } else if (va_has_room(output)) {
      emit(s, output, va_hysteresis_end(&s->hysteresis));
      s->has_ended = true;
      return true;
    } else {
      return false;
    }
  }
  return false;
}

va_status_code va_smoother_process(va_smoother *s, const va_output *results, va_output *smoothed) {
  const bool has_input = !results || results->hops || results->event_count + results->hop_count == 0;
  va_status_code code = va_open_output(smoothed);
  if (code == VA_OK && !(s && !s->has_ended && has_input))
    code = va_open_output(NULL); /* refused as a missing one is */
  if (code != VA_OK) return code;
  smoothed->more = results ? !take_results(s, results, smoothed) : !end(s, smoothed);
  if (!smoothed->more) s->next_hop = s->next_event = 0;
  return VA_OK;
}
