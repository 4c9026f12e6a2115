/* replay.h — decides stored posteriors again by other settings, with the detector's own state machine. */
#ifndef REPLAY_H
#define REPLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** What decides; as in va_config. */
typedef struct va_replay_settings {
  uint32_t sample_rate_hz;
  float onset_threshold, offset_threshold;
  uint32_t onset_debounce_ms, hangover_ms;
} va_replay_settings;

/** Speech from `start` to `end`, in samples of the input. */
typedef struct va_replay_segment {
  uint64_t start, end;
} va_replay_segment;

/** Decides the `count` posteriors of a whole stream without gaps. Writes the segments that a detector with these valid
 * settings reports, at most count / 2 + 1, and returns how many. live[] gets for each hop whether it is speech once it
 * is decided, which nothing dates back. */
size_t va_replay(const va_replay_settings *settings, const float *posteriors, size_t count,
                 va_replay_segment *segments, bool *live);

#endif
