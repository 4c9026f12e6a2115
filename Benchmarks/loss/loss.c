/* loss.c — a recording through Opus with lost packets, to the detector in one of four ways.
 *
 *     loss none|gap|concealment|concealment60 PATTERN… < RAW
 *
 * RAW: 16-bit samples at 16 kHz, mono. Packets hold 20 ms. A PATTERN is a file of a digit for each packet, 1 where it
 * is lost, from the beginning again where the recording is longer. Prints "PATTERN start end" in seconds for each
 * segment.
 *
 *   none           every packet comes
 *   gap            va_detector_push_gap
 *   concealment    what the Opus decoder makes up, as if it had been received
 *   concealment60  the first 60 ms of each loss so, the rest as a gap */
#include <opus/opus.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <voice_activity.h>

enum { RATE = 16000, PACKET = RATE / 50, SAMPLES_MOST = 120 * RATE, PACKETS_MOST = SAMPLES_MOST / PACKET,
       BYTES_MOST = 1500 };

static int16_t samples[SAMPLES_MOST];
static struct {
  unsigned char bytes[BYTES_MOST];
  opus_int32 size;
} packets[PACKETS_MOST];
static size_t packet_count;

static void expect(int holds, const char *what) {
  if (holds) return;
  fprintf(stderr, "loss: %s\n", what);
  exit(1);
}

static void encode(size_t count) {
  int error;
  OpusEncoder *encoder = opus_encoder_create(RATE, 1, OPUS_APPLICATION_VOIP, &error);
  expect(error == OPUS_OK, "no encoder");
  opus_encoder_ctl(encoder, OPUS_SET_BITRATE(24000));
  for (size_t at = 0; at + PACKET <= count; at += PACKET, packet_count++) {
    packets[packet_count].size = opus_encode(encoder, samples + at, PACKET, packets[packet_count].bytes, BYTES_MOST);
    expect(packets[packet_count].size > 0, "a packet is not encoded");
  }
  opus_encoder_destroy(encoder);
}

typedef struct listener {
  va_detector *detector;
  const char *pattern;
  double onset;
} listener;

static void print(listener *to, const va_output *output) {
  for (size_t i = 0; i < output->event_count; i++) {
    double at = (double)output->events[i].position / RATE;
    if (output->events[i].type == VA_EVENT_ONSET) to->onset = at;
    if (output->events[i].type == VA_EVENT_OFFSET) printf("%s %.3f %.3f\n", to->pattern, to->onset, at);
  }
}

#define OUTPUT           \
  va_event events[64];   \
  va_output output = {.events = events, .event_capacity = 64}

static void hear(listener *to, const int16_t *pcm) {
  OUTPUT;
  size_t consumed;
  expect(va_detector_process_s16(to->detector, NULL, pcm, PACKET, &consumed, &output) == VA_OK && !output.more,
         "process");
  print(to, &output);
}

static void miss(listener *to) {
  OUTPUT;
  expect(va_detector_push_gap(to->detector, NULL, PACKET, &output) == VA_OK && !output.more, "push_gap");
  print(to, &output);
}

static void receive(listener *to, OpusDecoder *decoder, const char *lost, size_t length, const char *how) {
  int16_t pcm[PACKET];
  size_t run = 0;
  for (size_t i = 0; i < packet_count; i++) {
    int is_lost = strcmp(how, "none") != 0 && lost[i % length] == '1';
    run = is_lost ? run + 1 : 0;
    if (!is_lost)
      expect(opus_decode(decoder, packets[i].bytes, packets[i].size, pcm, PACKET, 0) == PACKET, "decoding");
    int conceals = strcmp(how, "concealment") == 0 || (strcmp(how, "concealment60") == 0 && run <= 3);
    if (is_lost) expect(opus_decode(decoder, NULL, 0, pcm, PACKET, 0) == PACKET, "concealing");
    if (is_lost && !conceals) miss(to);
    else hear(to, pcm);
  }
}

static void play(const char *how, const char *path) {
  static char lost[PACKETS_MOST];
  FILE *file = fopen(path, "r");
  expect(file != NULL, path);
  size_t length = fread(lost, 1, sizeof lost, file);
  fclose(file);
  while (length > 0 && lost[length - 1] != '0' && lost[length - 1] != '1') length--;
  expect(length > 0, "an empty pattern");
  int error;
  va_config config;
  listener to = {.pattern = path};
  OpusDecoder *decoder = opus_decoder_create(RATE, 1, &error);
  expect(error == OPUS_OK, "no decoder");
  va_config_default(&config, RATE);
  expect(va_detector_create(&config, &to.detector) == VA_OK, "no detector");
  receive(&to, decoder, lost, length, how);
  OUTPUT;
  expect(va_detector_flush(to.detector, NULL, &output) == VA_OK, "flush");
  print(&to, &output);
  va_detector_destroy(to.detector);
  opus_decoder_destroy(decoder);
}

int main(int argc, char **argv) {
  expect(argc >= 3, "usage: loss none|gap|concealment|concealment60 PATTERN... < RAW");
  encode(fread(samples, sizeof *samples, SAMPLES_MOST, stdin));
  for (int i = 2; i < argc; i++) play(argv[1], argv[i]);
  return 0;
}
