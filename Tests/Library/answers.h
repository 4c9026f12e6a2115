/* answers.h — the sound that the tests of many, late and odd streams hear, and a digest of what a detector answers. */
#ifndef ANSWERS_H
#define ANSWERS_H

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <voice_activity.h>

enum { TALK_HZ = 8000, TALK_MOST = 65536 };

typedef struct talk {
  int16_t samples[TALK_MOST];
  size_t count;
} talk;

static inline void expect(bool holds, const char *what, uint64_t where) {
  if (holds) return;
  fprintf(stderr, "%s, at %" PRIu64 "\n", what, where);
  exit(1);
}

/* Reads Tests/Contract/talk.s16. */
static inline void read_talk(talk *talk, const char *path) {
  FILE *file = fopen(path, "rb");
  talk->count = file ? fread(talk->samples, sizeof *talk->samples, TALK_MOST, file) : 0;
  if (file) fclose(file);
  expect(talk->count > TALK_HZ, "no talk in the file that is named", 0);
}

/* Sample n of the talk, which repeats, at another rate: each of its samples lasts as long as it does at 8 kHz. */
static inline int16_t talk_at(const talk *talk, uint64_t n, uint32_t rate_hz) {
  return talk->samples[n * TALK_HZ / rate_hz % talk->count];
}

/* What was answered: FNV-1a over each bit of it, positions counted from `origin`. Each kind of answer has its own
 * digest, since the order of events among hops depends on the calls. */
typedef struct answers {
  uint64_t origin, events, hops, speech_hops, cuts;
  uint64_t of_events, of_hops, of_cuts; /* digests */
} answers;

static inline answers answers_from(uint64_t origin) { return (answers){.origin = origin}; }

static inline void digest(uint64_t *digest, const void *bytes, size_t size) {
  for (size_t i = 0; i < size; i++) *digest = (*digest ^ ((const uint8_t *)bytes)[i] ^ 0x100) * 0x100000001b3;
}

static inline void answer(answers *a, const va_output *output) {
  for (size_t i = 0; i < output->event_count; i++) {
    va_event event = output->events[i];
    event.position -= a->origin, event.decided_at -= a->origin;
    digest(&a->of_events, &event, sizeof event);
  }
  for (size_t i = 0; i < output->hop_count; i++) {
    va_hop hop = output->hops[i];
    hop.position -= a->origin;
    a->speech_hops += (hop.flags & VA_HOP_SPEECH) != 0;
    digest(&a->of_hops, &hop, sizeof hop);
  }
  a->events += output->event_count, a->hops += output->hop_count;
}

static inline void answer_cut(answers *a, va_cut cut) {
  const uint64_t values[] = {cut.start - a->origin, cut.end - a->origin, cut.decided_at - a->origin, cut.continues};
  digest(&a->of_cuts, values, sizeof values);
  a->cuts++;
}

static inline bool are_same(const answers *a, const answers *b) {
  return a->events == b->events && a->hops == b->hops && a->cuts == b->cuts && a->of_events == b->of_events &&
         a->of_hops == b->of_hops && a->of_cuts == b->of_cuts;
}

#endif
