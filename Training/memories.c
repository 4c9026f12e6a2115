/* memories.c — what the network remembers beside a loudspeaker, written down for fit_echo.py.
 *
 * It is the detector itself beside an echo (recorder.h), with a network that also keeps what it remembers and the logits
 * of the plain outputs. One thread at a time.
 */
#include <string.h>

#include "recorder.h"

/* A step's row: the memory, the plain logits, and 1 if echo was taken out just now. Of a step that was not measured: 0,
 * logits of silence, 0. */
#define ROW (VA_MEMORY + VA_STEP_HOPS + 1)

enum { RATE_HZ = 16000, CHUNK = VA_STEP_HOPS * VA_HOP, EVENTS = 64, SILENCE = -100 };

static struct {
  const va_detector *detector;
  float *rows;
} recording;

static void record(const va_weights *weights, va_network *const *networks, const va_network_input *inputs,
                   va_logits *logits, size_t streams) {
  if (streams == 0) return; /* nothing was measured; else it is one */
  va_network_input plain = inputs[0];
  plain.outputs = VA_OUTPUTS_PLAIN;
  va_kernels_of(va_simd_detect())->network_steps(weights, networks, &plain, logits, 1);
  float *row = recording.rows + recording.detector->hops / VA_STEP_HOPS * ROW;
  memcpy(row, networks[0]->memory, VA_MEMORY * sizeof(float));
  memcpy(row + VA_MEMORY, logits[0], VA_STEP_HOPS * sizeof(float));
  row[ROW - 1] = inputs[0].outputs == VA_OUTPUTS_BESIDE_ECHO;
}

size_t va_training_memory_row(void) { return ROW; }

/* Writes a row for each complete step of `count` samples at 16 kHz beside as many of the reference; rows has room for
 * them. Returns a va_status_code. */
int va_training_memories(const int16_t *samples, const int16_t *reference, size_t count, float *rows) {
  static union {
    _Alignas(VA_DETECTOR_ALIGNMENT) char memory[sizeof(va_detector)];
  } stream;
  static _Alignas(VA_DETECTOR_ALIGNMENT) char echo_memory[VA_ECHO_SIZE_MAX];
  va_config config;
  va_detector *detector;
  va_echo *echo;
  va_event events[EVENTS];
  va_output output = {.events = events, .event_capacity = EVENTS};
  va_config_default(&config, RATE_HZ);
  va_status_code code = va_detector_init(&stream, sizeof stream, &config, &detector);
  if (code == VA_OK) code = va_echo_init(echo_memory, sizeof echo_memory, RATE_HZ, &echo);
  if (code != VA_OK) return (int)code;
  memset(rows, 0, count / CHUNK * ROW * sizeof(float));
  for (size_t step = 0; step < count / CHUNK; step++)
    for (int hop = 0; hop < VA_STEP_HOPS; hop++) rows[step * ROW + VA_MEMORY + hop] = SILENCE;
  recording.detector = detector;
  recording.rows = rows;
  for (size_t at = 0, taken; at + CHUNK <= count; at += CHUNK) {
    code = va_echo_push_s16(echo, reference + at, CHUNK);
    if (code == VA_OK) code = va_detector_process_s16_beside(detector, echo, samples + at, CHUNK, &taken, &output);
    if (code != VA_OK) return (int)code;
    if (taken != CHUNK) return VA_ERROR_ARGUMENT; /* the events have room for a chunk's */
  }
  return VA_OK;
}
