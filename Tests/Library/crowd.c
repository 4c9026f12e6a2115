/* crowd.c — 10,000 streams in batches, of which 1 % are malformed and 5 % come late: none changes another, bit for bit.
 *
 *   malformed   items that the header says are refused, each followed by the right one; samples not finite, or huge
 *   late        nothing comes for up to a second, and then all of it at once
 *
 * The oracle of each stream is a detector that hears the same sound alone, on time, with 0 for what is not finite and
 * ±4 for what is louder. Every other round is one batch; the others are batches of four threads at the same time.
 *
 * Its argument is Tests/Contract/talk.s16. Built and run by Scripts/check-library.sh. */
#include <math.h>
#include <pthread.h>

#include "answers.h"

enum { STREAMS = 10000, VOICES = 97, SECONDS = 3, THREADS = 4, ROUNDS = SECONDS * 50 };
enum { EVENTS = 16, HOPS = 6 /* a burst needs many calls */ };
enum { RATES = 4, LONGEST = 48000 * SECONDS };
static const uint32_t rates[RATES] = {8000, 16000, 8000, 48000};
static talk sound;

/* MARK: sounds */

/* What a voice is heard as: by rate, by where its talk begins, by its level. Those of one rate come in s16 and f32. */
static uint32_t rate_of(int voice) { return rates[voice % 29 == 3 ? 3 : voice % 3]; }
static bool is_s16(int voice) { return voice % 4 < 2; }

static int16_t heard(int voice, uint64_t n) {
  const int level = 4 + voice % 5;
  return (int16_t)(talk_at(&sound, n + (uint64_t)voice * 2017, rate_of(voice)) * level / 8);
}

/* Which samples of a voice of whose streams some are malformed are not as they should be. */
static float bad_sample(int voice, uint64_t n) {
  static const float bad[] = {NAN, INFINITY, -INFINITY, 1e30f, -3e38f, -NAN, 4.5f, 1e-42f};
  const float good = heard(voice, n) / 32768.0f;
  return n % 37 == 5 ? bad[n / 37 % 8] : good;
}

static float repaired(float sample) {
  return isnan(sample) || isinf(sample) ? 0 : sample > 4 ? 4 : sample < -4 ? -4 : sample;
}

/* MARK: streams */

typedef enum kind { GOOD, LATE, REFUSED, ODD_SAMPLES, KINDS } kind;

typedef struct stream {
  kind kind;
  int voice;
  va_detector *detector;
  answers answers;
  uint64_t position, due; /* samples heard, and those that have come */
  va_event events[EVENTS];
  va_hop hops[HOPS];
  va_output output;
  union {
    int16_t s16[48000 * 2]; /* at most what a late stream holds back */
    float f32[48000 * 2];
  } *samples; /* of what is due */
} stream;

static stream streams[STREAMS];
static size_t counts[KINDS], refusals;

static kind kind_of(size_t i) {
  if (i % 200 == 77) return REFUSED;
  if (i % 200 == 177) return ODD_SAMPLES;
  return i % 20 == 11 ? LATE : GOOD;
}

static void open_stream(stream *s, kind kind, int voice) {
  va_config config;
  va_config_default(&config, rate_of(voice));
  *s = (stream){.kind = kind, .voice = voice, .answers = answers_from(0)};
  s->output = (va_output){.events = s->events, .event_capacity = EVENTS, .hops = s->hops, .hop_capacity = HOPS};
  expect(va_detector_create(&config, &s->detector) == VA_OK, "no detector", (uint64_t)voice);
  va_detector_set_muted(s->detector, voice % 2);
}

/* What comes in a round: 20 ms, or nothing and then all that was held back. */
static uint64_t due_after(const stream *s, int round, size_t i) {
  const uint64_t packet = rate_of(s->voice) / 50, on_time = packet * ((uint64_t)round + 1);
  const int burst = 2 + (int)(i * 13 % 49);
  const bool comes = s->kind != LATE || round % burst == burst - 1 || round == ROUNDS - 1;
  return comes ? on_time : s->due;
}

static va_batch_item item_of(stream *s) {
  const size_t count = (size_t)(s->due - s->position);
  va_batch_item item = {.detector = s->detector, .count = count, .output = &s->output};
  if (count == 0) return item;
  s->samples = malloc(count * sizeof(float));
  expect(s->samples, "no memory", count);
  for (size_t n = 0; n < count; n++) {
    if (is_s16(s->voice) && s->kind != ODD_SAMPLES) s->samples->s16[n] = heard(s->voice, s->position + n);
    else s->samples->f32[n] = s->kind == ODD_SAMPLES ? bad_sample(s->voice, s->position + n)
                                                      : (float)heard(s->voice, s->position + n) / 32768.0f;
  }
  if (is_s16(s->voice) && s->kind != ODD_SAMPLES) item.samples_s16 = s->samples->s16;
  else item.samples = s->samples->f32;
  return item;
}

/* Spoils an item in one of the ways that the header says are refused. Returns the status to expect. */
static va_status_code spoil(va_batch_item *item, int way) {
  static const float zeros[8];
  static const int16_t zeros_s16[8];
  item->output->event_capacity = EVENTS, item->output->events = streams->events;
  switch (way % 8) {
    case 0: item->detector = NULL; return VA_ERROR_ARGUMENT;
    case 1: item->samples = NULL, item->samples_s16 = NULL, item->count = SIZE_MAX; return VA_ERROR_ARGUMENT;
    case 2: item->samples = zeros, item->samples_s16 = zeros_s16; return VA_ERROR_ARGUMENT;
    case 3: item->missing = VA_GAP_MAX + 1; return VA_ERROR_ARGUMENT;
    case 4: item->missing = UINT64_MAX; return VA_ERROR_ARGUMENT;
    case 5: item->reserved = 0xffffffff; return VA_ERROR_ARGUMENT;
    case 6: item->output = NULL; return VA_ERROR_ARGUMENT;
    default: item->output->event_capacity = VA_EVENTS_PER_HOP_MAX - 1; return VA_ERROR_EVENT_CAPACITY;
  }
}

/* MARK: rounds */

typedef struct part {
  va_batch_item *items;
  va_status_code *expected;
  size_t count;
  pthread_t thread;
} part;

static void *run_batch(void *argument) {
  part *p = argument;
  va_status_code first = VA_OK;
  for (size_t i = p->count; i-- > 0;)
    if (p->expected[i] != VA_OK) first = p->expected[i];
  expect(va_process_batch(p->items, p->count) == first, "not the status of the first bad item", p->count);
  return NULL;
}

static void run_batches(va_batch_item *items, va_status_code *expected, size_t count, int threads) {
  part parts[THREADS];
  for (int t = 0; t < threads; t++) {
    const size_t from = count * (size_t)t / (size_t)threads, to = count * ((size_t)t + 1) / (size_t)threads;
    parts[t] = (part){.items = items + from, .expected = expected + from, .count = to - from};
    expect(pthread_create(&parts[t].thread, NULL, run_batch, &parts[t]) == 0, "no thread", (uint64_t)t);
  }
  for (int t = 0; t < threads; t++) pthread_join(parts[t].thread, NULL);
}

/* Reads the results of a call, and gives the rest until all is taken. */
static void take(stream *s, va_batch_item item) {
  for (;;) {
    answer(&s->answers, &s->output);
    s->position += item.consumed;
    item.count -= item.consumed;
    if (item.samples) item.samples += item.consumed;
    if (item.samples_s16) item.samples_s16 += item.consumed;
    if (item.count == 0) item.samples = NULL, item.samples_s16 = NULL;
    if (item.count == 0 && !s->output.more) break;
    expect(s->output.more, "an item is not finished, though nothing waits", s->position);
    expect(va_process_batch(&item, 1) == VA_OK, "the rest was refused", s->position);
  }
  free(s->samples);
  s->samples = NULL;
}

static void play(int round) {
  static va_batch_item items[STREAMS], right[STREAMS];
  static va_status_code expected[STREAMS];
  for (size_t i = 0; i < STREAMS; i++) {
    streams[i].due = due_after(&streams[i], round, i);
    items[i] = right[i] = item_of(&streams[i]);
    expected[i] = streams[i].kind == REFUSED ? spoil(&items[i], round + (int)i / 200) : VA_OK;
  }
  run_batches(items, expected, STREAMS, round % 2 ? THREADS : 1);
  for (size_t i = 0; i < STREAMS; i++) {
    expect(items[i].status == expected[i], "an item has another status than it should", i);
    if (expected[i] == VA_OK) {
      right[i].consumed = items[i].consumed;
    } else {
      expect(items[i].consumed == 0, "samples of a refused item were taken", i);
      streams[i].output.event_capacity = EVENTS, streams[i].output.events = streams[i].events;
      expect(va_process_batch(&right[i], 1) == VA_OK, "the right item after a refused one was refused", i);
      refusals++;
    }
    take(&streams[i], right[i]);
  }
}

static void finish(stream *s) {
  do {
    expect(va_detector_flush(s->detector, NULL, &s->output) == VA_OK, "the end was refused", s->position);
    answer(&s->answers, &s->output);
  } while (s->output.more);
}

/* MARK: alone */

/* The answers to a voice that is heard alone, in one call a second. */
static answers alone(int voice, bool has_odd_samples, va_status *status) {
  static int16_t s16[LONGEST];
  static float f32[LONGEST];
  const size_t rate = rate_of(voice), count = rate * SECONDS;
  stream s;
  open_stream(&s, GOOD, voice);
  for (size_t n = 0; n < count; n++) {
    s16[n] = heard(voice, n);
    f32[n] = has_odd_samples ? repaired(bad_sample(voice, n)) : (float)s16[n] / 32768.0f;
  }
  const bool has_s16 = is_s16(voice) && !has_odd_samples;
  for (size_t done = 0, consumed; done < count || s.output.more; done += consumed) {
    const size_t some = count - done < rate ? count - done : rate;
    if (has_s16) va_detector_process_s16(s.detector, NULL, s16 + done, some, &consumed, &s.output);
    else va_detector_process(s.detector, NULL, f32 + done, some, &consumed, &s.output);
    answer(&s.answers, &s.output);
  }
  finish(&s);
  *status = (va_status){.struct_size = sizeof *status};
  va_detector_status(s.detector, status);
  va_detector_destroy(s.detector);
  return s.answers;
}

static void check_stream(size_t i) {
  static answers known[2][VOICES];
  static va_status known_status[2][VOICES];
  static bool is_known[2][VOICES];
  const stream *s = &streams[i];
  const int odd = s->kind == ODD_SAMPLES, voice = s->voice;
  if (!is_known[odd][voice]) known[odd][voice] = alone(voice, odd, &known_status[odd][voice]);
  is_known[odd][voice] = true;
  static const char *const what[KINDS] = {"a stream was changed by others", "a late stream is not the same on time",
                                          "a refused item changed its stream", "odd samples are something else"};
  expect(are_same(&s->answers, &known[odd][voice]), what[s->kind], i);
  va_status status = {.struct_size = sizeof status}, *other = &known_status[odd][voice];
  expect(va_detector_status(s->detector, &status) == VA_OK, "no status", i);
  expect(status.clipped_samples == other->clipped_samples && status.missing_samples == 0, "the counts differ", i);
  expect((status.non_finite_samples > 0) == (s->kind == ODD_SAMPLES), "what is not finite is not counted", i);
}

int main(int argc, char **argv) {
  uint64_t events = 0;
  read_talk(&sound, argc > 1 ? argv[1] : "");
  for (size_t i = 0; i < STREAMS; i++) {
    open_stream(&streams[i], kind_of(i), (int)(i % VOICES));
    counts[kind_of(i)]++;
  }
  for (int round = 0; round < ROUNDS; round++) play(round);
  for (size_t i = 0; i < STREAMS; i++) {
    finish(&streams[i]);
    check_stream(i);
    events += streams[i].answers.events;
    va_detector_destroy(streams[i].detector);
  }
  const size_t malformed = counts[REFUSED] + counts[ODD_SAMPLES];
  expect(counts[LATE] == STREAMS / 20 && malformed == STREAMS / 100, "other shares of streams", malformed);
  expect(events > 3 * STREAMS && refusals == counts[REFUSED] * ROUNDS, "too little happened to prove anything", events);
  printf("crowd: %d streams, %" PRIu64 " events, %zu late, %zu malformed, %zu items refused: all as alone\n", STREAMS,
         events, counts[LATE], malformed, refusals);
}
