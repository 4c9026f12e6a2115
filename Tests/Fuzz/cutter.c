/* cutter.c — cuts any row of posteriors by any rules: the cuts must keep the rules, and must not depend on how the
 * results are divided or on where the stream begins.
 *
 * The input chooses the settings and a row of runs: speech, silence, doubt and lost hops. The core's own hysteresis
 * makes the events. The row is cut in one call, in pieces, and again far from position 0. Results that no detector
 * would give follow, which only must not be harmful. */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "cutter.h"
#include "fuzz.h"
#include "hysteresis.h"

enum { HOPS = 8192, CUTS = HOPS };

typedef struct row {
  uint32_t rate;
  size_t count, event_count;
  va_hop hops[HOPS];
  va_event events[2 * HOPS + 2];
  size_t decided_with[2 * HOPS + 2]; /* the hop with which the detector returns an event */
} row;

typedef struct cuts {
  va_cut cuts[CUTS];
  size_t count;
} cuts;

static row made, moved;
static cuts whole, pieces;
static uint32_t random_state;

static uint32_t roll(uint32_t sides) {
  random_state = random_state * 1664525u + 1013904223u;
  return (random_state >> 16) % sides;
}

/* MARK: results */

static void add_event(row *row, va_event_type type, uint64_t hop, size_t decided_with) {
  row->decided_with[row->event_count] = decided_with;
  row->events[row->event_count++] = (va_event){.type = type,
                                               .position = va_hop_start(row->rate, hop),
                                               .decided_at = va_hop_start(row->rate, decided_with + 1)};
}

static void add_transition(row *row, const va_hysteresis *hysteresis, va_transition transition, size_t hop) {
  if (transition == VA_SPEECH_BEGAN) add_event(row, VA_EVENT_ONSET, hysteresis->onset, hop);
  if (transition == VA_SPEECH_ENDED) add_event(row, VA_EVENT_OFFSET, hysteresis->offset, hop);
}

static void make_row(row *row, const va_config *config, reader *in) {
  va_hysteresis hysteresis;
  va_hysteresis_init(&hysteresis, config);
  row->rate = config->sample_rate_hz;
  row->count = row->event_count = 0;
  while (!is_empty(in) && row->count < HOPS) {
    const uint8_t kind = next_byte(in), length = next_byte(in);
    const bool is_lost = kind == 255;
    for (size_t i = 0; i <= length && row->count < HOPS; i++) {
      const size_t hop = row->count++;
      const uint32_t sides = kind % 4 == 0 ? 1 : 256;
      const float posterior = is_lost ? 0 : kind % 4 == 1 ? 1 : (float)(roll(sides) * (kind / 4u) / 63) / 255;
      if (is_lost && i < 5) va_hysteresis_pass(&hysteresis, hop);
      else add_transition(row, &hysteresis, va_hysteresis_step(&hysteresis, posterior, hop), hop);
      row->hops[hop] = (va_hop){.position = va_hop_start(row->rate, hop),
                                .posterior = posterior,
                                .state = (uint8_t)hysteresis.state,
                                .flags = is_lost ? VA_HOP_MISSING : 0};
    }
  }
  add_transition(row, &hysteresis, va_hysteresis_end(&hysteresis), row->count);
}

static uint64_t end_of(const row *row) { return va_hop_start(row->rate, row->count); }

/* MARK: cutting */

static void keep(cuts *found, const va_cut *cut) {
  REQUIRE(found->count < CUTS, "more cuts than hops");
  found->cuts[found->count++] = *cut;
}

/* Divides the results into calls of at most `longest` hops. What is said of the next cut before each call must hold. */
static void cut_row(va_cutter *cutter, row *row, size_t longest, cuts *found) {
  static struct { uint64_t needed, certain; size_t cuts; } said[HOPS + 1];
  size_t event = 0, calls = 0;
  va_cut cut;
  found->count = 0;
  for (size_t hop = 0; hop < row->count;) {
    const size_t left = row->count - hop, count = left <= longest ? left : 1 + roll((uint32_t)longest);
    size_t events = 0;
    while (event + events < row->event_count && (row->decided_with[event + events] < hop + count || left == count))
      events++;
    va_output results = {.hops = row->hops + hop, .hop_count = count, .events = row->events + event,
                         .event_count = events};
    while (va_cutter_next(cutter, &results, &cut)) keep(found, &cut);
    said[calls].needed = va_cutter_needed(cutter, &said[calls].certain);
    said[calls++].cuts = found->count;
    hop += count, event += events;
  }
  const uint64_t last = row->count > 0 ? va_whole_hops(row->rate, row->hops[row->count - 1].position) + 1 : 0;
  const uint64_t end = va_hop_start(row->rate, last);
  while (va_cutter_finish(cutter, end, &cut)) keep(found, &cut);
  for (size_t i = 0; i < calls; i++) {
    REQUIRE(said[i].needed <= said[i].certain, "what is certain is needed");
    if (said[i].cuts == found->count) {
      REQUIRE(said[i].needed == said[i].certain, "a cut was certain that does not come");
      continue;
    }
    const va_cut *next = &found->cuts[said[i].cuts];
    REQUIRE(said[i].needed <= next->start, "what the next cut needs was forgotten");
    if (said[i].needed == said[i].certain) continue;
    REQUIRE(said[i].needed == next->start, "a cut does not begin where it was certain to");
    REQUIRE((said[i].certain < end ? said[i].certain : end) <= next->end, "a cut ends before its certain part does");
  }
}

static void check_rules(const row *row, const va_cut_rules *rules, const cuts *found) {
  const uint64_t longest = ((uint64_t)rules->max_length_ms * row->rate + 500) / 1000;
  for (size_t i = 0; i < found->count; i++) {
    const va_cut *cut = &found->cuts[i];
    REQUIRE(cut->start < cut->end && cut->end <= end_of(row), "a cut lies in the stream");
    REQUIRE(rules->max_length_ms == 0 || cut->end - cut->start <= longest, "a cut is too long");
    REQUIRE(i == 0 || found->cuts[i - 1].end <= cut->start, "cuts overlap");
    REQUIRE(i == 0 || !found->cuts[i - 1].continues || found->cuts[i - 1].end == cut->start, "speech is lost at a cut");
  }
  REQUIRE(found->count == 0 || !found->cuts[found->count - 1].continues, "speech goes on after the last cut");
  if (rules->min_speech_ms > 0) return;
  for (size_t event = 0, at = 0; event < row->event_count; event += 2) { /* all speech is in cuts */
    uint64_t position = row->events[event].position;
    while (position < row->events[event + 1].position) {
      while (at < found->count && found->cuts[at].end <= position) at++;
      REQUIRE(at < found->count && found->cuts[at].start <= position, "speech is lost");
      position = found->cuts[at].end;
    }
  }
}

static void check_same(const cuts *one, const cuts *other, uint64_t offset, const char *what) {
  REQUIRE(one->count == other->count, what);
  for (size_t i = 0; i < one->count; i++) {
    const va_cut *a = &one->cuts[i], *b = &other->cuts[i];
    REQUIRE(a->start + offset == b->start && a->end + offset == b->end && a->decided_at + offset == b->decided_at &&
                a->continues == b->continues,
            what);
  }
}

/* Far from position 0, a pre-roll that would begin before it is whole: the row begins a little later there. */
static uint64_t move(const row *from, row *to, uint64_t seconds) {
  const uint64_t offset = seconds * from->rate;
  *to = *from;
  for (size_t i = 0; i < to->count; i++) to->hops[i].position += offset;
  for (size_t i = 0; i < to->event_count; i++) to->events[i].position += offset, to->events[i].decided_at += offset;
  return offset;
}

/* Events and hops out of order, posteriors that are none, and calls without hops. */
static void cut_nonsense(va_cutter *cutter, row *row) {
  va_cut cut;
  size_t count = 0;
  for (size_t calls = 0; calls < 200 && row->count > 0; calls++) {
    const size_t hop = roll((uint32_t)row->count), event = roll((uint32_t)row->event_count + 1);
    if (roll(4) == 0) row->hops[hop].posterior = roll(2) ? NAN : -1e30f;
    va_output results = {.hops = roll(2) ? row->hops + hop : NULL,
                         .hop_count = row->count - hop < 60 ? row->count - hop : 60,
                         .events = row->events + event,
                         .event_count = row->event_count - event < 3 ? row->event_count - event : 3};
    while (va_cutter_next(cutter, &results, &cut)) REQUIRE(++count < 4 * HOPS, "there is no end of cuts");
    va_cutter_needed(cutter, NULL);
  }
  while (va_cutter_finish(cutter, end_of(row), &cut)) REQUIRE(++count < 4 * HOPS, "there is no end of cuts");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const uint32_t rates[] = {8000, 11025, 16000, 22050, 44100, 48000, 192000, 8001};
  reader in = {.bytes = data, .size = size};
  va_config config;
  va_config_default(&config, rates[next_byte(&in) % 8]);
  config.onset_threshold = (float)(1 + next_byte(&in) % 254) / 255;
  config.offset_threshold = config.onset_threshold * (float)(1 + next_byte(&in)) / 256;
  config.onset_debounce_ms = next_byte(&in) * 4u, config.hangover_ms = next_byte(&in) * 8u;
  va_cut_rules rules = {.struct_size = sizeof rules};
  rules.min_silence_ms = next_byte(&in) * 8u, rules.min_speech_ms = next_byte(&in) * 8u;
  rules.pad_before_ms = next_byte(&in) * 3u, rules.pad_after_ms = next_byte(&in) * 3u;
  const uint32_t limit = next_16_bits(&in) % 20000;
  if (limit > 0) rules.max_length_ms = rules.pad_before_ms + rules.pad_after_ms + 1000 + limit;
  random_state = next_byte(&in);
  make_row(&made, &config, &in);

  const size_t memory_size = va_cutter_size(&rules, &config);
  void *memory = NULL;
  REQUIRE(memory_size > 0 && posix_memalign(&memory, VA_DETECTOR_ALIGNMENT, memory_size) == 0, "the rules are allowed");
  memset(memory, 0xa5, memory_size);
  va_cutter *cutter;
  REQUIRE(va_cutter_init(memory, memory_size, &rules, &config, &cutter) == VA_OK, "a cutter");
  cut_row(cutter, &made, HOPS, &whole);
  check_rules(&made, &rules, &whole);
  static const size_t longest[] = {1, 40, 1000};
  for (size_t i = 0; i < 3; i++) {
    va_cutter_reset(cutter);
    cut_row(cutter, &made, longest[i], &pieces);
    check_same(&whole, &pieces, 0, "pieces give other cuts");
  }
  if (rules.pad_before_ms == 0) {
    va_cutter_reset(cutter);
    const uint64_t offset = move(&made, &moved, 1ull << (next_byte(&in) % 47));
    cut_row(cutter, &moved, 40, &pieces);
    check_same(&whole, &pieces, offset, "the same results later give other cuts");
  }
  va_cutter_reset(cutter);
  cut_nonsense(cutter, &made);
  free(memory);
  return 0;
}
