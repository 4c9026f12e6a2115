/* server.c — a media server's loop with a thousand streams: clients join and leave, their packets get lost, swapped,
 * doubled and withheld, and a pool of threads detects who speaks.
 *
 *     ./server [--streams N] [--threads N] [--segments FILE] WAV…      8, 16 or 48 kHz, one channel: the material
 *
 * rtp.c     packets into order; gaps into samples           what you have already, or can copy
 * stream.c  a stream's detector: batch, levels, moves        what you write
 * pool.c    threads                                          what you have already
 * network.c clients and a bad network                        in place of sockets
 *
 * It runs as fast as it can; what it prints on standard output is the same with any number of threads. Every sum is
 * checked against what the network did. Exit codes: 0, 64 wrong usage, 65 bad WAV, 66 no such file, 70 a sum is wrong,
 * 71 no thread, 74 reading or writing failed. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "network.h"
#include "pool.h"
#include "wav.h"

#define COUNT(value) ((unsigned long long)(value))
enum { USAGE = 64, WRONG_SUM = 70, NO_THREAD = 71, STREAMS_MAX = 100000, CLIPS_MAX = 64 };
enum { JOIN_WITHIN = 250 /* ticks: all have joined after 5 s */, MOVE_AFTER = 40 /* packets */, WAITING_MAX = 8192 };

static const rtp_codec codecs[] = {{"PCMU", 8000, 8000}, {"G722", 16000, 8000}, {"opus", 48000, 48000}};
static const char *const kind_names[SENDER_KINDS] = {"clean", "lossy", "DTX", "levels"};

typedef struct server {
  clip clips[CLIPS_MAX];
  size_t clip_count, stream_count, thread_count;
  const char *segments_path; /* NULL: not asked for */
  stream *streams;
  sender *senders;
  pool pool;
} server;

__attribute__((format(printf, 2, 3))) static int failed(int exit_code, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("server: ", stderr);
  vfprintf(stderr, format, arguments);
  fputs("\n", stderr);
  va_end(arguments);
  return exit_code;
}

/* ---- material ---- */

static const rtp_codec *codec_for(uint32_t rate_hz) {
  for (size_t i = 0; i < sizeof codecs / sizeof *codecs; i++)
    if (codecs[i].rate_hz == rate_hz) return &codecs[i];
  return NULL;
}

static bool append(clip *clip, const float *samples, size_t count) {
  int16_t *grown = realloc(clip->samples, (clip->sample_count + count) * sizeof *grown);
  if (grown == NULL) return false;
  clip->samples = grown;
  for (size_t i = 0; i < count; i++) {
    const float scaled = samples[i] * 32768.0f;
    grown[clip->sample_count++] = (int16_t)(scaled > 32767.0f ? 32767.0f : scaled < -32768.0f ? -32768.0f : scaled);
  }
  return true;
}

static int load(clip *clip, const char *path) {
  wav_reader wav;
  float samples[4096];
  size_t count;
  if (!wav_open(&wav, path)) return failed(wav.exit_code, "%s", wav.problem);
  clip->name = path;
  clip->codec = codec_for(wav.rate_hz);
  bool has_room = true;
  while (clip->codec != NULL && has_room && (count = wav_read(&wav, samples, 4096)) > 0)
    has_room = append(clip, samples, count);
  wav_close(&wav);
  if (clip->codec == NULL)
    return failed(WAV_BAD_DATA, "%s has %u Hz; the codecs here have 8000, 16000 and 48000.", path, wav.rate_hz);
  if (!has_room) return failed(NO_THREAD, "there is no memory for %s.", path);
  if (wav.exit_code != 0) return failed(wav.exit_code, "%s", wav.problem);
  if (clip->sample_count == 0) return failed(WAV_BAD_DATA, "%s holds no sound.", path);
  return 0;
}

/* ---- the loop ---- */

typedef struct line {
  server *server;
  size_t index;
} line;

static void deliver(void *context, rtp_packet *packet) {
  const line *line = context;
  pool_post(&line->server->pool, &line->server->streams[line->index], packet);
}

/* Every 20 ms of simulated time. A server with sockets has its poll here instead, and the same pool_post. */
static void run(server *server) {
  size_t left = server->stream_count;
  for (uint32_t tick = 0; left > 0; tick++) {
    for (size_t i = 0; i < server->stream_count; i++) {
      const uint32_t joins = (uint32_t)(i * 7 % JOIN_WITHIN);
      sender *sender = &server->senders[i];
      line line = {server, i};
      if (tick == joins) {
        const clip *clip = &server->clips[i / SENDER_KINDS % server->clip_count];
        stream_init(&server->streams[i], clip->codec, i % 3 == 0 ? MOVE_AFTER : 0);
        sender_join(sender, (uint32_t)i + 1, (sender_kind)(i % SENDER_KINDS), clip);
      }
      if (tick >= joins && sender->clip != NULL && sender->position < sender->clip->sample_count &&
          !sender_tick(sender, tick, deliver, &line))
        left--;
    }
  }
}

/* ---- the table ---- */

typedef struct row {
  uint64_t streams;
  sender_counts sent;
  rtp_counts received;
  stream_results results;
  double seconds, missing_seconds;
} row;

static void add(row *row, const sender *sender, const stream *stream) {
  const stream_results *results = &stream->results;
  const rtp_counts *counts = &stream->receiver.counts;
  row->streams++;
  row->sent.sent += sender->counts.sent, row->sent.dropped += sender->counts.dropped;
  row->sent.doubled += sender->counts.doubled, row->sent.withheld += sender->counts.withheld;
  row->received.arrived += counts->arrived, row->received.analysed += counts->analysed;
  row->received.duplicates += counts->duplicates, row->received.lost += counts->lost;
  row->received.late += counts->late;
  row->results.onsets += results->onsets, row->results.hops += results->hops;
  row->results.speech_hops += results->speech_hops, row->results.levels += results->levels;
  row->results.voice_levels += results->voice_levels, row->results.moves += results->moves;
  row->seconds += (double)results->samples / sender->clip->codec->rate_hz;
  row->missing_seconds += (double)results->missing_samples / sender->clip->codec->rate_hz;
}

static void print_row(const char *name, const row *row) {
  printf("%-7s %7llu %8llu %8llu %8llu %6llu %6llu %5llu %8llu %9.1f %8.1f %9.1f %6llu %5llu\n", name,
         COUNT(row->streams), COUNT(row->sent.sent), COUNT(row->sent.withheld), COUNT(row->received.analysed),
         COUNT(row->received.lost), COUNT(row->received.duplicates), COUNT(row->received.late),
         COUNT(row->results.levels), row->seconds, row->missing_seconds,
         (double)row->results.speech_hops * VA_HOP_MS / 1000, COUNT(row->results.onsets), COUNT(row->results.moves));
}

static void print_table(const server *server) {
  row kinds[SENDER_KINDS] = {0}, all = {0};
  for (size_t i = 0; i < server->stream_count; i++) {
    add(&kinds[i % SENDER_KINDS], &server->senders[i], &server->streams[i]);
    add(&all, &server->senders[i], &server->streams[i]);
  }
  printf("%-7s %7s %8s %8s %8s %6s %6s %5s %8s %9s %8s %9s %6s %5s\n", "", "streams", "sent", "withheld", "analysed",
         "lost", "twice", "late", "levels", "sound, s", "gaps, s", "speech, s", "onsets", "moves");
  for (size_t kind = 0; kind < SENDER_KINDS; kind++) print_row(kind_names[kind], &kinds[kind]);
  print_row("all", &all);
}

/* ---- the truth ---- */

static unsigned differ(size_t index, const char *what, uint64_t expected, uint64_t found) {
  if (expected == found) return 0;
  failed(WRONG_SUM, "stream %zu: %s should be %llu and is %llu.", index, what, COUNT(expected), COUNT(found));
  return 1;
}

/* The network counts what it does and the receiver what it infers, neither knowing of the other. */
static bool is_right(const server *server, size_t i) {
  const sender_counts *sent = &server->senders[i].counts;
  const stream *stream = &server->streams[i];
  const rtp_counts *received = &stream->receiver.counts;
  const stream_results *results = &stream->results;
  const clip *clip = server->senders[i].clip;
  const uint64_t hop = clip->codec->rate_hz * VA_HOP_MS / 1000;
  const bool has_samples = server->senders[i].kind != SENDER_LEVELS;
  const unsigned wrong = /* all are looked at, so that all are reported */
      differ(i, "1, for it has left,", 1, stream->has_left) +
      differ(i, "analysed + lost packets", sent->sent, received->analysed + received->lost) +
      differ(i, "lost packets", sent->dropped + received->late, received->lost) +
      differ(i, "duplicates", sent->doubled, received->duplicates) +
      differ(i, "packets that arrived", sent->sent - sent->dropped + sent->doubled, received->arrived) +
      differ(i, "analysed + duplicate + late packets", received->arrived,
             received->analysed + received->duplicates + received->late) +
      differ(i, "samples analysed and missing", clip->sample_count, results->samples + results->missing_samples) +
      differ(i, "hops", clip->sample_count / hop, results->hops) +
      differ(i, "RFC 6464 levels", has_samples ? received->analysed : 0, results->levels) +
      differ(i, "onsets, each with its offset,", results->onsets, results->segment_count);
  return wrong == 0;
}

static bool write_segments(const server *server) {
  FILE *file = fopen(server->segments_path, "w");
  if (file == NULL) return false;
  for (size_t i = 0; i < server->stream_count; i++) {
    const stream_results *results = &server->streams[i].results;
    const double rate_hz = server->senders[i].clip->codec->rate_hz;
    const size_t kept = results->segment_count < SEGMENTS_MAX ? results->segment_count : SEGMENTS_MAX;
    fprintf(file, "%zu\t%s\t%s\n", i, kind_names[i % SENDER_KINDS], server->senders[i].clip->name);
    for (size_t k = 0; k < kept; k++)
      fprintf(file, "%.3f\t%.3f\tspeech\n", (double)results->segments[k].onset / rate_hz,
              (double)results->segments[k].offset / rate_hz);
  }
  const bool is_written = !ferror(file);
  return fclose(file) == 0 && is_written;
}

/* ---- the command line ---- */

static bool number(const char *text, size_t most, size_t *value) {
  char *end;
  const unsigned long parsed = text == NULL ? 0 : strtoul(text, &end, 10);
  *value = parsed;
  return text != NULL && *text != '-' && *end == '\0' && parsed >= 1 && parsed <= most;
}

static int parse(server *server, int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--streams") == 0) {
      if (!number(argv[++i], STREAMS_MAX, &server->stream_count))
        return failed(USAGE, "--streams takes 1 to %d.", STREAMS_MAX);
    } else if (strcmp(argv[i], "--threads") == 0) {
      if (!number(argv[++i], POOL_THREADS_MAX, &server->thread_count))
        return failed(USAGE, "--threads takes 1 to %d.", POOL_THREADS_MAX);
    } else if (strcmp(argv[i], "--segments") == 0) {
      if ((server->segments_path = argv[++i]) == NULL) return failed(USAGE, "--segments takes a file name.");
    } else if (argv[i][0] == '-') {
      return failed(USAGE, "%s is not an option; use --streams, --threads and --segments.", argv[i]);
    } else if (server->clip_count == CLIPS_MAX) {
      return failed(USAGE, "give at most %d WAV files.", CLIPS_MAX);
    } else {
      const int exit_code = load(&server->clips[server->clip_count++], argv[i]);
      if (exit_code != 0) return exit_code;
    }
  }
  return server->clip_count > 0 ? 0 : failed(USAGE, "give at least one WAV file of 8, 16 or 48 kHz.");
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static int serve(server *server) {
  const double start = now();
  /* Asked before there are threads, for helgrind, which does not know C11's atomics. */
  const char *bodies = va_simd_name();
  if (!pool_start(&server->pool, server->thread_count, WAITING_MAX))
    return failed(NO_THREAD, "thread %zu cannot be started: %s.", server->pool.thread_count + 1, strerror(errno));
  run(server);
  pool_finish(&server->pool);
  fprintf(stderr, "%zu streams on %zu threads: %.1f s; a detector takes %zu bytes, %s bodies\n", server->stream_count,
          server->thread_count, now() - start, va_detector_size(), bodies);

  print_table(server);
  size_t wrong = 0;
  for (size_t i = 0; i < server->stream_count; i++) wrong += !is_right(server, i);
  if (wrong > 0) return failed(WRONG_SUM, "%zu streams have a wrong sum.", wrong);
  puts("every stream's sums are right: sent = analysed + lost; arrived = analysed + twice + late; sound + gaps = all");
  if (server->segments_path != NULL && !write_segments(server))
    return failed(WAV_IO, "%s cannot be written: %s.", server->segments_path, strerror(errno));
  if (fflush(stdout) != 0) return failed(WAV_IO, "the table cannot be written.");
  return 0;
}

int main(int argc, char **argv) {
  static server server = {.stream_count = 1000, .thread_count = 2};
  int exit_code = parse(&server, argc, argv);
  if (exit_code == 0) {
    server.streams = aligned_alloc(VA_DETECTOR_ALIGNMENT, server.stream_count * sizeof *server.streams);
    server.senders = calloc(server.stream_count, sizeof *server.senders);
    exit_code = server.streams == NULL || server.senders == NULL
                    ? failed(NO_THREAD, "there is no memory for %zu streams.", server.stream_count)
                    : serve(&server);
  }
  free(server.streams);
  free(server.senders);
  for (size_t i = 0; i < server.clip_count; i++) free(server.clips[i].samples);
  return exit_code;
}
