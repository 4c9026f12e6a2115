/* memory.c — each allocation of the library fails once: the call says VA_ERROR_MEMORY, has written nothing and holds
 * nothing, and streams that exist continue as if it had not been made. Its argument is Tests/Contract/talk.s16. Built
 * and run by Scripts/check-library.sh, under AddressSanitizer too. */
#include "allocation_counter.h"
#include "answers.h"

enum { STREAMS = 5, CHUNK = 1000, SECONDS = 8 };
static const uint32_t rates[STREAMS] = {8000, 16000, 44100, 48000, 192000};
static talk sound;

typedef struct stream {
  va_detector *detector;
  va_echo *echo;
  va_smoother *smoother;
  va_cutter *cutter;
  answers answers;
  uint64_t position;
} stream;

/* MARK: one allocation fails */

static const va_cut_rules rules = {.struct_size = sizeof rules, .min_silence_ms = 100, .max_length_ms = 2000};

/* Opens all of a stream, or says why not and leaves nothing. */
static va_status_code open_stream(stream *s, uint32_t rate_hz) {
  va_config config;
  va_config_default(&config, rate_hz);
  *s = (stream){.answers = answers_from(0)};
  va_status_code code = va_detector_create(&config, &s->detector);
  if (code == VA_OK) code = va_echo_create(rate_hz, &s->echo);
  if (code == VA_OK) code = va_smoother_create(&config, &s->smoother);
  if (code == VA_OK) code = va_cutter_create(&rules, &config, &s->cutter);
  return code;
}

static void close_stream(stream *s) {
  va_detector_destroy(s->detector);
  va_echo_destroy(s->echo);
  va_smoother_destroy(s->smoother);
  va_cutter_destroy(s->cutter);
}

/* Returns how many allocations there are. A failed one leaves NULL where open_stream had put it, and what came before.
 * */
static long fail_each(uint32_t rate_hz) {
  for (long nth = 1;; nth++) {
    const long held = allocation_counter_held();
    stream s;
    allocation_counter_fail(nth);
    const va_status_code code = open_stream(&s, rate_hz);
    const bool failed = allocation_counter_fail(0);
    expect(code == (failed ? VA_ERROR_MEMORY : VA_OK), "a failed allocation is not VA_ERROR_MEMORY", (uint64_t)nth);
    const void *const made[] = {s.detector, s.echo, s.smoother, s.cutter};
    for (int i = 0; i < 4; i++)
      expect(!made[i] == (failed && i >= nth - 1), "a failed call has written an object", (uint64_t)nth);
    close_stream(&s);
    expect(allocation_counter_held() == held, "memory is held that nobody owns", (uint64_t)nth);
    if (!failed) return nth - 1;
  }
}

/* MARK: the others */

static void take_cuts(stream *s, const va_output *results) {
  va_cut cut;
  while (va_cutter_next(s->cutter, results, &cut)) answer_cut(&s->answers, cut);
}

static void smooth(stream *s, const va_output *results) {
  va_event events[16];
  va_hop hops[64];
  va_output smooth = {.events = events, .event_capacity = 16, .hops = hops, .hop_capacity = 64};
  do {
    va_smoother_process(s->smoother, results, &smooth);
    answer(&s->answers, &smooth);
    take_cuts(s, &smooth);
  } while (smooth.more);
}

static void hear(stream *s, uint32_t rate_hz) {
  int16_t heard[CHUNK], played[CHUNK];
  va_event events[16];
  va_hop hops[16];
  va_output output = {.events = events, .event_capacity = 16, .hops = hops, .hop_capacity = 16};
  for (int n = 0; n < CHUNK; n++) {
    heard[n] = talk_at(&sound, s->position + (uint64_t)n, rate_hz);
    played[n] = talk_at(&sound, s->position + (uint64_t)n + rate_hz, rate_hz) / 4;
  }
  va_echo_push_s16(s->echo, played, CHUNK);
  for (size_t done = 0, consumed; done < CHUNK || output.more; done += consumed) {
    va_detector_process_s16(s->detector, s->echo, heard + done, CHUNK - done, &consumed, &output);
    answer(&s->answers, &output);
    smooth(s, &output);
  }
  s->position += CHUNK;
}

static void hear_all(stream *streams, answers *heard, bool beside_failures) {
  for (int i = 0; i < STREAMS; i++) expect(open_stream(&streams[i], rates[i]) == VA_OK, "no stream", (uint64_t)i);
  for (int chunk = 0; streams[STREAMS - 1].position < SECONDS * rates[STREAMS - 1]; chunk++)
    for (int i = 0; i < STREAMS; i++) {
      if (streams[i].position < SECONDS * rates[i]) hear(&streams[i], rates[i]);
      if (beside_failures && chunk % 8 == i) fail_each(rates[(i + chunk) % STREAMS]);
    }
  for (int i = 0; i < STREAMS; i++) {
    heard[i] = streams[i].answers;
    expect(heard[i].events > 4 && heard[i].speech_hops > 20, "too little was heard to prove anything", rates[i]);
    close_stream(&streams[i]);
  }
}

int main(int argc, char **argv) {
  static stream streams[STREAMS];
  answers alone[STREAMS], beside[STREAMS];
  read_talk(&sound, argc > 1 ? argv[1] : "");
  expect(allocation_counter_works(), "this program cannot count allocations", 0);
  long failed = 0;
  for (int i = 0; i < STREAMS; i++) failed += fail_each(rates[i]);
  expect(failed == 4 * STREAMS, "a stream has four objects, each one block", (uint64_t)failed);
  hear_all(streams, alone, false);
  hear_all(streams, beside, true);
  for (int i = 0; i < STREAMS; i++)
    expect(are_same(&alone[i], &beside[i]), "a failure changed another stream", rates[i]);
  printf("memory: each of %ld allocations failed, and the others heard the same\n", failed);
}
