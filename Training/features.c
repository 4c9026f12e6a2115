/* features.c — what the network sees of a signal, written down for training.
 *
 * It is the detector itself (recorder.h), with a network that only keeps its inputs. features.py builds this with the
 * rest of the core into a shared library. One thread at a time.
 */
#include <string.h>

#include "recorder.h"

/* A step's row: the frame, the pitch, and 1 if it was measured; all 0 if the detector passed over it. */
#define ROW (VA_FRAME + VA_PITCH_INPUTS + 1)

enum { EVENTS = 64 };

static struct {
  const va_detector *detector;
  float *rows;
  size_t capacity;
} recording;

static void record(const va_weights *weights, va_network *const *networks, const va_network_input *inputs,
                   va_logits *logits, size_t streams) {
  (void)weights, (void)networks;
  if (streams == 0) return; /* nothing was measured; else it is one */
  if (recording.detector->hops / VA_STEP_HOPS < recording.capacity) {
    float *row = recording.rows + recording.detector->hops / VA_STEP_HOPS * ROW;
    for (int i = 0; i < VA_FRAME; i++) row[i] = (float)inputs[0].frame[i] / VA_FRAME_ONE;
    memcpy(row + VA_FRAME, inputs[0].pitch, VA_PITCH_INPUTS * sizeof(float));
    row[ROW - 1] = 1;
  }
  for (int hop = 0; hop < VA_STEP_HOPS; hop++) logits[0][hop] = -100; /* no speech: nothing happens behind the network */
}

size_t va_training_row(void) { return ROW; }

/* Rows of the complete steps of `samples` at rate_hz into rows[capacity][ROW]. Returns how many steps there were, or
 * SIZE_MAX if the rate is none that the detector takes. */
size_t va_training_rows(uint32_t rate_hz, const float *samples, size_t count, float *rows, size_t capacity) {
  static union {
    _Alignas(VA_DETECTOR_ALIGNMENT) char memory[sizeof(va_detector)];
  } stream;
  va_config config;
  va_detector *detector;
  va_event events[EVENTS];
  va_output output = {.events = events, .event_capacity = EVENTS};
  va_config_default(&config, rate_hz);
  memset(&stream, 0, sizeof stream);
  if (va_detector_init(&stream, sizeof stream, &config, &detector) != VA_OK) return SIZE_MAX;
  memset(rows, 0, capacity * ROW * sizeof(float));
  recording.detector = detector;
  recording.rows = rows;
  recording.capacity = capacity;
  for (size_t done = 0, consumed; done < count; done += consumed)
    if (va_detector_process(detector, samples + done, count - done, &consumed, &output) != VA_OK) return SIZE_MAX;
  return detector->hops / VA_STEP_HOPS;
}
