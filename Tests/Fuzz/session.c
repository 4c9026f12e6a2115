/* session.c — makes any legal sequence of calls, at any rate: the results must not depend on how the calls are made.
 *
 * The input chooses a sequence of sounds, gaps, levels, mutes, resets and ends. It is played twice. The plain way
 * passes each item in one call, with room for all results. The other way cuts items into pieces, passes 16-bit samples,
 * uses batches with other streams, offers room for few results, and moves the stream to other memory in between, saved
 * or copied. Both must find the same, bit for bit, and every result must be what the header promises. */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "fuzz.h"
#include "sounds.h"
#include "voice_activity.h"

enum { LOG = 8192, SOUND_MOST = 192000 / 8, STEPS_MOST = 24, DECOYS = 3 };

typedef struct results {
  va_event events[LOG];
  va_hop hops[LOG];
  size_t event_count, hop_count;
} results;

typedef struct player {
  results *found;
  uint32_t rate;
  uint64_t position, decided; /* samples taken so far; decided_at of the newest event */
  uint64_t next_hop;          /* since the last reset */
  bool plain;
  uint32_t random; /* chooses how the other way makes its calls */
  int memory_in_use;
  va_detector *detector;
} player;

static results found[2];
static _Alignas(VA_DETECTOR_ALIGNMENT) unsigned char memory[2][2][8192], decoy_memory[DECOYS][8192];
static float sound[SOUND_MOST];
static int16_t sound_s16[SOUND_MOST];

static uint32_t roll(player *p, uint32_t sides) {
  p->random = p->random * 1664525u + 1013904223u;
  return (p->random >> 16) % sides;
}

/* MARK: results */

static void keep(player *p, const va_output *output) {
  for (size_t i = 0; i < output->event_count; i++) {
    const va_event *event = &output->events[i];
    REQUIRE(event->decided_at <= p->position, "decided_at is not ahead of the input");
    REQUIRE(event->decided_at >= p->decided, "nor before that of the event before");
    REQUIRE(event->position <= event->decided_at, "nothing is known before it is");
    REQUIRE((event->length_samples > 0) == (event->type == VA_EVENT_DISCONTINUITY), "the length of a gap");
    p->decided = event->decided_at;
    REQUIRE(p->found->event_count < LOG, "room for events");
    p->found->events[p->found->event_count++] = *event;
  }
  for (size_t i = 0; i < output->hop_count; i++) {
    const va_hop *hop = &output->hops[i];
    REQUIRE(hop->position == (p->next_hop * p->rate + 99) / 100, "hops follow each other");
    REQUIRE(hop->posterior >= 0 && hop->posterior <= 1, "the posterior's range");
    REQUIRE(hop->level_dbfs >= -127 && hop->level_dbfs <= 12, "the level's range");
    REQUIRE(hop->peak_dbfs >= -127 && hop->peak_dbfs <= 12, "the peak's range");
    REQUIRE(hop->noise_floor_dbfs >= -127 && hop->noise_floor_dbfs <= 12, "the noise floor's range");
    p->next_hop++;
    REQUIRE(p->found->hop_count < LOG, "room for hops");
    p->found->hops[p->found->hop_count++] = *hop;
  }
}

/* MARK: the two ways */

typedef struct room {
  va_event events[64];
  va_hop hops[LOG];
  va_output output;
} room;

static room *make_room(player *p) {
  static room here;
  here.output = (va_output){.events = here.events, .event_capacity = 64, .hops = here.hops, .hop_capacity = LOG};
  if (!p->plain) here.output.event_capacity = VA_EVENTS_PER_HOP_MAX + roll(p, 3);
  if (!p->plain) here.output.hop_capacity = 1 + roll(p, 9);
  return &here;
}

static void fetch(player *p) {
  bool more = true;
  while (more) {
    room *r = make_room(p);
    size_t consumed = 1;
    REQUIRE(va_detector_process(p->detector, NULL, NULL, 0, &consumed, &r->output) == VA_OK && consumed == 0,
            "fetching");
    keep(p, &r->output);
    more = r->output.more;
  }
  va_status status = {.struct_size = sizeof status};
  REQUIRE(va_detector_status(p->detector, &status) == VA_OK, "the status");
  REQUIRE(status.hops == p->next_hop, "all decided hops were returned");
  REQUIRE(status.level_dbov <= 127 && (status.is_muted || !status.is_muted_speech), "the status is consistent");
}

static void move(player *p) {
  static unsigned char bytes[6144];
  size_t size = 0, other = 1 - p->memory_in_use;
  unsigned char *from = memory[0][p->memory_in_use], *to = memory[0][other];
  memset(to, 0xee, sizeof memory[0][0]);
  if (roll(p, 4) == 0) {
    memcpy(to, from, va_detector_size());
    p->detector = (va_detector *)(void *)to;
  } else {
    REQUIRE(va_detector_saved_size() <= sizeof bytes, "the promised size of a saved stream");
    REQUIRE(va_detector_save(p->detector, bytes, sizeof bytes, &size) == VA_OK, "saving");
    REQUIRE(va_detector_restore(to, sizeof memory[0][0], bytes, size, &p->detector) == VA_OK, "restoring");
  }
  memset(from, 0xdd, sizeof memory[0][0]);
  p->memory_in_use = (int)other;
}

/* In a batch with up to DECOYS other streams, whose samples end elsewhere in their hops. */
static size_t process_in_a_batch(player *p, uint64_t missing, size_t at, size_t count, bool in_16_bits) {
  static va_event decoy_events[DECOYS][16];
  va_output decoy_outputs[DECOYS];
  va_batch_item items[DECOYS + 1] = {{0}};
  size_t decoys = roll(p, DECOYS + 1), own = roll(p, (uint32_t)decoys + 1);
  room *r = make_room(p);
  for (size_t i = 0, decoy = 0; i <= decoys; i++) {
    if (i == own) {
      items[i] = (va_batch_item){.detector = p->detector, .count = count, .missing = missing, .output = &r->output};
      if (in_16_bits) items[i].samples_s16 = sound_s16 + at;
      else items[i].samples = sound + at;
      continue;
    }
    decoy_outputs[decoy] = (va_output){.events = decoy_events[decoy], .event_capacity = 16};
    items[i] = (va_batch_item){.detector = (va_detector *)(void *)decoy_memory[decoy], .samples = sound,
                               .count = 400 + roll(p, 200), .output = &decoy_outputs[decoy]};
    decoy++;
  }
  REQUIRE(va_process_batch(items, decoys + 1) == VA_OK && items[own].status == VA_OK, "a batch");
  p->position += missing + items[own].consumed;
  keep(p, &r->output);
  return items[own].consumed;
}

static size_t process_alone(player *p, size_t at, size_t count, bool in_16_bits) {
  room *r = make_room(p);
  size_t consumed = 0;
  va_status_code code = in_16_bits
                            ? va_detector_process_s16(p->detector, NULL, sound_s16 + at, count, &consumed, &r->output)
                            : va_detector_process(p->detector, NULL, sound + at, count, &consumed, &r->output);
  REQUIRE(code == VA_OK && consumed <= count, "samples are taken");
  REQUIRE(consumed == count || r->output.more, "and all where there is room");
  p->position += consumed;
  keep(p, &r->output);
  return consumed;
}

static void process(player *p, size_t count, bool quantised, uint64_t missing) {
  for (size_t at = 0; at < count || missing;) {
    size_t piece = p->plain || at == count ? count - at : 1 + roll(p, roll(p, 3) ? (uint32_t)(count - at) : 200);
    if (piece > count - at) piece = count - at;
    bool in_16_bits = quantised && !p->plain && roll(p, 2);
    if (!p->plain && roll(p, 8) == 0) move(p);
    if (!p->plain && roll(p, 2)) {
      at += process_in_a_batch(p, missing, at, piece, in_16_bits);
      missing = 0;
    } else if (missing) {
      uint64_t part = p->plain ? missing : 1 + roll(p, (uint32_t)missing);
      room *r = make_room(p);
      REQUIRE(va_detector_push_gap(p->detector, NULL, part, &r->output) == VA_OK, "a gap");
      p->position += part, missing -= part;
      keep(p, &r->output);
    } else {
      at += process_alone(p, at, piece, in_16_bits);
    }
  }
  fetch(p);
}

static void push_level(player *p, uint64_t count, uint8_t level, bool voice) {
  fetch(p);
  room *r = make_room(p);
  p->position += count;
  REQUIRE(va_rfc6464_level(va_rfc6464_byte(level, voice)) == level, "RFC 6464's level");
  REQUIRE(va_rfc6464_voice(va_rfc6464_byte(level, voice)) == voice, "RFC 6464's voice bit");
  REQUIRE(va_detector_push_level(p->detector, count, level, voice, &r->output) == VA_OK, "a level");
  keep(p, &r->output);
  fetch(p);
}

static void end(player *p) {
  bool more = true;
  while (more) {
    room *r = make_room(p);
    REQUIRE(va_detector_flush(p->detector, NULL, &r->output) == VA_OK, "the end");
    keep(p, &r->output);
    more = r->output.more;
    if (!p->plain && roll(p, 4) == 0) move(p);
  }
  room *r = make_room(p);
  r->output.event_count = r->output.hop_count = 7, r->output.more = true;
  REQUIRE(va_detector_push_gap(p->detector, NULL, 1, &r->output) == VA_ERROR_ARGUMENT, "an ended stream takes no more");
  REQUIRE(r->output.event_count == 0 && r->output.hop_count == 0 && !r->output.more, "an error leaves no results");
}

static void begin_again(player *p) {
  va_detector_reset(p->detector);
  p->position = p->decided = p->next_hop = 0;
}

/* MARK: a session */

static va_config configuration(reader *in) {
  static const uint32_t rates[] = {8000, 11025, 16000, 22050, 24000, 32000, 40000, 44100, 48000, 96000, 160000, 192000};
  va_config config;
  uint8_t which = next_byte(in);
  uint32_t rate = which < 200 ? rates[which % 12] : 8000 + next_32_bits(in) % 184001;
  REQUIRE(va_config_preset(&config, rate, (va_preset)(next_byte(in) % 3)) == VA_OK, "a preset");
  if (next_byte(in) & 1) config.onset_threshold = 0.05f, config.offset_threshold = 0.02f;
  if (next_byte(in) & 1) config.mute_grace_ms = next_byte(in), config.muted_speech_hold_ms = next_byte(in);
  if (next_byte(in) & 1) config.hangover_ms = next_byte(in), config.onset_debounce_ms = next_byte(in);
  return config;
}

static void make_sound(const player *p, int kind, size_t count, bool quantised) {
  for (size_t i = 0; i < count; i++) {
    sound[i] = sample(kind, p->position + i, p->rate);
    if (!quantised) continue;
    sound_s16[i] = (int16_t)lrintf(fmaxf(fminf(sound[i] * 32768, 32767), -32768));
    sound[i] = (float)sound_s16[i] / 32768;
  }
}

static void step(player *p, reader *in) {
  uint8_t what = next_byte(in);
  size_t count = next_16_bits(in);
  int kind = what / 8 % SOUNDS;
  bool quantised = kind != ODD && what & 128;
  switch (what % 8) {
    case 0: case 1: case 2: case 3:
      count = count * p->rate / 8 / 65536 + 1; /* up to an eighth of a second … */
      if (count > SOUND_MOST) count = SOUND_MOST;
      make_sound(p, kind, count, quantised);
      uint64_t missing = what % 8 == 3 ? next_16_bits(in) % (p->rate / 10) + 1 : 0; /* … after a short gap */
      process(p, count, quantised, missing);
      break;
    case 4: process(p, 0, false, 1 + count * p->rate / 65536); break; /* a gap of up to a second */
    case 5: push_level(p, count % (p->rate / 20), (uint8_t)(next_byte(in) & 127), what & 128); break;
    case 6: va_detector_set_muted(p->detector, what & 128); break;
    default:
      if (what & 64) end(p);
      begin_again(p);
  }
}

static void play(player *p, reader in) {
  va_config config = configuration(&in);
  p->rate = config.sample_rate_hz;
  p->found->event_count = p->found->hop_count = 0;
  for (int decoy = 0; decoy < DECOYS && !p->plain; decoy++) {
    va_detector *unused;
    REQUIRE(va_detector_init(decoy_memory[decoy], sizeof decoy_memory[decoy], &config, &unused) == VA_OK, "a decoy");
  }
  REQUIRE(va_detector_init(memory[p->plain][0], sizeof memory[0][0], &config, &p->detector) == VA_OK, "a detector");
  for (int steps = 0; steps < STEPS_MOST && !is_empty(&in); steps++) step(p, &in);
  end(p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  reader in = {.bytes = data, .size = size};
  player plain = {.found = &found[0], .plain = true};
  player other = {.found = &found[1], .random = next_32_bits(&in)};
  play(&plain, in);
  play(&other, in);
  REQUIRE(found[0].event_count == found[1].event_count, "both ways find as many events");
  REQUIRE(found[0].hop_count == found[1].hop_count, "and as many hops");
  REQUIRE(memcmp(found[0].events, found[1].events, found[0].event_count * sizeof(va_event)) == 0, "the same events");
  REQUIRE(memcmp(found[0].hops, found[1].hops, found[0].hop_count * sizeof(va_hop)) == 0, "the same hops");
  return 0;
}
