/* use.c — a program that finds the installed library through pkg-config: a stream is analysed, moved to other memory in
 * mid-word, and ends with the segments of a stream that was not. Its argument is the version to expect.
 * Built and run by Scripts/check-library.sh. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <voice_activity.h>

enum { RATE = 48000, SECONDS = 3, PACKET = RATE / 50, MOVE_AT = RATE * 8 / 10 };

static float samples[RATE * SECONDS];
static _Alignas(VA_DETECTOR_ALIGNMENT) unsigned char memory[2][8192];

/* Half a second of a buzz, again and again: with low thresholds something that begins and ends. */
static void make_sound(void) {
  for (int n = 0; n < RATE * SECONDS; n++) {
    double t = (double)n / RATE, buzz = 0;
    for (int harmonic = 1; harmonic < 20; harmonic++) buzz += sin(6.283185307 * 150 * harmonic * t) / harmonic;
    samples[n] = (float)(fmod(t, 1) > 0.5 ? 0.1 * fmax(0, sin(6.283185307 * 4 * t)) * buzz : 0);
  }
}

static void expect(bool holds, const char *what) {
  if (holds) return;
  fprintf(stderr, "use: %s\n", what);
  exit(1);
}

static void begin(va_detector **detector) {
  va_config config;
  expect(va_config_default(&config, RATE) == VA_OK, "va_config_default");
  config.onset_threshold = 0.015f, config.offset_threshold = 0.01f;
  expect(va_detector_init(memory[0], sizeof memory[0], &config, detector) == VA_OK, "va_detector_init");
}

static void move(va_detector **detector) {
  static unsigned char bytes[6144];
  size_t size;
  expect(va_detector_saved_size() <= sizeof bytes, "va_detector_saved_size is above what the header promises");
  expect(va_detector_save(*detector, bytes, sizeof bytes, &size) == VA_OK, "va_detector_save");
  memset(memory[0], 0xee, sizeof memory[0]);
  expect(va_detector_restore(memory[1], sizeof memory[1], bytes, size, detector) == VA_OK, "va_detector_restore");
}

/* The events' positions, in `found`; returns how many. */
static size_t analyse(bool moving, uint64_t *found) {
  va_event events[16];
  va_output output = {.events = events, .event_capacity = 16};
  va_detector *detector;
  size_t count = 0;
  begin(&detector);
  for (size_t at = 0; at <= RATE * SECONDS; at += PACKET) {
    va_batch_item item = {.detector = detector, .samples = samples + at, .count = PACKET, .output = &output};
    if (at == RATE * SECONDS) expect(va_detector_flush(detector, NULL, &output) == VA_OK, "va_detector_flush");
    else expect(va_process_batch(&item, 1) == VA_OK && item.consumed == PACKET, "va_process_batch");
    for (size_t i = 0; i < output.event_count; i++) found[count++] = events[i].position;
    if (moving && at == MOVE_AT) move(&detector);
  }
  return count;
}

int main(int argc, char **argv) {
  static uint64_t stayed[64], moved[64];
  expect(argc == 2 && strcmp(va_version(), argv[1]) == 0, "va_version is not pkg-config's");
  expect(va_abi_version() == VA_ABI_VERSION, "the library is not the header's");
  expect(va_detector_size() <= sizeof memory[0], "va_detector_size is above what the header promises");
  make_sound();
  size_t count = analyse(false, stayed);
  expect(count >= 4, "too little happened to prove anything");
  expect(analyse(true, moved) == count, "a moved stream brings another number of events");
  expect(memcmp(stayed, moved, count * sizeof *stayed) == 0, "a moved stream goes on otherwise");
  return 0;
}
