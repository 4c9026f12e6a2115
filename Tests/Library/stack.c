/* stack.c — how much stack the library's calls use: runs them on a painted stack and looks how far the paint is gone.
 * The header promises less than 12 KiB. Built and run by Scripts/check-library.sh. */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <voice_activity.h>

enum { STACK = 256 * 1024, PROMISE = 12 * 1024, PAINT = 0xa5, LOUD = 192000 / 2, STREAMS = 16 };

static const uint32_t rates[] = {8000, 16000, 44100, 192000};
static float f32[LOUD];
static int16_t s16[LOUD];
static _Alignas(VA_DETECTOR_ALIGNMENT) unsigned char memory[2][8192];
static unsigned char bytes[8192];
static va_event events[64];
static va_hop hops[256];
static _Alignas(4096) unsigned char stack[STACK];

/* Streams of all rates in one call: the library analyses some of them side by side. */
static _Alignas(VA_DETECTOR_ALIGNMENT) unsigned char streams[STREAMS][8192];
static va_event stream_events[STREAMS][64];
static va_output outputs[STREAMS];
static va_batch_item items[STREAMS];

static void batch(void) {
  for (int i = 0; i < STREAMS; i++) {
    uint32_t rate = rates[i / 4]; /* four of a kind beside each other */
    va_config config;
    va_config_default(&config, rate);
    outputs[i] = (va_output){.events = stream_events[i], .event_capacity = 64};
    items[i] = (va_batch_item){.samples = f32, .count = rate / 2, .missing = 5, .output = &outputs[i]};
    if (va_detector_init(streams[i], sizeof streams[i], &config, &items[i].detector) != VA_OK) abort();
  }
  if (va_process_batch(items, STREAMS) != VA_OK) abort();
}

static void *nothing(void *arg) { return arg; }

/* A stream beside a loudspeaker whose reference stops: the detector's call then measures silence in its place. */
static void beside(va_detector *d, uint32_t rate) {
  static _Alignas(VA_DETECTOR_ALIGNMENT) unsigned char echo_memory[VA_ECHO_SIZE_MAX];
  va_output output = {.events = events, .event_capacity = 64, .hops = hops, .hop_capacity = 256};
  for (size_t r = 0; r < sizeof rates / sizeof *rates; r++) {
    va_echo *echo;
    size_t consumed, size;
    if (va_echo_init(echo_memory, sizeof echo_memory, rates[r], &echo) != VA_OK) abort();
    va_echo_push(echo, f32, rates[r] / 10);
    va_detector_process(d, echo, f32, rate / 4, &consumed, &output);
    va_echo_push_s16(echo, s16, rates[r] / 10);
    va_echo_push_interleaved_s16(echo, s16, rates[r] / 20, 2);
    va_echo_push_interleaved(echo, f32, rates[r] / 20, 8);
    va_detector_process_s16(d, echo, s16, rate / 4, &consumed, &output);
    va_detector_push_gap(d, echo, rate / 9, &output);
    if (va_echo_save(echo, bytes, sizeof bytes, &size) != VA_OK) abort();
    if (va_echo_restore(echo_memory, sizeof echo_memory, bytes, size, &echo) != VA_OK) abort();
    va_batch_item item = {.detector = d, .echo = echo, .samples = f32, .count = rate / 4, .output = &output};
    if (va_process_batch(&item, 1) != VA_OK) abort();
  }
}

static void *all_calls(void *arg) {
  for (size_t r = 0; r < sizeof rates / sizeof *rates; r++) {
    va_output output = {.events = events, .event_capacity = 64, .hops = hops, .hop_capacity = 256};
    va_status status = {.struct_size = sizeof status};
    va_config config;
    va_detector *d;
    size_t consumed, size;
    va_config_default(&config, rates[r]);
    config.onset_threshold = 0.015f, config.offset_threshold = 0.01f;
    if (va_detector_init(memory[0], sizeof memory[0], &config, &d) != VA_OK) abort();
    va_detector_set_muted(d, true);
    va_detector_process(d, NULL, f32, rates[r] / 2, &consumed, &output);
    va_detector_process_s16(d, NULL, s16, rates[r] / 2, &consumed, &output);
    va_detector_push_gap(d, NULL, rates[r] / 9, &output);
    va_detector_push_level(d, rates[r] / 9, 30, true, &output);
    if (output.hop_count == 0) abort();
    if (va_detector_save(d, bytes, sizeof bytes, &size) != VA_OK) abort();
    if (va_detector_restore(memory[1], sizeof memory[1], bytes, size, &d) != VA_OK) abort();
    va_detector_status(d, &status);
    va_detector_flush(d, NULL, &output);
    va_detector_reset(d);
    beside(d, rates[r]);
  }
  batch();
  return arg;
}

/* Bytes of stack that a thread has touched, with what it takes to run one. */
static size_t touched(void *(*body)(void *)) {
  pthread_attr_t attributes;
  pthread_t thread;
  size_t clean = 0;
  memset(stack, PAINT, sizeof stack);
  pthread_attr_init(&attributes);
  if (pthread_attr_setstack(&attributes, stack, sizeof stack)) abort();
  if (pthread_create(&thread, &attributes, body, NULL)) abort();
  pthread_join(thread, NULL);
  while (clean < sizeof stack && stack[clean] == PAINT) clean++;
  return sizeof stack - clean;
}

int main(void) {
  for (int n = 0; n < LOUD; n++) {
    f32[n] = (float)(0.3 * sin(n * 0.05) * sin(n * 0.0007)) + (n == 99 ? NAN : 0);
    s16[n] = (int16_t)(9000 * sin(n * 0.04));
  }
  size_t used = touched(all_calls) - touched(nothing);
  printf("%zu bytes of stack\n", used);
  if (used > 1024 && used < PROMISE) return 0; /* less would say that the paint shows nothing */
  fprintf(stderr, "stack: the header promises less than %d bytes\n", PROMISE);
  return 1;
}
