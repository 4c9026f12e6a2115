#include "cutter.h"

#include <string.h>

#include "hysteresis.h"
#include "memory.h"

/* The width over which a pause is weighed, 200 ms: a hop that the detector misses within a word is not a pause. */
#define VA_PAUSE_HOPS 20

/* MARK: life */

static uint64_t samples_of(uint32_t milliseconds, uint32_t rate_hz) {
  return ((uint64_t)milliseconds * rate_hz + 500) / 1000;
}

static va_status_code check(const va_cut_rules *rules, const va_config *config) {
  if (!rules) return VA_ERROR_ARGUMENT;
  va_status_code code = va_config_check(config);
  if (code != VA_OK) return code;
  if (rules->struct_size != sizeof *rules) return VA_ERROR_STRUCT_SIZE;
  const uint32_t lengths[] = {rules->pad_before_ms, rules->pad_after_ms, rules->min_speech_ms, rules->min_silence_ms,
                              rules->max_length_ms};
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
    if (lengths[i] > VA_DURATION_MAX_MS) return VA_ERROR_DURATION;
  const uint32_t least = rules->pad_before_ms + rules->pad_after_ms + VA_CUT_MIN_MS;
  return rules->max_length_ms > 0 && rules->max_length_ms < least ? VA_ERROR_DURATION : VA_OK;
}

/* The hops that a cut may have to look back at: the second half of the limit, and how long it can take until speech is
 * known to have gone on beyond the limit. */
static size_t history_capacity(const va_cut_rules *rules, const va_config *config) {
  if (rules->max_length_ms == 0) return 0;
  const uint64_t lag_ms = (uint64_t)config->hangover_ms + config->onset_debounce_ms + rules->min_silence_ms +
                          VA_RISE_MAX_MS;
  return (size_t)((rules->max_length_ms / 2 + lag_ms) / VA_HOP_MS) + 4 * VA_PAUSE_HOPS;
}

size_t va_cutter_size(const va_cut_rules *rules, const va_config *config) {
  return check(rules, config) == VA_OK ? sizeof(va_cutter) + history_capacity(rules, config) : 0;
}

va_status_code va_cutter_init(void *memory, size_t size, const va_cut_rules *rules, const va_config *config,
                              va_cutter **cutter) {
  if (!memory || !cutter || (uintptr_t)memory % VA_DETECTOR_ALIGNMENT) return VA_ERROR_ARGUMENT;
  va_status_code code = check(rules, config);
  if (code != VA_OK) return code;
  if (size < va_cutter_size(rules, config)) return VA_ERROR_ARGUMENT;
  const uint32_t rate_hz = config->sample_rate_hz;
  va_cutter *made = memory;
  *made = (va_cutter){
      .rate_hz = rate_hz,
      .offset_threshold = config->offset_threshold,
      .pad_before = samples_of(rules->pad_before_ms, rate_hz),
      .pad_after = samples_of(rules->pad_after_ms, rate_hz),
      .min_speech = samples_of(rules->min_speech_ms, rate_hz),
      .min_silence = samples_of(rules->min_silence_ms, rate_hz),
      .max_length = samples_of(rules->max_length_ms, rate_hz),
      .history_capacity = history_capacity(rules, config),
  };
  *cutter = made;
  return VA_OK;
}

va_status_code va_cutter_create(const va_cut_rules *rules, const va_config *config, va_cutter **cutter) {
  if (!cutter) return VA_ERROR_ARGUMENT;
  va_status_code code = check(rules, config);
  if (code != VA_OK) return code;
  const size_t size = va_cutter_size(rules, config);
  void *memory;
  code = va_allocate(size, &memory);
  return code == VA_OK ? va_cutter_init(memory, size, rules, config, cutter) : code;
}

void va_cutter_destroy(va_cutter *cutter) { va_release(cutter); }

void va_cutter_reset(va_cutter *cutter) {
  cutter->next_hop = cutter->next_event = cutter->ready_count = 0;
  cutter->has_newest = cutter->is_speaking = cutter->follows_cut = cutter->has_padded = false;
  cutter->quiet_until = cutter->hops = 0;
}

/* MARK: shaping */

static uint64_t before(uint64_t position, uint64_t length) { return position > length ? position - length : 0; }
static uint64_t earlier(uint64_t a, uint64_t b) { return a < b ? a : b; }
static uint64_t later(uint64_t a, uint64_t b) { return a > b ? a : b; }

static void complete(va_cutter *c, va_cut cut) {
  c->ready[c->ready_count] = cut; /* there is room: see VA_CUTS_AT_ONCE */
  c->ready_count++;
}

static void complete_padded(va_cutter *c) {
  if (c->has_padded) complete(c, c->padded);
  c->has_padded = false;
}

/* Where two cuts meet whose padding overlaps: in the middle of the overlap, but in the silence between their speech. */
static uint64_t meeting(const va_cutter *c, uint64_t padded_start, uint64_t speech_start) {
  const uint64_t middle = padded_start + (c->padded.end - padded_start) / 2;
  return earlier(later(middle, c->padded.end - c->pad_after), speech_start);
}

/* Pads speech, and joins it to the cut before if they now overlap, unless they would be longer than the limit
 * together. */
static void pad(va_cutter *c, va_cut speech) {
  const uint64_t speech_start = speech.start;
  if (!c->follows_cut) speech.start = before(speech.start, c->pad_before);
  if (!speech.continues) speech.end += c->pad_after;
  if (c->has_padded && speech.start < c->padded.end) {
    if (c->max_length == 0 || speech.end - c->padded.start <= c->max_length) {
      speech.start = c->padded.start;
      c->has_padded = false;
    } else {
      c->padded.end = speech.start = meeting(c, speech.start, speech_start);
    }
  }
  complete_padded(c);
  c->padded = speech;
  c->has_padded = true;
}

/* Completes the newest speech: it is padded, or dropped if it is too short. */
static void settle(va_cutter *c) {
  c->has_newest = false;
  if (c->follows_cut || c->newest.end - c->newest.start >= c->min_speech) pad(c, c->newest);
  c->follows_cut = false;
}

/* The longest that speech may be before it is padded; 0 if there is no limit. */
static uint64_t limit_of(const va_cutter *c) {
  return c->max_length > 0 ? c->max_length - c->pad_before - c->pad_after : 0;
}

static bool is_too_long(const va_cutter *c) {
  return c->has_newest && c->max_length > 0 && c->newest.end - c->newest.start > limit_of(c);
}

/* No speech begins before `position`. What is too long is cut before it settles. */
static void advance(va_cutter *c, uint64_t position) {
  if (is_too_long(c)) return;
  if (c->has_newest && !c->is_speaking && position >= c->newest.end + c->min_silence) settle(c);
  if (!c->has_newest && c->has_padded && position >= c->padded.end + c->pad_before) complete_padded(c);
}

/* MARK: the limit */

/* Notes the posterior of a hop. Hops before it that were not reported count as silence: a stream that was restored
 * begins in the middle. */
static void note(va_cutter *c, uint64_t hop, float posterior) {
  const uint64_t capacity = c->history_capacity;
  if (capacity > 0) {
    const uint64_t first = hop > c->hops + capacity ? hop - capacity : c->hops;
    for (uint64_t skipped = first; skipped < hop; skipped++) c->history[skipped % capacity] = 0;
    c->history[hop % capacity] = posterior >= 0 && posterior <= 1 ? (uint8_t)(posterior * 255 + 0.5f) : 0;
  }
  c->hops = hop + 1;
}

static uint8_t history_at(const va_cutter *c, uint64_t hop) { return c->history[hop % c->history_capacity]; }

/* Returns the first hop of the VA_PAUSE_HOPS in `first` … `last` in which there was least speech. If several windows
 * are equal, it is the middle one of the longest run of them; of runs of one length, of the last: the middle of the
 * longest silence. */
static uint64_t quietest_window(const va_cutter *c, uint64_t first, uint64_t last) {
  uint64_t best = first, run_start = first, longest = 0;
  uint32_t sum = 0, least = UINT32_MAX;
  bool is_run = false;
  for (uint64_t hop = first; hop < last; hop++) {
    sum += history_at(c, hop);
    if (hop - first + 1 < VA_PAUSE_HOPS) continue;
    const uint64_t window = hop + 1 - VA_PAUSE_HOPS;
    if (sum < least) least = sum, longest = 0, is_run = false;
    if (sum > least) is_run = false;
    else {
      if (!is_run) run_start = window;
      is_run = true;
      const uint64_t run = window - run_start + 1;
      if (run >= longest) longest = run, best = run_start + run / 2;
    }
    sum -= history_at(c, window);
  }
  return best;
}

/* Cuts the newest speech at the best pause in the second half of the limit, or at the limit if its hops were not
 * reported. */
static void cut_speech(va_cutter *c, uint64_t decided_at) {
  const uint64_t limit = limit_of(c);
  const uint64_t first = va_whole_hops(c->rate_hz, c->newest.start + limit / 2) + 1;
  const uint64_t last = va_whole_hops(c->rate_hz, c->newest.start + limit);
  const bool is_known = last <= c->hops && c->hops - first <= c->history_capacity;
  const uint64_t hop = is_known ? quietest_window(c, first, last) + VA_PAUSE_HOPS / 2 : last;
  const uint64_t position = va_hop_start(c->rate_hz, hop);
  pad(c, (va_cut){.start = c->newest.start, .end = position, .decided_at = decided_at, .continues = true});
  complete_padded(c); /* what follows begins where it ends */
  c->newest.start = position;
  c->follows_cut = true;
}

/* MARK: results */

/* Extends the newest speech to `end`, unless it already ends later: results in the wrong order cannot make speech end
 * before it begins. */
static void extend(va_cutter *c, uint64_t end, uint64_t decided_at) {
  if (end < c->newest.end) return;
  c->newest.end = end;
  c->newest.decided_at = decided_at;
}

static void add_event(va_cutter *c, const va_event *event) {
  if (event->type == VA_EVENT_ONSET) {
    advance(c, event->position);
    if (!c->has_newest) c->newest = (va_cut){.start = event->position, .end = event->position};
    c->has_newest = c->is_speaking = true;
  } else if (event->type == VA_EVENT_OFFSET && c->is_speaking) {
    extend(c, event->position, event->decided_at);
    c->is_speaking = false;
    c->quiet_until = event->position;
    advance(c, event->position);
  }
}

/* A hop surely belongs to speech if it is at or above the offset threshold. One below may lie in the hangover, after
 * which the end of speech is dated back; one without evidence (posterior 0) may lie in a gap that will end it. */
static void add_hop(va_cutter *c, const va_hop *hop) {
  const uint64_t index = va_whole_hops(c->rate_hz, hop->position);
  const uint64_t end = va_hop_start(c->rate_hz, index + 1);
  note(c, index, hop->posterior);
  const bool is_sure = hop->posterior >= c->offset_threshold;
  if (c->is_speaking) {
    if (hop->state == VA_STATE_SPEECH && is_sure) extend(c, end, end);
  } else if (hop->state == VA_STATE_SILENCE) {
    /* An onset is dated back along the rise of the posterior, which ends at a hop below the offset threshold. */
    const bool may_rise = is_sure || hop->posterior == 0;
    const uint64_t rise = may_rise ? samples_of(VA_RISE_MAX_MS, c->rate_hz) : 0;
    const uint64_t quiet_until = before(hop->position, rise);
    if (quiet_until > c->quiet_until) c->quiet_until = quiet_until;
    advance(c, c->quiet_until);
  }
}

/* Takes the next event or hop. Onsets and offsets come first that lie at or before the hop. Other events are passed
 * over: a smoother's may lie ahead of its hops. Returns false if there is none. */
static bool read_next(va_cutter *c, const va_output *results) {
  while (c->next_event < results->event_count && !va_event_is_of_speech(&results->events[c->next_event]))
    c->next_event++;
  const va_event *event = c->next_event < results->event_count ? &results->events[c->next_event] : NULL;
  const va_hop *hop = results->hops && c->next_hop < results->hop_count ? &results->hops[c->next_hop] : NULL;
  if (event && (!hop || event->position <= hop->position)) {
    c->next_event++;
    add_event(c, event);
  } else if (hop) {
    c->next_hop++;
    add_hop(c, hop);
  }
  return event || hop;
}

static bool pop_ready(va_cutter *c, va_cut *cut) {
  if (c->ready_count == 0) return false;
  *cut = c->ready[0];
  c->ready_count--;
  memmove(c->ready, c->ready + 1, c->ready_count * sizeof *c->ready);
  return true;
}

bool va_cutter_next(va_cutter *cutter, const va_output *results, va_cut *cut) {
  while (!pop_ready(cutter, cut)) {
    if (is_too_long(cutter)) {
      cut_speech(cutter, cutter->newest.decided_at);
    } else if (!read_next(cutter, results)) {
      cutter->next_hop = cutter->next_event = 0;
      return false;
    }
  }
  return true;
}

bool va_cutter_finish(va_cutter *cutter, uint64_t end, va_cut *cut) {
  while (!pop_ready(cutter, cut)) {
    if (is_too_long(cutter)) cut_speech(cutter, cutter->newest.decided_at);
    else if (cutter->has_newest) settle(cutter);
    else if (cutter->has_padded) complete_padded(cutter);
    else return false;
  }
  cut->end = earlier(cut->end, end);
  return true;
}

uint64_t va_cutter_needed(const va_cutter *c, uint64_t *certain) {
  uint64_t needed, sure;
  if (c->ready_count > 0) {
    needed = c->ready[0].start;
    sure = c->ready[0].end;
  } else if (c->has_padded) {
    needed = c->padded.start;
    /* With a limit it may have to give up its padding. */
    sure = c->max_length > 0 ? c->padded.end - c->pad_after : c->padded.end;
  } else if (c->has_newest) {
    needed = c->follows_cut ? c->newest.start : before(c->newest.start, c->pad_before);
    const uint64_t limit = limit_of(c);
    const bool stays = c->follows_cut || c->newest.end - c->newest.start >= c->min_speech;
    sure = stays ? c->newest.end : needed;
    if (limit > 0) sure = earlier(sure, c->newest.start + limit / 2);
  } else {
    needed = sure = before(c->quiet_until, c->pad_before);
  }
  if (certain) *certain = later(sure, needed);
  return needed;
}
