#include "stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Room for what one call returns: 20 ms and the look-ahead of a gap's end. A longer gap comes in several turns. */
enum { EVENTS = 16, HOPS = 8 };

typedef struct turn { /* one packet of one stream */
  stream *stream;
  rtp_packet *packet;
  va_event events[EVENTS];
  va_hop hops[HOPS];
  va_output output;
} turn;

static void must(va_status_code code) {
  if (code == VA_OK) return;
  fprintf(stderr, "server: %s\n", va_status_text(code)); /* a mistake of this program, not of its input */
  abort();
}

void stream_init(stream *stream, const rtp_codec *codec, uint64_t move_after) {
  memset(stream, 0, sizeof *stream);
  stream->inbox_end = &stream->inbox;
  stream->receiver.codec = codec;
  stream->move_after = move_after;
}

static void open_detector(stream *stream) {
  va_config config;
  must(va_config_default(&config, stream->receiver.codec->rate_hz));
  must(va_detector_init(stream->memory, sizeof stream->memory, &config, &stream->detector));
}

/* What a server does when it hands a call over: the bytes go to the other one, and nobody hears a difference. */
static void move_to_another_server(stream *stream) {
  unsigned char bytes[DETECTOR_BYTES_MAX]; /* va_detector_saved_size() is less */
  size_t size;
  must(va_detector_save(stream->detector, bytes, sizeof bytes, &size));
  memset(stream->memory, 0xA5, sizeof stream->memory);
  must(va_detector_restore(stream->memory, sizeof stream->memory, bytes, size, &stream->detector));
  stream->results.moves++;
}

static void take_event(stream *stream, const va_event *event) {
  stream_results *results = &stream->results;
  if (event->type == VA_EVENT_ONSET) {
    stream->onset = *event;
    results->onsets++;
  } else if (event->type == VA_EVENT_OFFSET) {
    if (results->segment_count < SEGMENTS_MAX)
      results->segments[results->segment_count] = (segment){stream->onset.position, event->position};
    results->segment_count++;
  }
}

static void take_output(stream *stream, const va_output *output) {
  for (size_t i = 0; i < output->event_count; i++) take_event(stream, &output->events[i]);
  for (size_t i = 0; i < output->hop_count; i++) {
    const va_hop *hop = &output->hops[i];
    stream->results.hops++;
    stream->results.speech_hops += (hop->flags & VA_HOP_SPEECH) != 0;
    stream->level_byte = va_rfc6464_byte(hop->level_dbov, (hop->flags & VA_HOP_SPEECH) != 0);
  }
}

/* The packet goes on to the subscribers now, with the level and voice flag of the newest hop that is decided: the voice
 * flag lags by the look-ahead, as it does in every client. */
static void forward(stream *stream, const rtp_packet *packet) {
  if (!packet->has_samples) return; /* it keeps the byte that its sender wrote */
  stream->results.levels++;
  stream->results.voice_levels += va_rfc6464_voice(stream->level_byte);
}

static void empty(turn *turn) { /* what did not fit */
  size_t consumed;
  take_output(turn->stream, &turn->output);
  while (turn->output.more) {
    must(va_detector_process(turn->stream->detector, NULL, NULL, 0, &consumed, &turn->output));
    take_output(turn->stream, &turn->output);
  }
}

/* A level in place of samples: an item of its own kind, so it is not part of the batch. */
static void analyse_level(turn *turn, uint64_t missing) {
  stream *stream = turn->stream;
  const uint8_t byte = turn->packet->audio_level;
  if (missing > 0) {
    must(va_detector_push_gap(stream->detector, NULL, missing, &turn->output));
    empty(turn);
  }
  must(va_detector_push_level(stream->detector, turn->packet->sample_count, va_rfc6464_level(byte),
                              va_rfc6464_voice(byte), &turn->output));
  empty(turn);
}

static void finish_turn(turn *turn) {
  stream *stream = turn->stream;
  stream->results.samples += turn->packet->sample_count;
  forward(stream, turn->packet);
  free(turn->packet);
  if (stream->move_after != 0 && stream->receiver.counts.analysed == stream->move_after) move_to_another_server(stream);
}

static void analyse_batch(va_batch_item *items, turn **turns, size_t count) {
  va_process_batch(items, count);
  for (size_t i = 0; i < count; i++) {
    must(items[i].status);
    take_output(turns[i]->stream, items[i].output);
    for (size_t done = items[i].consumed, consumed; done < items[i].count || items[i].output->more; done += consumed) {
      must(va_detector_process_s16(items[i].detector, NULL, items[i].samples_s16 + done, items[i].count - done,
                                   &consumed, items[i].output));
      take_output(turns[i]->stream, items[i].output);
    }
  }
}

static void leave(stream *stream, turn *turn) {
  free(stream->arrivals); /* the BYE */
  stream->arrivals = NULL;
  while (stream->detector != NULL) {
    must(va_detector_flush(stream->detector, NULL, &turn->output));
    take_output(stream, &turn->output);
    if (!turn->output.more) break;
  }
  stream->detector = NULL; /* its memory could now serve another stream */
  stream->has_left = true;
}

/* One packet of each stream, if it has one due. Returns how many had. */
static size_t analyse_round(stream **streams, turn *turns, size_t count) {
  va_batch_item items[BATCH_MAX];
  turn *batch[BATCH_MAX];
  size_t item_count = 0, turn_count = 0;
  for (size_t i = 0; i < count; i++) {
    uint64_t missing = 0;
    turn *turn = &turns[i];
    turn->packet = rtp_next(&streams[i]->receiver, &streams[i]->arrivals, &missing);
    if (turn->packet == NULL) continue;
    if (streams[i]->detector == NULL) open_detector(streams[i]);
    streams[i]->results.missing_samples += missing;
    turn_count++;
    if (!turn->packet->has_samples) {
      analyse_level(turn, missing);
      continue;
    }
    batch[item_count] = turn;
    items[item_count++] = (va_batch_item){.detector = streams[i]->detector, .missing = missing,
                                          .samples_s16 = turn->packet->samples, .count = turn->packet->sample_count,
                                          .output = &turn->output};
  }
  analyse_batch(items, batch, item_count);
  for (size_t i = 0; i < count; i++)
    if (turns[i].packet != NULL) finish_turn(&turns[i]);
  return turn_count;
}

void streams_analyse(stream **streams, size_t count) {
  turn turns[BATCH_MAX];
  for (size_t i = 0; i < count; i++) {
    turns[i].stream = streams[i];
    turns[i].output = (va_output){.events = turns[i].events, .event_capacity = EVENTS, .hops = turns[i].hops,
                                  .hop_capacity = HOPS};
  }
  while (analyse_round(streams, turns, count) > 0) {}
  for (size_t i = 0; i < count; i++)
    if (streams[i]->arrivals != NULL) leave(streams[i], &turns[i]);
}
