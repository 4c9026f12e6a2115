#include "rtp.h"

#include <stdlib.h>

/* Differences of sequence numbers and time stamps are taken in their own width and read as signed: right across the
 * wrap, as long as less than half the range lies between. */
static int sequence_distance(uint16_t from, uint16_t to) { return (int16_t)(uint16_t)(to - from); }
static int64_t timestamp_distance(uint32_t from, uint32_t to) { return (int32_t)(to - from); }

static bool has_come(const rtp_receiver *receiver, int behind) {
  return behind <= 64 && (receiver->came >> (behind - 1) & 1) != 0;
}

/* The window moves on by one: the packet there, or NULL, which is lost. */
static rtp_packet *move_on(rtp_receiver *receiver) {
  rtp_packet **slot = &receiver->held[receiver->next_sequence % RTP_REORDER];
  rtp_packet *packet = *slot;
  *slot = NULL;
  receiver->next_sequence++;
  receiver->came = receiver->came << 1 | (packet != NULL);
  if (packet != NULL) receiver->counts.analysed++;
  else receiver->counts.lost++;
  return packet;
}

static rtp_packet *in_turn(rtp_receiver *receiver, uint64_t *missing) {
  rtp_packet *packet = move_on(receiver);
  const rtp_codec *codec = receiver->codec;
  const int64_t gap = timestamp_distance(receiver->next_timestamp, packet->timestamp);
  /* The time stamp alone says how long the gap is: with DTX it jumps and the sequence numbers do not. Backwards means a
   * sender that mended its clock; what it says twice is analysed twice. */
  *missing = gap > 0 ? (uint64_t)gap * codec->rate_hz / codec->clock_hz : 0;
  receiver->next_timestamp =
      packet->timestamp + (uint32_t)((uint64_t)packet->sample_count * codec->clock_hz / codec->rate_hz);
  return packet;
}

static bool holds_any(const rtp_receiver *receiver) {
  for (size_t i = 0; i < RTP_REORDER; i++)
    if (receiver->held[i] != NULL) return true;
  return false;
}

static void hold(rtp_receiver *receiver, rtp_packet *packet, int ahead) {
  rtp_packet **slot = &receiver->held[packet->sequence % RTP_REORDER];
  receiver->counts.arrived++;
  if (ahead >= 0 && *slot == NULL) {
    *slot = packet;
    return;
  }
  if (ahead >= 0 || has_come(receiver, -ahead)) {
    receiver->counts.duplicates++;
  } else {
    receiver->counts.late++;
    if (-ahead <= 64) receiver->came |= UINT64_C(1) << (-ahead - 1);
  }
  free(packet);
}

rtp_packet *rtp_next(rtp_receiver *receiver, rtp_packet **arrivals, uint64_t *missing) {
  for (;;) {
    rtp_packet *packet = *arrivals;
    if (receiver->held[receiver->next_sequence % RTP_REORDER] != NULL) return in_turn(receiver, missing);
    if (packet == NULL || (packet->is_bye && !holds_any(receiver))) return NULL;
    if (!receiver->has_started && !packet->is_bye) {
      receiver->has_started = true;
      receiver->next_sequence = packet->sequence;
      receiver->next_timestamp = receiver->first_timestamp = packet->timestamp;
    }
    const int ahead = sequence_distance(receiver->next_sequence, packet->sequence);
    if (packet->is_bye || ahead >= RTP_REORDER) {
      move_on(receiver); /* the one that is missing will not be waited for */
    } else {
      *arrivals = packet->next;
      hold(receiver, packet, ahead);
    }
  }
}

uint32_t rtp_timestamp_at(const rtp_receiver *receiver, uint64_t position) {
  const rtp_codec *codec = receiver->codec;
  return receiver->first_timestamp + (uint32_t)(position * codec->clock_hz / codec->rate_hz);
}
