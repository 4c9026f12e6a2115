/* saved.c — restores saved streams and echoes that were changed, as a server may get them from another, and continues
 * with them.
 *
 * The input chooses one of a few streams, each saved in the middle of something, and changes to its bytes, so that
 * seeds stay useful when the format changes. Size and checksum are corrected; otherwise no change would get past them.
 * Of some echoes the numbers themselves are changed before they are saved, because the bytes grow and shrink with them.
 * A restored stream must save to bytes that restore to the same bytes, and its results on further sound must be in the
 * header's ranges. */
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "archive.h"
#include "echo.h"
#include "fuzz.h"
#include "voice_activity.h"

enum { HEADER_SIZE_AT = 12, CHECKSUM = 4, HOPS = 64, SAMPLES = 4000, STREAMS = 12, ECHOES = 4, SAVED_MOST = 6144 };

static _Alignas(VA_DETECTOR_ALIGNMENT) unsigned char memory[8192], echo_memory[VA_ECHO_SIZE_MAX];

typedef struct saved_stream {
  uint8_t bytes[SAVED_MOST];
  size_t size;
} saved_stream;

static saved_stream streams[STREAMS];

static void put_32_bits(uint8_t *to, uint32_t value) {
  for (int i = 0; i < 4; i++) to[i] = (uint8_t)(value >> 8 * i);
}

static void check(const va_output *output) {
  for (size_t i = 0; i < output->hop_count; i++) {
    const va_hop *hop = &output->hops[i];
    REQUIRE(hop->posterior >= 0 && hop->posterior <= 1, "the posterior");
    REQUIRE(hop->level_dbfs >= -127 && hop->level_dbfs <= 12, "the level");
    REQUIRE(hop->noise_floor_dbfs >= -127 && hop->noise_floor_dbfs <= 12, "the noise floor");
    REQUIRE(hop->state <= VA_STATE_HANGOVER, "the state");
  }
}

static void go_on(va_detector *detector, uint32_t seed) {
  static float samples[SAMPLES];
  va_event events[16];
  va_hop hops[HOPS];
  va_output output = {.events = events, .event_capacity = 16, .hops = hops, .hop_capacity = HOPS};
  for (int i = 0; i < SAMPLES; i++) samples[i] = (float)((int32_t)(seed = seed * 1664525u + 1013904223u) >> 16) / 32768;
  size_t consumed = 0;
  /* An ended stream refuses samples. If a long gap is still waiting, not all samples are taken. */
  if (va_detector_process(detector, NULL, samples, SAMPLES, &consumed, &output) == VA_OK) {
    check(&output);
    if (va_detector_push_gap(detector, NULL, 777, &output) == VA_OK) check(&output);
  }
  for (int calls = 0; calls < 20; calls++) {
    REQUIRE(va_detector_flush(detector, NULL, &output) == VA_OK, "flush");
    check(&output);
    if (!output.more) break;
  }
}

/* MARK: echoes */

static saved_stream echoes[ECHOES];

/* Beside a loudspeaker at 16, 48, 44.1 and 8 kHz, with the reference a step ahead and in the middle of the next. */
static void make_echo(int which, saved_stream *to) {
  static const uint32_t rates[] = {16000, 48000, 44100, 8000};
  static float sound[48000 / 50];
  const uint32_t rate = rates[which], step = rate / 50;
  va_event events[16];
  va_output output = {.events = events, .event_capacity = 16};
  va_config config;
  va_detector *detector;
  va_echo *echo;
  va_config_default(&config, rate);
  REQUIRE(va_detector_init(memory, sizeof memory, &config, &detector) == VA_OK, "a detector");
  REQUIRE(va_echo_init(echo_memory, sizeof echo_memory, rate, &echo) == VA_OK, "an echo");
  for (uint32_t n = 0; n < 50; n++) {
    size_t consumed;
    for (uint32_t i = 0; i < step; i++) sound[i] = (float)((n * step + i) % (rate / 150)) * (n % 9 < 6 ? 0.002f : 0);
    REQUIRE(va_echo_push(echo, sound, step) == VA_OK, "a reference");
    REQUIRE(va_detector_process(detector, echo, sound, step, &consumed, &output) == VA_OK, "samples beside it");
  }
  REQUIRE(va_echo_push(echo, sound, step) == VA_OK, "a step ahead");
  REQUIRE(va_echo_push_interleaved(echo, sound, 77, 2) == VA_OK, "a part of a step, in stereo");
  REQUIRE(va_echo_save(echo, to->bytes, sizeof to->bytes, &to->size) == VA_OK, "saving");
}

/* A restored echo must take any sound, and save to bytes that restore to the same bytes. */
static void try_echo(const uint8_t *bytes, size_t size, bool is_changed) {
  static uint8_t again[SAVED_MOST], twice[SAVED_MOST];
  size_t saved, saved_twice, consumed;
  va_echo *echo;
  va_detector *detector;
  va_config config;
  va_event events[16];
  va_hop hops[HOPS];
  va_output output = {.events = events, .event_capacity = 16, .hops = hops, .hop_capacity = HOPS};
  static float samples[SAMPLES];
  va_status_code code = va_echo_restore(echo_memory, sizeof echo_memory, bytes, size, &echo);
  REQUIRE(code == VA_OK || code == VA_ERROR_SAVED_DATA || code == VA_ERROR_SAVED_VERSION, "restored or refused");
  REQUIRE(code == VA_OK || is_changed, "unchanged bytes are restored");
  if (code != VA_OK) return;
  REQUIRE(va_echo_save(echo, again, sizeof again, &saved) == VA_OK, "what was restored can be saved");
  REQUIRE(va_echo_restore(echo_memory, sizeof echo_memory, again, saved, &echo) == VA_OK, "and restored");
  REQUIRE(va_echo_save(echo, twice, sizeof twice, &saved_twice) == VA_OK, "and saved");
  REQUIRE(saved == saved_twice && memcmp(again, twice, saved) == 0, "to the same bytes");
  va_config_default(&config, 16000);
  REQUIRE(va_detector_init(memory, sizeof memory, &config, &detector) == VA_OK, "a detector");
  for (int i = 0; i < SAMPLES; i++) samples[i] = (float)(i % 107) * 0.003f;
  for (int i = 0; i < 20; i++) va_echo_push(echo, samples, SAMPLES); /* most are too early */
  va_echo_push_interleaved(echo, samples, 100, 5);
  REQUIRE(va_detector_process(detector, echo, samples, SAMPLES, &consumed, &output) == VA_OK, "going on");
  check(&output);
}

/* MARK: the streams */

static void save(va_detector *detector, saved_stream *to) {
  REQUIRE(va_detector_save(detector, to->bytes, sizeof to->bytes, &to->size) == VA_OK, "saving");
}

/* In speech, in a gap with waiting hops, after a level, muted, and ended, at rates with no, one, two and three
 * stages. */
static void make_stream(int which, saved_stream *to) {
  static const uint32_t rates[] = {16000, 8000, 44100, 192000};
  va_event events[16];
  va_hop hop;
  va_output few = {.events = events, .event_capacity = 16, .hops = &hop, .hop_capacity = 1};
  va_output output = {.events = events, .event_capacity = 16};
  va_config config;
  va_detector *detector;
  va_config_default(&config, rates[which % 4]);
  config.onset_threshold = 0.02f, config.offset_threshold = 0.01f;
  REQUIRE(va_detector_init(memory, sizeof memory, &config, &detector) == VA_OK, "a detector");
  va_detector_set_muted(detector, which & 1);
  for (uint32_t n = 0; n < rates[which % 4]; n++) { /* a second of a buzz with pauses, a sample at a time */
    float x = n % (rates[which % 4] / 2) < rates[which % 4] / 3 ? (float)(n % (rates[which % 4] / 150)) * 0.001f : 0;
    size_t consumed;
    REQUIRE(va_detector_process(detector, NULL, &x, 1, &consumed, &output) == VA_OK && consumed == 1, "a sample");
  }
  if (which / 4 == 1) va_detector_push_gap(detector, NULL, rates[which % 4] / 5 + 3, &few);
  if (which / 4 == 2) va_detector_push_level(detector, rates[which % 4] / 50 + 1, 30, true, &output);
  if (which == STREAMS - 1) va_detector_flush(detector, NULL, &output);
  save(detector, to);
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  (void)argc, (void)argv;
  for (int which = 0; which < STREAMS; which++) make_stream(which, &streams[which]);
  for (int which = 0; which < ECHOES; which++) make_echo(which, &echoes[which]);
  return 0;
}

/* MARK: the changes */

/* Changes a byte, or four bytes to a number at the end of some range. */
static void change(uint8_t *bytes, size_t size, reader *in) {
  static const uint32_t numbers[] = {0,          1,          0x7fffffff, 0x80000000, 0xffffffff, 0x7fc00000 /* NaN */,
                                     0x7f800000, 0xff800000, 0x3f800000, 0xbf800000, 0x7f7fffff, 0x00000001};
  size_t at = next_16_bits(in) % size;
  uint8_t how = next_byte(in), value = next_byte(in);
  if (how & 1) bytes[at] = value;
  else if (how & 2) bytes[at] += value;
  else if (at + 4 <= size) put_32_bits(bytes + at, numbers[value % (sizeof numbers / sizeof *numbers)]);
}

/* Changes the numbers of a reference that say how much there is. Returns false if what results cannot be saved. */
static bool forge(const saved_stream *from, reader *in, saved_stream *to) {
  va_echo *echo;
  REQUIRE(va_echo_restore(echo_memory, sizeof echo_memory, from->bytes, from->size, &echo) == VA_OK, "an echo");
  va_reference *r = &echo->reference;
  const va_reference made = *r;
  const bool follows = next_byte(in) & 1;
  for (int changes = 0; changes < 16 && !is_empty(in); changes++)
    change((uint8_t *)r, offsetof(va_reference, average), in);
  r->rate_hz = made.rate_hz, r->averaged = made.averaged, r->stride = made.stride; /* the bytes do not hold them */
  if (follows) r->position = (r->steps * 320 + r->fill) * r->rate_hz / 16000; /* a whole number of both */
  return va_echo_save(echo, to->bytes, sizeof to->bytes, &to->size) == VA_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static uint8_t bytes[SAVED_MOST], again[SAVED_MOST], twice[SAVED_MOST];
  reader in = {.bytes = data, .size = size};
  const uint8_t which = next_byte(&in) % (STREAMS + ECHOES);
  const saved_stream *from = which < STREAMS ? &streams[which] : &echoes[which - STREAMS];
  static saved_stream forged;
  const uint8_t how = next_byte(&in);
  if (which >= STREAMS && how == 254) {
    if (!forge(from, &in, &forged)) return 0;
    from = &forged;
  }
  size_t whole = from->size, saved, saved_twice;
  va_detector *detector;
  memcpy(bytes, from->bytes, whole);
  if (how == 255) whole = 64 + next_16_bits(&in) % (whole - 64); /* torn */
  for (int changes = 0; changes < 64 && !is_empty(&in); changes++) change(bytes, whole, &in);
  put_32_bits(bytes + HEADER_SIZE_AT, (uint32_t)whole);
  put_32_bits(bytes + whole - CHECKSUM, va_crc32(bytes, whole - CHECKSUM));
  if (which >= STREAMS) {
    try_echo(bytes, whole, size > 1);
    return 0;
  }
  va_status_code code = va_detector_restore(memory, sizeof memory, bytes, whole, &detector);
  REQUIRE(code == VA_OK || code == VA_ERROR_SAVED_DATA || code == VA_ERROR_SAVED_VERSION, "restored or refused");
  REQUIRE(code == VA_OK || size > 1, "unchanged bytes are restored");
  if (code != VA_OK) return 0;
  REQUIRE(va_detector_save(detector, again, sizeof again, &saved) == VA_OK, "what was restored can be saved");
  REQUIRE(va_detector_restore(memory, sizeof memory, again, saved, &detector) == VA_OK, "and restored");
  REQUIRE(va_detector_save(detector, twice, sizeof twice, &saved_twice) == VA_OK, "and saved");
  REQUIRE(saved == saved_twice && memcmp(again, twice, saved) == 0, "to the same bytes");
  go_on(detector, (uint32_t)size);
  return 0;
}
