#include "network.h"

#include <stdlib.h>
#include <string.h>

enum {
  QUIET_PEAK = 33,        /* −60 dBFS of 16-bit sound: a client with DTX takes this for silence */
  QUIET_PACKETS = 10,     /* … after 200 ms of it */
  DTX_EVERY = 20,         /* Opus sends one packet every 400 ms then (RFC 6716, 2.1.9) */
  DELAY_MAX = 5, DELAY_FAR = 15 /* packets: within and beyond what a receiver waits */
};

/* xorshift32 (Marsaglia, Journal of Statistical Software 8, 2003), per sender, so that nothing depends on the order of
 * the senders. */
static uint32_t draw(sender *sender, uint32_t below) {
  uint32_t x = sender->random;
  x ^= x << 13, x ^= x >> 17, x ^= x << 5;
  return (sender->random = x) % below;
}

void sender_join(sender *sender, uint32_t seed, sender_kind kind, const clip *clip) {
  *sender = (struct sender){.kind = kind, .clip = clip, .random = seed * 2654435761u | 1};
  /* RFC 3550 starts both at random; here they are such that each wraps within the first seconds. */
  sender->sequence = (uint16_t)(UINT16_MAX - draw(sender, 100));
  sender->timestamp = UINT32_MAX - draw(sender, 2 * clip->codec->clock_hz);
  if (kind == SENDER_LEVELS) {
    va_config config;
    va_config_default(&config, clip->codec->rate_hz);
    if (va_detector_create(&config, &sender->detector) != VA_OK) abort(); /* no memory: not the subject here */
  }
}

static bool is_quiet(const int16_t *samples, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (abs(samples[i]) > QUIET_PEAK) return false;
  return true;
}

/* RFC 6464 out, as a client does: level and voice flag of the newest hop. */
static uint8_t level_byte(va_detector *detector, const int16_t *samples, size_t count) {
  va_event events[16];
  va_output output = {.events = events, .event_capacity = 16};
  va_status status = {.struct_size = sizeof status};
  size_t consumed;
  va_detector_process_s16(detector, NULL, samples, count, &consumed, &output); /* 20 ms: all fit */
  va_detector_status(detector, &status);
  return va_rfc6464_byte(status.level_dbov, status.is_speech);
}

static rtp_packet *make_packet(sender *sender, const int16_t *samples, size_t count) {
  const bool has_samples = sender->kind != SENDER_LEVELS;
  const size_t bytes = has_samples ? count * sizeof *samples : 0;
  rtp_packet *packet = malloc(sizeof *packet + bytes);
  if (packet == NULL) abort();
  *packet = (rtp_packet){.sequence = sender->sequence, .timestamp = sender->timestamp, .has_samples = has_samples,
                         .sample_count = (uint16_t)count};
  memcpy(packet->samples, samples, bytes);
  if (!has_samples) packet->audio_level = level_byte(sender->detector, samples, count);
  return packet;
}

/* NULL: DTX, nothing to send. */
static rtp_packet *speak(sender *sender, bool is_first, bool is_last, size_t count) {
  const int16_t *samples = sender->clip->samples + sender->position;
  sender->quiet_packets = is_quiet(samples, count) ? sender->quiet_packets + 1 : 0;
  const bool is_withheld = sender->kind == SENDER_DTX && sender->quiet_packets > QUIET_PACKETS &&
                           sender->quiet_packets % DTX_EVERY != 0 && !is_first && !is_last;
  rtp_packet *packet = is_withheld ? NULL : make_packet(sender, samples, count);
  const rtp_codec *codec = sender->clip->codec;
  sender->position += count;
  sender->timestamp += (uint32_t)(count * codec->clock_hz / codec->rate_hz);
  sender->sequence += packet != NULL;
  *(is_withheld ? &sender->counts.withheld : &sender->counts.sent) += 1;
  return packet;
}

/* The first and the last packet get through: what is lost outside them no receiver can count. */
static uint32_t fate(sender *sender, bool *is_dropped, bool *is_doubled) {
  const uint32_t of_1000 = draw(sender, 1000);
  if (sender->burst_left > 0) sender->burst_left--;
  else if (of_1000 < 10) sender->burst_left = 1 + draw(sender, 3); /* 2 packets on average */
  *is_dropped = sender->burst_left > 0;
  *is_doubled = !*is_dropped && draw(sender, 1000) < 20;
  if (of_1000 >= 20 && of_1000 < 50) return 1 + draw(sender, DELAY_MAX);
  return of_1000 >= 998 ? DELAY_FAR : 0;
}

static void hold_back(sender *sender, rtp_packet *packet, uint32_t due) {
  for (size_t i = 0; i < NETWORK_DELAYED_MAX; i++)
    if (sender->delayed[i].packet == NULL) {
      sender->delayed[i].packet = packet;
      sender->delayed[i].due = due;
      return;
    }
  abort(); /* at most two a tick are held back, for at most DELAY_FAR ticks */
}

static void travel(sender *sender, rtp_packet *packet, uint32_t delay, uint32_t tick, deliver_function *deliver,
                   void *context) {
  if (delay > 0) hold_back(sender, packet, tick + delay);
  else deliver(context, packet);
}

static rtp_packet *copy_of(const rtp_packet *packet) {
  const size_t bytes = sizeof *packet + (packet->has_samples ? packet->sample_count * sizeof *packet->samples : 0);
  rtp_packet *copy = malloc(bytes);
  if (copy == NULL) abort();
  return memcpy(copy, packet, bytes);
}

static void send_packet(sender *sender, rtp_packet *packet, bool is_sure, uint32_t tick, deliver_function *deliver,
                        void *context) {
  bool is_dropped = false, is_doubled = false;
  const uint32_t delay = is_sure || sender->kind == SENDER_CLEAN ? 0 : fate(sender, &is_dropped, &is_doubled);
  sender->counts.dropped += is_dropped;
  sender->counts.doubled += is_doubled;
  if (is_doubled) travel(sender, copy_of(packet), delay, tick, deliver, context);
  if (is_dropped) free(packet);
  else travel(sender, packet, delay, tick, deliver, context);
}

/* Those whose time has come, or all of them. */
static void deliver_delayed(sender *sender, uint32_t tick, bool all, deliver_function *deliver, void *context) {
  for (size_t i = 0; i < NETWORK_DELAYED_MAX; i++)
    if (sender->delayed[i].packet != NULL && (all || sender->delayed[i].due <= tick)) {
      deliver(context, sender->delayed[i].packet);
      sender->delayed[i].packet = NULL;
    }
}

bool sender_tick(sender *sender, uint32_t tick, deliver_function *deliver, void *context) {
  const size_t left = sender->clip->sample_count - sender->position;
  const size_t full = (size_t)sender->clip->codec->rate_hz * PACKET_MS / 1000;
  const bool is_first = sender->position == 0, is_last = left <= full;
  rtp_packet *packet = speak(sender, is_first, is_last, is_last ? left : full);
  if (packet != NULL) send_packet(sender, packet, is_first || is_last, tick, deliver, context);
  deliver_delayed(sender, tick, is_last, deliver, context); /* after the newer one: out of order */
  if (!is_last) return true;

  rtp_packet *bye = calloc(1, sizeof *bye);
  if (bye == NULL) abort();
  bye->is_bye = true;
  deliver(context, bye);
  va_detector_destroy(sender->detector);
  sender->detector = NULL;
  return false;
}
