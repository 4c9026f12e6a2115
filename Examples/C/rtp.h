/* rtp.h — what stands between a media server's socket and the detector: packets into order, and what is lost or was
 * never sent (DTX) into a count of missing samples. No clock, no thread, no lock; one owner at a time, as the
 * detector. */
#ifndef EXAMPLES_RTP_H
#define EXAMPLES_RTP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct rtp_codec {
  const char *name;
  uint32_t rate_hz;  /* of the decoded sound: the detector's rate */
  uint32_t clock_hz; /* of the time stamps; not always the same: G.722 counts 8,000 of its 16,000 (RFC 3551, 4.5.2) */
} rtp_codec;

/* A packet after decryption and decoding. */
typedef struct rtp_packet {
  struct rtp_packet *next; /* in the list of arrivals */
  uint16_t sequence;
  uint32_t timestamp;    /* of its first sample */
  bool is_bye;           /* the sender has left; carries nothing else */
  uint8_t audio_level;   /* the byte of RFC 6464's header extension */
  uint16_t sample_count; /* how much sound it stands for */
  bool has_samples;      /* false where the server cannot decode: end-to-end encryption, or an SFU that only forwards */
  int16_t samples[];
} rtp_packet;

/* Every packet that was sent is analysed or lost; every packet that arrived is analysed, a duplicate or late. */
typedef struct rtp_counts {
  uint64_t arrived, analysed, duplicates;
  uint64_t lost; /* given up: the turn of a packet RTP_REORDER behind it had come */
  uint64_t late; /* came after it was given up; in lost as well */
} rtp_counts;

/* How many packets behind a missing one are held before it is given up: 160 ms of 20 ms packets. A server with a jitter
 * buffer has this number there, and feeds the detector behind it. */
enum { RTP_REORDER = 8 };

typedef struct rtp_receiver {
  const rtp_codec *codec;
  bool has_started;
  uint16_t next_sequence;
  uint32_t next_timestamp, first_timestamp;
  uint64_t came; /* bit n: packet next_sequence − 1 − n has come */
  rtp_packet *held[RTP_REORDER];
  rtp_counts counts;
} rtp_receiver;

/* Takes packets from the head of `arrivals` until one is due, and returns that one: the caller frees it, and reports
 * the `missing` samples before it to the detector. NULL: more has to arrive, or the sender has left, and then its BYE
 * is all that stands in arrivals. */
rtp_packet *rtp_next(rtp_receiver *receiver, rtp_packet **arrivals, uint64_t *missing);

/* The time stamp of a position of the detector, to relate an event to RTCP's wall clock or to another stream. */
uint32_t rtp_timestamp_at(const rtp_receiver *receiver, uint64_t position);

#endif
