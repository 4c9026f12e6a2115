/* pages.c — runs the C of docs/integration.md, which Scripts/check-pages.sh puts into snippets.c: every block's
 * functions, on raw 16-bit samples at 16 kHz from standard input, held against the C library called by hand. The
 * compiler refuses a function of the page that nothing here calls. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "snippets.c"

enum { RATE = 16000, PACKET = RATE / 50, MOST = 60 * RATE, EVENTS = 64 };

static int16_t samples[MOST];
static size_t sample_count;

static void expect(bool holds, const char *what) {
  if (holds) return;
  fprintf(stderr, "pages: %s\n", what);
  exit(1);
}

typedef struct found {
  va_event events[EVENTS];
  size_t count;
} found;

static void keep(void *context, const va_event *event) {
  found *to = context;
  expect(to->count < EVENTS, "more events than there can be");
  to->events[to->count++] = *event;
}

static void keep_all(found *to, const va_output *output) {
  for (size_t i = 0; i < output->event_count; i++) keep(to, &output->events[i]);
}

static bool same(const found *a, const found *b) {
  return a->count == b->count && memcmp(a->events, b->events, a->count * sizeof *a->events) == 0;
}

#define OUTPUT(name)           \
  va_event name##_events[128]; \
  va_output name = {.events = name##_events, .event_capacity = 128}

static void flush(va_detector *detector, found *to) {
  OUTPUT(output);
  expect(va_detector_flush(detector, NULL, &output) == VA_OK && !output.more, "va_detector_flush");
  keep_all(to, &output);
}

/* What one call with all samples finds. */
static found oracle(void) {
  found all = {.count = 0};
  va_config config;
  va_detector *detector;
  size_t consumed;
  OUTPUT(output);
  va_config_default(&config, RATE);
  expect(va_detector_create(&config, &detector) == VA_OK, "va_detector_create");
  expect(va_detector_process_s16(detector, NULL, samples, sample_count, &consumed, &output) == VA_OK && !output.more,
         "process");
  keep_all(&all, &output);
  flush(detector, &all);
  va_detector_destroy(detector);
  return all;
}

/* MARK: the first ten lines */

static void first_lines(const found *expected) {
  found heard = {.count = 0};
  va_detector *detector = open_stream(RATE);
  expect(open_stream(7999) == NULL, "open_stream takes 7999 Hz");
  expect(detector != NULL, "open_stream");
  for (size_t at = 0; at < sample_count; at += PACKET) {
    size_t count = sample_count - at < PACKET ? sample_count - at : PACKET;
    expect(hear(detector, samples + at, count, keep, &heard) == VA_OK, "hear");
  }
  flush(detector, &heard);
  expect(same(&heard, expected), "hear finds something else");
  found none = {.count = 0};
  expect(hear(detector, samples, PACKET, keep, &none) == VA_ERROR_ARGUMENT, "hear on a flushed stream returns");
  expect(none.count == 0, "hear on a flushed stream finds something");
  va_detector_destroy(detector);
}

/* MARK: memory, lost packets, moving */

static void losses(void) {
  expect(missing_samples(48000, 48000, 48000, RATE) == 0, "nothing is missing");
  expect(missing_samples(48000, 48960, 48000, RATE) == 320, "one packet of Opus");
  expect(missing_samples(0xfffffe00u, 0x100u, 8000, 16000) == 2 * 0x300, "across the wrap");
  expect(missing_samples(960, 0, 48000, RATE) == 0, "a late packet");
  expect(timestamp_of(32000, 0xffffff00u, 48000, RATE) == 96000u - 0x100u, "an event's time stamp");

  participant somebody;
  OUTPUT(output);
  expect(join(&somebody, RATE) == VA_OK, "join");
  expect(join(&somebody, 7999) == VA_ERROR_SAMPLE_RATE && join(&somebody, RATE) == VA_OK, "join checks the rate");
  expect(catch_up(&somebody, 1600, &output) == VA_OK && somebody.position == 1600, "catch_up");
  expect(catch_up(&somebody, 800, &output) == VA_OK && somebody.position == 1600, "catch_up does not go back");
  va_status status = {.struct_size = sizeof status};
  expect(va_detector_status(somebody.detector, &status) == VA_OK && status.missing_samples == 1600, "catch_up's gap");
  found unused = {.count = 0};
  flush(somebody.detector, &unused);
  expect(catch_up(&somebody, 3200, &output) == VA_ERROR_ARGUMENT && somebody.position == 1600, "catch_up at the end");
}

/* A second of packets, two of DTX of which a timer reports all but the last 100 ms, and a packet: each sample counts
 * once, at each relation of the two clocks, also where the time stamps wrap. */
static void discontinuous(uint32_t clock_hz) {
  const uint32_t first_timestamp = 0xffffff00u;
  participant somebody;
  size_t consumed;
  expect(join(&somebody, RATE) == VA_OK, "join");
  for (uint64_t at = 0; at <= 3 * RATE; at += at == RATE - PACKET ? 2 * RATE + PACKET : PACKET) {
    OUTPUT(output);
    for (uint64_t due = somebody.position; due + RATE / 10 <= at; due += RATE / 10)
      expect(catch_up(&somebody, due, &output) == VA_OK && somebody.position == due, "catch_up");
    const uint32_t timestamp = first_timestamp + (uint32_t)(at * clock_hz / RATE);
    const uint32_t expected = timestamp_of(somebody.position, first_timestamp, clock_hz, RATE);
    const uint64_t missing = missing_samples(expected, timestamp, clock_hz, RATE);
    expect(catch_up(&somebody, somebody.position + missing, &output) == VA_OK && somebody.position == at,
           "the packet's gap");
    expect(va_detector_process_s16(somebody.detector, NULL, samples, PACKET, &consumed, &output) == VA_OK,
           "the packet");
    somebody.position += consumed;
  }
  va_status status = {.struct_size = sizeof status};
  expect(va_detector_status(somebody.detector, &status) == VA_OK && status.missing_samples == 2 * RATE,
         "a gap counts twice");
  expect(somebody.position == 3 * RATE + PACKET, "the position after DTX");
}

/* Packet by packet through batches of two, the first stream moved in mid-recording. */
static void moving_in_batches(const found *expected) {
  static participant streams[3];
  found heard[2] = {{.count = 0}, {.count = 0}}, both = {.count = 0};
  participant *first = &streams[0], *second = &streams[1];
  expect(join(first, RATE) == VA_OK && join(second, RATE) == VA_OK, "join");
  for (size_t at = 0; at < sample_count; at += PACKET) {
    size_t count = sample_count - at < PACKET ? sample_count - at : PACKET;
    OUTPUT(one);
    OUTPUT(other);
    va_batch_item items[] = {
        {.detector = first->detector, .samples_s16 = samples + at, .count = count, .output = &one},
        {.detector = second->detector, .samples_s16 = samples + at, .count = count, .output = &other},
    };
    hear_all(items, 2, keep, &both);
    expect(items[0].consumed == count && items[1].consumed == count, "hear_all takes the packet");
    keep_all(&heard[0], &one);
    keep_all(&heard[1], &other);
    both.count = 0;
    if (at != sample_count / 2 / PACKET * PACKET) continue;
    size_t size;
    void *bytes = pack(first->detector, &size);
    expect(bytes != NULL && unpack(&streams[2], bytes, size, RATE) == VA_OK, "pack and unpack");
    first = &streams[2];
    ((unsigned char *)bytes)[size / 2] ^= 1;
    expect(unpack(&streams[0], bytes, size, RATE) == VA_OK && streams[0].position == 0, "changed bytes begin anew");
    free(bytes);
  }
  flush(first->detector, &heard[0]);
  flush(second->detector, &heard[1]);
  expect(same(&heard[0], expected) && same(&heard[1], expected), "a batch or a moved stream finds something else");
}

/* MARK: levels, mute, versions */

/* A client makes the byte of each hop; a server that hears only the bytes finds as many segments. */
static void levels(const found *expected) {
  va_detector *client = open_stream(RATE), *server = open_stream(RATE);
  found heard = {.count = 0};
  for (size_t at = 0; at + PACKET <= sample_count; at += PACKET) {
    va_hop hops[PACKET];
    va_event events[16];
    va_output out = {.events = events, .event_capacity = 16, .hops = hops, .hop_capacity = PACKET};
    OUTPUT(in);
    size_t consumed;
    expect(va_detector_process_s16(client, NULL, samples + at, PACKET, &consumed, &out) == VA_OK, "the client");
    if (out.hop_count == 0) continue;
    const va_hop *newest = &hops[out.hop_count - 1];
    expect(va_rfc6464_level(level_extension(newest)) == newest->level_dbov, "the byte's level");
    expect(hear_level(server, level_extension(newest), PACKET, &in) == VA_OK, "hear_level");
    keep_all(&heard, &in);
  }
  flush(server, &heard);
  expect(heard.count == expected->count, "the server finds another number of segments");
  va_detector_destroy(client);
  va_detector_destroy(server);
}

/* A call that is not joined shows no notice. One that is shows each for two seconds, whether speech or the mute
 * ends. */
static void muted(bool is_joined) {
  va_detector *detector = open_stream(RATE);
  muted_speech speech;
  size_t shown = 0;
  int64_t now_ms = 0;
  begin_call(&speech, detector);
  va_speaking_gate_set(&speech.gate, VA_REQUIREMENT_SESSION_ACTIVE, is_joined);
  set_muted(&speech, true);
  for (size_t at = 0; at + PACKET <= sample_count; at += PACKET) {
    expect(hear(detector, samples + at, PACKET, handle_muted_speech, &speech) == VA_OK, "hear");
    now_ms += 20;
    shown += shows_notice(&speech, now_ms);
  }
  const uint64_t notices = speech.notice.count;
  expect((notices > 0) == is_joined,
         is_joined ? "speech while muted shows no notice" : "a call without a session shows a notice");
  expect(shown <= notices * 100 && shown + 100 > notices * 100, "a notice is not shown for two seconds");
  set_muted(&speech, false);
  expect(!speech.gate.is_speaking, "an unmute does not end muted speech");
  expect(!shows_notice(&speech, now_ms + 2000), "the notice stays");
  va_detector_destroy(detector);
}

/* A muted client at 48 kHz beside a loudspeaker. */
enum { RATE_48 = 48000, BLOCK = RATE_48 / 100, TIMES = RATE_48 / RATE };
static void begin_beside_loudspeaker(muted_speech *speech, va_echo **echo) {
  expect(va_echo_create(RATE_48, echo) == VA_OK, "va_echo_create");
  begin_call(speech, open_stream(RATE_48));
  set_muted(speech, true);
}

/* A voice in the room is the user; the same voice from the loudspeaker is not, nor is it after a pause of a second in
 * which nothing plays, and after a gap of a minute. */
static void loudspeaker(bool is_far_end) {
  static const int16_t silence[BLOCK];
  va_echo *echo;
  muted_speech speech;
  size_t spoken = 0;
  begin_beside_loudspeaker(&speech, &echo);
  for (int pass = 0; pass < 3; pass++) {
    for (int i = 0; pass == 1 && i < 100; i++) process_beside_loudspeaker(&speech, echo, NULL, silence);
    for (int i = 0; pass == 2 && i < 6000; i++) process_beside_loudspeaker(&speech, echo, NULL, NULL);
    for (size_t at = 0; at + BLOCK / TIMES <= sample_count; at += BLOCK / TIMES) {
      int16_t heard[BLOCK];
      for (size_t i = 0; i < BLOCK; i++) heard[i] = samples[at + i / TIMES];
      process_beside_loudspeaker(&speech, echo, is_far_end ? heard : NULL, heard);
      spoken += speech.gate.is_speaking;
    }
  }
  va_echo_status status = {.struct_size = sizeof status};
  expect(va_echo_state(echo, &status) == VA_OK && status.late_samples == 0, "the reference is late");
  expect(is_far_end ? spoken == 0 : spoken > 300,
         is_far_end ? "the loudspeaker counts as the user" : "the user does not count");
  va_echo_destroy(echo);
  va_detector_destroy(speech.detector);
}

/* A loudspeaker whose clock is slower than the microphone's by 500 ppm is heard 100 ms after it plays, for a minute. */
static void slow_loudspeaker(bool keeps_pace) {
  const double pace = 1 - 500e-6, delay = RATE_48 / 10;
  va_echo *echo;
  muted_speech speech;
  uint64_t pushed = 0, late_samples = 0, spoken = 0;
  begin_beside_loudspeaker(&speech, &echo);
  for (uint64_t block = 0; block < 6000; block++) {
    int16_t played[BLOCK], heard[BLOCK];
    va_output output = {.events = (va_event[8]){{0}}, .event_capacity = 8};
    size_t consumed;
    for (; (double)(pushed + BLOCK) <= (double)((block + 1) * BLOCK) * pace; pushed += BLOCK) {
      for (size_t i = 0; i < BLOCK; i++) played[i] = samples[(pushed + i) / TIMES % sample_count];
      expect(va_echo_push_s16(echo, played, BLOCK) == VA_OK, "va_echo_push_s16");
    }
    for (size_t i = 0; i < BLOCK; i++) {
      const double at = ((double)(block * BLOCK + i) - delay) * pace;
      heard[i] = at < 0 ? 0 : samples[(uint64_t)at / TIMES % sample_count] / 2;
    }
    expect(va_detector_process_s16(speech.detector, echo, heard, BLOCK, &consumed, &output) == VA_OK, "the microphone");
    for (size_t i = 0; i < output.event_count; i++) handle_muted_speech(&speech, &output.events[i]);
    if (keeps_pace && block % 10 == 9) keep_pace(echo, &late_samples);
    spoken += speech.gate.is_speaking;
  }
  expect(keeps_pace ? spoken == 0 : spoken > 300,
         keeps_pace ? "a slow loudspeaker counts as the user" : "it does not fall behind");
  va_echo_destroy(echo);
  va_detector_destroy(speech.detector);
}

/* MARK: saving */

typedef struct saved {
  float samples[MOST];
  size_t count;
  struct { uint64_t start, end; } segments[EVENTS];
  size_t segment_count;
} saved;

static void save(void *context, uint64_t start, const float *part, size_t count, bool is_last) {
  saved *to = context;
  memcpy(to->samples + to->count, part, count * sizeof *part);
  to->count += count;
  if (!is_last) return;
  uint64_t before = 0;
  for (size_t i = 0; i < to->segment_count; i++) before += to->segments[i].end - to->segments[i].start;
  to->segments[to->segment_count].start = start;
  to->segments[to->segment_count++].end = start + to->count - before;
}

/* Packet by packet, with results that are too many for one output. */
static void saving(const found *expected) {
  static recorder recorder;
  static saved to;
  va_config config;
  va_detector *detector;
  va_hop hops[1];
  OUTPUT(output);
  output.hops = hops, output.hop_capacity = 1;
  va_config_default(&config, RATE);
  expect(va_detector_create(&config, &detector) == VA_OK && begin_recording(&recorder, &config) == VA_OK,
         "a recording");
  for (size_t at = 0; at < sample_count; at += PACKET) {
    size_t count = sample_count - at < PACKET ? sample_count - at : PACKET, consumed;
    expect(keep_sound(&recorder, samples + at, count), "the ring is too small");
    for (size_t done = 0; done < count || output.more; done += consumed) {
      expect(va_detector_process_s16(detector, NULL, samples + at + done, count - done, &consumed, &output) == VA_OK,
             "process");
      save_cuts(&recorder, &output, save, &to);
    }
  }
  expect(!keep_sound(&recorder, samples, KEPT), "the ring takes more than it can keep");
  do {
    expect(va_detector_flush(detector, NULL, &output) == VA_OK, "va_detector_flush");
    save_cuts(&recorder, &output, save, &to);
  } while (output.more);
  end_recording(&recorder, save, &to);
  va_detector_destroy(detector);

  /* The rules, on the events: what is 500 ms apart stays apart. */
  size_t segment = 0, at = 0;
  const va_event *const events = expected->events;
  for (size_t i = 0; i < expected->count; i += 2) {
    const uint64_t onset = events[i].position;
    while (i + 2 < expected->count && events[i + 2].position - events[i + 1].position < RATE / 2) i += 2;
    const uint64_t offset = events[i + 1].position;
    if (offset - onset < RATE / 5) continue;
    expect(segment < to.segment_count, "a segment is missing");
    expect(to.segments[segment].start == onset - RATE * 3 / 10, "where a segment begins");
    const uint64_t end = offset + RATE / 5 < sample_count ? offset + RATE / 5 : sample_count;
    expect(to.segments[segment].end == end, "where a segment ends");
    for (uint64_t n = to.segments[segment].start; n < end; n++, at++) {
      const bool is_faded = n < to.segments[segment].start + 80 || n + 80 >= end;
      expect(is_faded ? fabsf(to.samples[at]) <= fabsf((float)samples[n] / 32768)
                      : to.samples[at] == (float)samples[n] / 32768,
             "another sound is saved");
    }
    segment++;
  }
  expect(segment == to.segment_count && at == to.count && segment >= 2, "there are other segments");
}

/* A gap that is longer than the ring, in pieces: the segments before and after it are saved. */
static void saving_across_a_gap(void) {
  enum { GAP = 90 * RATE };
  static recorder recorder;
  static saved to;
  static int16_t zeros[RATE];
  static va_hop hops[200];
  va_config config;
  va_detector *detector;
  size_t consumed;
  OUTPUT(output);
  output.hops = hops, output.hop_capacity = 200;
  _Static_assert((int)GAP > (int)KEPT, "the gap is shorter than the ring");
  va_config_default(&config, RATE);
  expect(va_detector_create(&config, &detector) == VA_OK && begin_recording(&recorder, &config) == VA_OK,
         "a recording");
  for (int pass = 0; pass < 2; pass++) {
    for (size_t at = 0; at + PACKET <= sample_count; at += PACKET) {
      expect(keep_sound(&recorder, samples + at, PACKET), "the ring is too small");
      expect(va_detector_process_s16(detector, NULL, samples + at, PACKET, &consumed, &output) == VA_OK, "process");
      save_cuts(&recorder, &output, save, &to);
    }
    for (size_t missing = 0; pass == 0 && missing < GAP; missing += RATE) {
      expect(keep_sound(&recorder, zeros, RATE), "the ring is too small for a gap in pieces");
      expect(va_detector_push_gap(detector, NULL, RATE, &output) == VA_OK && !output.more, "a piece of the gap");
      save_cuts(&recorder, &output, save, &to);
    }
  }
  expect(va_detector_flush(detector, NULL, &output) == VA_OK && !output.more, "va_detector_flush");
  save_cuts(&recorder, &output, save, &to);
  end_recording(&recorder, save, &to);
  va_detector_destroy(detector);
  size_t before = 0;
  while (before < to.segment_count && to.segments[before].end <= sample_count) before++;
  expect(before >= 2 && to.segment_count == 2 * before, "segments are lost around a gap");
  expect(to.segments[before].start >= sample_count / PACKET * PACKET + GAP, "a segment begins in the gap");
}

int main(void) {
  sample_count = fread(samples, sizeof *samples, MOST, stdin);
  found expected = oracle();
  expect(expected.count >= 8 && expected.count % 2 == 0, "the recording has four phrases");
  first_lines(&expected);
  losses();
  discontinuous(RATE / 2);
  discontinuous(RATE);
  discontinuous(48000);
  moving_in_batches(&expected);
  levels(&expected);
  muted(false);
  muted(true);
  loudspeaker(false);
  loudspeaker(true);
  slow_loudspeaker(true);
  slow_loudspeaker(false);
  saving(&expected);
  saving_across_a_gap();
  expect(is_usable(), "the library is too old for its own header");
  return 0;
}
