/* echo.c — pushes what a loudspeaker plays beside a microphone: what an echo learns must not depend on how the calls
 * are made.
 *
 * The input chooses rates and a sequence of steps, in which the reference comes in time, as silence, late or too early,
 * and the microphone hears it, others, or has gaps. Two streams take each step. The plain one gets 32-bit samples in
 * few calls, with room for all results. The other gets both signals in pieces, by turns while the scale of the
 * reference stays, also in 16 bits, has room for few results, shares batches, and moves. After each step both must have
 * found the same, and must be saved to the same bytes. Their memory has just the promised sizes, so that the sanitizer
 * watches its ends. */
#include <stdbool.h>
#include <string.h>

#include "echo.h"
#include "fuzz.h"
#include "sounds.h"
#include "voice_activity.h"

enum { STEPS_MOST = 16, LONGEST_MS = 60, LEAD_MS = 20, SOUND_MOST = 192 * 2 * (LONGEST_MS + LEAD_MS), LOG = 512 };

typedef struct player {
  bool plain;
  uint32_t random; /* chooses how the other stream is called */
  void *memory, *echo_memory, *other_memory, *other_echo_memory; /* a move goes to the others */
  va_detector *detector;
  va_echo *echo;
  uint64_t heard, played; /* samples of the microphone and frames of the reference so far */
  va_event events[LOG];
  va_hop hops[LOG];
  size_t event_count, hop_count; /* of this step */
} player;

typedef struct sound {
  float f32[SOUND_MOST * VA_ECHO_CHANNELS_MAX];
  int16_t s16[SOUND_MOST * VA_ECHO_CHANNELS_MAX];
  bool has_s16;
} sound;

static player players[2] = {{.plain = true}}, decoy;
static sound reference, microphone;
static uint32_t rate, reference_rate, channels;
static uint64_t lead; /* frames that the reference is ahead */
static bool is_late;  /* some of the reference may have been late since the last reset */
static bool by_turns; /* the other stream gets both signals by turns in this step */
static uint8_t fresh[VA_ECHO_SAVED_SIZE_MAX];

static uint32_t roll(player *p, uint32_t sides) {
  p->random = p->random * 1664525u + 1013904223u;
  return (p->random >> 16) % sides;
}

/* The next of any pieces for the other stream. */
static size_t piece_of(player *p, uint64_t count) {
  const uint64_t piece = p->plain ? count : 1 + roll(p, roll(p, 3) && count < 65536 ? (uint32_t)count : 40);
  return (size_t)(piece < count ? piece : count);
}

/* The frames of the reference that are due with so many samples of the microphone. */
static uint64_t due_by(uint64_t samples) { return (samples * reference_rate + rate - 1) / rate + lead; }

/* MARK: the reference */

static void push(player *p, size_t at, size_t count) {
  const float *f32 = reference.f32 + at * channels;
  const int16_t *s16 = reference.s16 + at * channels;
  const bool in_16_bits = reference.has_s16 && !p->plain && roll(p, 2);
  const bool as_mono = channels == 1 && !p->plain && roll(p, 2);
  va_status_code code = as_mono ? in_16_bits ? va_echo_push_s16(p->echo, s16, count) : va_echo_push(p->echo, f32, count)
                        : in_16_bits ? va_echo_push_interleaved_s16(p->echo, s16, count, channels)
                                     : va_echo_push_interleaved(p->echo, f32, count, channels);
  REQUIRE(code == VA_OK, "what is at most 100 ms ahead is taken");
  p->played += count;
}

static void push_silence(player *p, uint64_t due) {
  while (p->played < due) {
    const size_t count = piece_of(p, due - p->played);
    REQUIRE(va_echo_push_silence(p->echo, count) == VA_OK, "silence is taken");
    p->played += count;
  }
}

/* MARK: the microphone */

static void keep(player *p, const va_output *output) {
  REQUIRE(p->event_count + output->event_count <= LOG && p->hop_count + output->hop_count <= LOG, "room for a step");
  memcpy(p->events + p->event_count, output->events, output->event_count * sizeof(va_event));
  memcpy(p->hops + p->hop_count, output->hops, output->hop_count * sizeof(va_hop));
  p->event_count += output->event_count, p->hop_count += output->hop_count;
  for (size_t i = 0; i < output->hop_count; i++)
    REQUIRE(output->hops[i].posterior >= 0 && output->hops[i].posterior <= 1, "the posterior's range");
}

static va_output *make_room(player *p) {
  static va_event events[LOG];
  static va_hop hops[LOG];
  static va_output output;
  output = (va_output){.events = events, .event_capacity = LOG, .hops = hops, .hop_capacity = LOG};
  if (!p->plain) output.event_capacity = VA_EVENTS_PER_HOP_MAX + roll(p, 3), output.hop_capacity = 1 + roll(p, 9);
  return &output;
}

/* Beside another stream, which has an echo of its own. */
static size_t process_in_a_batch(player *p, size_t at, size_t count) {
  static va_event events[LOG];
  va_output *output = make_room(p), unused = {.events = events, .event_capacity = LOG};
  va_batch_item items[] = {
      {.detector = decoy.detector, .echo = decoy.echo, .samples = microphone.f32, .count = count, .output = &unused},
      {.detector = p->detector, .echo = p->echo, .samples = microphone.f32 + at, .count = count, .output = output}};
  va_echo_push(decoy.echo, reference.f32, count); /* may be too early */
  REQUIRE(va_process_batch(items, 2) == VA_OK, "a batch");
  keep(p, output);
  return items[1].consumed;
}

static size_t process(player *p, size_t at, size_t count) {
  if (!p->plain && roll(p, 8) == 0) return process_in_a_batch(p, at, count);
  size_t consumed;
  va_output *output = make_room(p);
  va_status_code code =
      microphone.has_s16 && !p->plain && roll(p, 2)
          ? va_detector_process_s16(p->detector, p->echo, microphone.s16 + at, count, &consumed, output)
          : va_detector_process(p->detector, p->echo, microphone.f32 + at, count, &consumed, output);
  REQUIRE(code == VA_OK, "samples are taken");
  keep(p, output);
  return consumed;
}

static void fetch(player *p) {
  for (bool more = true; more;) {
    size_t none;
    va_output *output = make_room(p);
    REQUIRE(va_detector_process(p->detector, p->echo, NULL, 0, &none, output) == VA_OK, "fetching");
    keep(p, output);
    more = output->more;
  }
}

static void push_gap(player *p, uint64_t count) {
  while (count > 0) {
    const size_t piece = piece_of(p, count);
    va_output *output = make_room(p);
    REQUIRE(va_detector_push_gap(p->detector, p->echo, piece, output) == VA_OK, "a gap");
    keep(p, output);
    p->heard += piece, count -= piece;
  }
}

/* MARK: a step of one stream */

static size_t save_echo(const player *p, uint8_t *bytes) {
  size_t size;
  memset(bytes, 0, VA_ECHO_SAVED_SIZE_MAX);
  REQUIRE(va_echo_save(p->echo, bytes, VA_ECHO_SAVED_SIZE_MAX, &size) == VA_OK, "saving an echo");
  return size;
}

static size_t save(const player *p, uint8_t *bytes) {
  size_t size;
  REQUIRE(va_detector_save(p->detector, bytes, VA_DETECTOR_SAVED_SIZE_MAX, &size) == VA_OK, "saving");
  return size;
}

static void swap(void **one, void **other) {
  void *kept = *one;
  *one = *other, *other = kept;
}

static void move(player *p) {
  static uint8_t bytes[VA_DETECTOR_SAVED_SIZE_MAX], echo_bytes[VA_ECHO_SAVED_SIZE_MAX];
  const size_t size = save(p, bytes), echo_size = save_echo(p, echo_bytes), room = va_detector_size_for(rate);
  memset(p->memory, 0xdd, room), memset(p->echo_memory, 0xdd, va_echo_size());
  swap(&p->memory, &p->other_memory), swap(&p->echo_memory, &p->other_echo_memory);
  REQUIRE(va_detector_restore(p->memory, room, bytes, size, &p->detector) == VA_OK, "restoring");
  REQUIRE(va_echo_restore(p->echo_memory, va_echo_size(), echo_bytes, echo_size, &p->echo) == VA_OK,
          "restoring an echo");
}

/* Processes `count` samples and, in time or behind, what is played. */
static void go_on(player *p, size_t count, bool plays) {
  const uint64_t first = p->played, all = due_by(p->heard + count);
  for (size_t at = 0; at < count;) {
    if (!p->plain && roll(p, 8) == 0) move(p);
    const size_t piece = piece_of(p, count - at);
    const uint64_t due = p->plain || !by_turns ? all : due_by(p->heard + piece);
    while (plays && p->played < due) push(p, (size_t)(p->played - first), piece_of(p, due - p->played));
    const size_t consumed = process(p, at, piece);
    p->heard += consumed, at += consumed;
  }
}

static void be_early(player *p) {
  static uint8_t before[VA_ECHO_SAVED_SIZE_MAX], after[VA_ECHO_SAVED_SIZE_MAX];
  save_echo(p, before);
  const uint64_t early[] = {due_by(p->heard + rate / 2) - p->played, UINT64_MAX};
  for (int i = 0; i < 2; i++)
    REQUIRE(va_echo_push_silence(p->echo, early[i]) == VA_ERROR_REFERENCE_EARLY, "too early");
  save_echo(p, after);
  REQUIRE(memcmp(before, after, sizeof after) == 0, "what is refused changes nothing");
}

static void begin_again(player *p, bool ends) {
  static uint8_t bytes[VA_ECHO_SAVED_SIZE_MAX];
  for (bool more = ends; more;) {
    va_output *output = make_room(p);
    REQUIRE(va_detector_flush(p->detector, p->echo, output) == VA_OK, "the end");
    keep(p, output);
    more = output->more;
  }
  va_detector_reset(p->detector);
  va_echo_reset(p->echo);
  save_echo(p, bytes);
  REQUIRE(memcmp(bytes, fresh, sizeof fresh) == 0, "a reset echo is as a new one");
  p->heard = p->played = 0;
}

/* MARK: both streams */

static void compare(const player *one, const player *other) {
  static uint8_t bytes[2][VA_DETECTOR_SAVED_SIZE_MAX], echo_bytes[2][VA_ECHO_SAVED_SIZE_MAX];
  REQUIRE(one->event_count == other->event_count && one->hop_count == other->hop_count, "as many results");
  REQUIRE(memcmp(one->events, other->events, one->event_count * sizeof(va_event)) == 0, "the same events");
  REQUIRE(memcmp(one->hops, other->hops, one->hop_count * sizeof(va_hop)) == 0, "the same hops");
  const size_t size = save(one, bytes[0]);
  REQUIRE(size == save(other, bytes[1]) && memcmp(bytes[0], bytes[1], size) == 0, "the same detector");
  REQUIRE(save_echo(one, echo_bytes[0]) == save_echo(other, echo_bytes[1]), "echoes as large");
  REQUIRE(memcmp(echo_bytes[0], echo_bytes[1], sizeof echo_bytes[0]) == 0, "the same echo");
  va_echo_status status = {.struct_size = sizeof status};
  REQUIRE(va_echo_state(one->echo, &status) == VA_OK, "what it has found");
  REQUIRE(status.delay_ms <= 740 && status.delay_ms % 20 == 0, "the delay's range");
  REQUIRE(status.fit >= -1 && status.fit <= 1 && isfinite(status.coupling_db), "the fit's range");
  REQUIRE(is_late || status.late_samples == 0, "what is in time is not late");
}

/* Zeros have no sign, which sums of channels may lose. */
static void set(sound *to, size_t at, float x) {
  to->s16[at] = to->has_s16 ? (int16_t)lrintf(fmaxf(fminf(x * 32768, 32767), -32768)) : 0;
  to->f32[at] = to->has_s16 ? (float)to->s16[at] / 32768 : x + 0.0f;
}

/* Makes what is played, of any scale and with odd channels of either phase, and what is heard of it and of others. */
static void make_sounds(const player *p, reader *in, uint8_t what, size_t count) {
  static const float scales[] = {1, 1, 32768, 1e-5f, 1e30f, -0.1f}, gains[] = {0, 0.01f, 0.3f, 2};
  const int far = what / 8 % SOUNDS, near = next_byte(in) % SOUNDS;
  const uint8_t how = next_byte(in);
  const float scale = scales[how % 6], gain = gains[how / 8 % 4];
  const uint64_t delay = (uint64_t)next_byte(in) * 4 * reference_rate / 1000;
  const uint64_t frames = due_by(p->heard + count) - p->played;
  reference.has_s16 = scale == 1 && far != ODD, microphone.has_s16 = near != ODD && (far != ODD || gain == 0);
  for (size_t n = 0; n < frames; n++) {
    const float x = scale * sample(far, p->played + n, reference_rate);
    for (uint32_t channel = 0; channel < channels; channel++)
      set(&reference, n * channels + channel, how & channel ? -x : x);
  }
  for (size_t n = 0; n < count; n++) {
    const uint64_t time = (p->heard + n) * reference_rate / rate;
    const float echo = gain > 0 && time >= delay ? gain * sample(far, time - delay, reference_rate) : 0;
    set(&microphone, n, sample(near, p->heard + n, rate) + echo);
  }
}

/* What is not known yet depends on where the microphone is when the reference's scale changes: then the other stream
 * goes on as the plain one. */
static bool resynchronize(int8_t octaves) {
  static uint8_t bytes[VA_DETECTOR_SAVED_SIZE_MAX], echo_bytes[VA_ECHO_SAVED_SIZE_MAX];
  player *one = &players[0], *other = &players[1];
  if (one->echo->reference.octaves == octaves || !by_turns) return false;
  const size_t size = save(one, bytes), echo_size = save_echo(one, echo_bytes), room = va_detector_size_for(rate);
  REQUIRE(va_detector_restore(other->memory, room, bytes, size, &other->detector) == VA_OK, "restoring");
  REQUIRE(va_echo_restore(other->echo_memory, va_echo_size(), echo_bytes, echo_size, &other->echo) == VA_OK, "an echo");
  return true;
}

static void step(reader *in) {
  const uint8_t what = next_byte(in);
  const uint32_t length = next_16_bits(in);
  const size_t count = (size_t)length * rate / 1000 * LONGEST_MS / 65536 + 1;
  const bool plays = what % 8 < 4, sounds = what % 8 < 6;
  if (what % 8 == 4 || what % 8 == 6) is_late = true;
  if (what % 8 == 7 && what & 64) is_late = false;
  /* What is behind by more than the room for sounds is made up for with silence. */
  const uint64_t due = due_by(players[0].heard + (sounds ? count : 0)), room = SOUND_MOST;
  for (int i = 0; i < 2 && sounds; i++)
    if (due > room) push_silence(&players[i], due - room);
  if (sounds) make_sounds(&players[0], in, what, count);
  by_turns = sounds && reference.has_s16;
  const int8_t octaves = players[0].echo->reference.octaves;
  for (int i = 0; i < 2; i++) {
    player *p = &players[i];
    p->event_count = p->hop_count = 0;
    if (what % 8 == 5) push_silence(p, due);
    if (sounds) go_on(p, count, plays);
    else if (what % 8 == 6) push_gap(p, 1 + length * (uint64_t)rate / 65536);
    else if (what & 64) begin_again(p, what & 128);
    else if (what & 128) be_early(p);
    else va_detector_set_muted(p->detector, what & 32);
    if (what % 8 != 7) fetch(p);
  }
  if (!resynchronize(octaves)) compare(&players[0], &players[1]);
}

/* MARK: a session */

static void *allocate(size_t size) {
  void *memory;
  REQUIRE(posix_memalign(&memory, VA_DETECTOR_ALIGNMENT, size) == 0, "memory");
  return memory;
}

static void begin(player *p, const va_config *config) {
  const size_t size = va_detector_size_for(rate), echo_size = va_echo_size();
  p->memory = allocate(size), p->other_memory = allocate(size);
  p->echo_memory = allocate(echo_size), p->other_echo_memory = allocate(echo_size);
  REQUIRE(va_detector_init(p->memory, size, config, &p->detector) == VA_OK, "a detector");
  REQUIRE(va_echo_init(p->echo_memory, echo_size, reference_rate, &p->echo) == VA_OK, "an echo");
  p->heard = p->played = 0;
}

static void end(player *p) { free(p->memory), free(p->other_memory), free(p->echo_memory), free(p->other_echo_memory); }

static uint32_t choose_rate(reader *in) {
  static const uint32_t rates[] = {8000, 11025, 16000, 22050, 24000, 32000, 44100, 48000, 96000, 192000};
  const uint8_t which = next_byte(in);
  return which < 200 ? rates[which % 10] : 8000 + next_32_bits(in) % 184001;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  reader in = {.bytes = data, .size = size};
  va_config config;
  players[1].random = next_32_bits(&in);
  rate = choose_rate(&in), reference_rate = choose_rate(&in);
  channels = 1 + next_byte(&in) % VA_ECHO_CHANNELS_MAX;
  lead = next_byte(&in) * (uint64_t)reference_rate / 1000 * LEAD_MS / 255;
  is_late = false;
  REQUIRE(va_config_preset(&config, rate, VA_PRESET_TRANSCRIPTION) == VA_OK, "a preset");
  begin(&players[0], &config), begin(&players[1], &config), begin(&decoy, &config);
  save_echo(&players[0], fresh);
  for (int steps = 0; steps < STEPS_MOST && !is_empty(&in); steps++) step(&in);
  end(&players[0]), end(&players[1]), end(&decoy);
  return 0;
}
