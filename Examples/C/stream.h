/* stream.h — one incoming audio stream of the server: its packets in order, its detector, what was found. */
#ifndef EXAMPLES_STREAM_H
#define EXAMPLES_STREAM_H

#include <voice_activity.h>

#include "rtp.h"

enum { BATCH_MAX = 16, SEGMENTS_MAX = 64,
       DETECTOR_BYTES_MAX = 8192 /* the header's promise; va_detector_size() has the true number */ };

typedef struct segment {
  uint64_t onset, offset; /* samples from the stream's first */
} segment;

typedef struct stream_results {
  segment segments[SEGMENTS_MAX];
  size_t segment_count;   /* beyond SEGMENTS_MAX they are counted and not kept */
  uint64_t onsets, hops, speech_hops;
  uint64_t samples, missing_samples; /* taken in: sound, and gaps */
  uint64_t levels, voice_levels;     /* RFC 6464 bytes written, and how many of them with the voice flag */
  uint64_t moves;                    /* from one server to another: saved and restored */
} stream_results;

typedef struct stream {
  /* The pool's: guarded by its lock. */
  rtp_packet *inbox, **inbox_end;
  struct stream *next_ready;
  bool is_scheduled;
  /* The owner's: the one thread that the pool has given the stream to. */
  rtp_packet *arrivals;
  rtp_receiver receiver;
  va_detector *detector; /* NULL before the first packet and after the last */
  va_event onset;
  uint8_t level_byte;    /* RFC 6464, for the packets that are forwarded now */
  bool has_left;
  uint64_t move_after;   /* packets; 0: stays where it is */
  stream_results results;
  _Alignas(VA_DETECTOR_ALIGNMENT) unsigned char memory[DETECTOR_BYTES_MAX];
} stream;

void stream_init(stream *stream, const rtp_codec *codec, uint64_t move_after);

/* Analyses what has arrived for up to BATCH_MAX streams that the calling thread owns, a packet of each per call of
 * va_process_batch. */
void streams_analyse(stream **streams, size_t count);

#endif
