/* cutter.h — what a cutter remembers: the newest speech, the cut before it, and the posteriors that a long segment may
 * be cut by. */
#ifndef VA_CUTTER_H
#define VA_CUTTER_H

#include "geometry.h"
#include "voice_activity.h"

/* The most cuts that one hop or event can complete. */
#define VA_CUTS_AT_ONCE 3

struct va_cutter {
  uint32_t rate_hz;
  float offset_threshold;

  /* The rules, in samples. A max_length of 0 sets no limit. */
  uint64_t pad_before, pad_after, min_speech, min_silence, max_length;

  /* Where the results that are being read go on. */
  size_t next_hop, next_event;

  /* The newest speech: from its start to the end of the last hop that surely belongs to it. Shorter silences than
   * min_silence are part of it. If it follows a cut within speech, nothing is padded at its start. */
  va_cut newest;
  bool has_newest, is_speaking, follows_cut;

  /* The cut before, padded. The padding of the newest speech may reach it. */
  va_cut padded;
  bool has_padded;

  /* No speech will begin before this position. */
  uint64_t quiet_until;

  /* Cuts that are complete, oldest first. */
  va_cut ready[VA_CUTS_AT_ONCE];
  size_t ready_count;

  /* The posteriors of the newest hops in parts of 255: that of hop h at h % history_capacity. */
  uint64_t hops;
  size_t history_capacity;
  uint8_t history[];
};

#endif
