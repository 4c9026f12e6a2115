/* network.h — the rest of the world, for server.c: clients that speak the material, and a network that loses, delays,
 * swaps and doubles packets. Deterministic, and it counts what it does, so that the server's own counts can be checked
 * against the truth. In a server of yours, sockets take its place. */
#ifndef EXAMPLES_NETWORK_H
#define EXAMPLES_NETWORK_H

#include <voice_activity.h>

#include "rtp.h"

enum { PACKET_MS = 20, NETWORK_DELAYED_MAX = 32 };

typedef struct clip {
  const char *name;
  const rtp_codec *codec;
  int16_t *samples;
  size_t sample_count;
} clip;

typedef enum sender_kind {
  SENDER_CLEAN, /* nothing happens to its packets */
  SENDER_LOSSY, /* 2 % lost in bursts of 1 to 3, 3 % out of order, 2 % twice, some far too late */
  SENDER_DTX,   /* lossy; and of silence only every twentieth packet is sent, as Opus does with DTX */
  SENDER_LEVELS, /* lossy, and the server gets no samples: a level and a voice flag with each packet */
  SENDER_KINDS
} sender_kind;

typedef struct sender_counts {
  uint64_t sent, dropped, doubled;
  uint64_t withheld; /* by DTX: no packet, no sequence number */
} sender_counts;

typedef struct sender {
  sender_kind kind;
  const clip *clip;
  size_t position; /* next sample of the clip */
  uint16_t sequence;
  uint32_t timestamp, random;
  uint32_t quiet_packets, burst_left;
  va_detector *detector; /* SENDER_LEVELS: what fills RFC 6464's byte in the client */
  struct {
    rtp_packet *packet;
    uint32_t due;
  } delayed[NETWORK_DELAYED_MAX];
  sender_counts counts;
} sender;

typedef void deliver_function(void *context, rtp_packet *packet);

void sender_join(sender *sender, uint32_t seed, sender_kind kind, const clip *clip);

/* The next 20 ms: delivers what arrives in them. False when it has delivered the BYE. */
bool sender_tick(sender *sender, uint32_t tick, deliver_function *deliver, void *context);

#endif
