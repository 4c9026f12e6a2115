/* features.c — what the network sees of a signal, written down for training.
 *
 * It is the detector itself, with a network that only keeps its inputs. features.py builds this instead of hop.c with
 * the rest of the core into a shared library. No stage has a second copy, so the network learns from exactly what it
 * will see. One thread at a time.
 */
#include <string.h>

#include "kernels.h"

static const va_kernels *recording_kernels(va_simd simd);
#define va_kernels_of recording_kernels
#include "hop.c"
#undef va_kernels_of

/* A step's row: the frame, the pitch, 1 if it was measured, 1 if the weights beside an echo decide; all 0 if the
 * detector passed over it. */
#define ROW (VA_FRAME + VA_PITCH_INPUTS + 2)

enum { EVENTS = 64, CHUNKS_PER_SECOND = 100 };

static struct {
  const va_detector *detector;
  float *rows;
  size_t capacity;
} recording;

/* Takes the place of the last kernel of each step. It gets one stream, or none if nothing was measured. */
static void record(const va_weights *weights, va_network *const *networks, const va_network_input *inputs,
                   va_logits *logits, size_t streams) {
  (void)networks;
  if (streams == 0) return;
  if (recording.detector->hops / VA_STEP_HOPS < recording.capacity) {
    float *row = recording.rows + recording.detector->hops / VA_STEP_HOPS * ROW;
    for (int i = 0; i < VA_FRAME; i++) row[i] = (float)inputs[0].frame[i] / VA_FRAME_ONE;
    memcpy(row + VA_FRAME, inputs[0].pitch, VA_PITCH_INPUTS * sizeof(float));
    row[ROW - 2] = 1;
    row[ROW - 1] = weights == &va_network_weights_beside_echo;
  }
  /* No speech: nothing happens behind the network. */
  for (int hop = 0; hop < VA_STEP_HOPS; hop++) logits[0][hop] = -100;
}

static const va_kernels *recording_kernels(va_simd simd) {
  static va_kernels kernels;
  if (!kernels.network_steps) {
    kernels = *va_kernels_of(simd);
    kernels.network_steps = record;
  }
  return &kernels;
}

size_t va_training_row(void) { return ROW; }

/* Writes the rows of the complete steps of `samples` at rate_hz to rows[capacity][ROW]. reference: what a loudspeaker
 * plays meanwhile, as many samples, or NULL. Returns how many steps there were, or SIZE_MAX if the rate is none that
 * the detector takes. */
size_t va_training_rows(uint32_t rate_hz, const float *samples, const float *reference, size_t count, float *rows,
                        size_t capacity) {
  static union {
    _Alignas(VA_DETECTOR_ALIGNMENT) char memory[sizeof(va_detector)];
  } stream;
  static _Alignas(VA_DETECTOR_ALIGNMENT) char echo_memory[VA_ECHO_SIZE_MAX];
  va_config config;
  va_detector *detector;
  va_echo *echo = NULL;
  va_event events[EVENTS];
  va_output output = {.events = events, .event_capacity = EVENTS};
  va_config_default(&config, rate_hz);
  memset(&stream, 0, sizeof stream);
  if (va_detector_init(&stream, sizeof stream, &config, &detector) != VA_OK) return SIZE_MAX;
  if (reference && va_echo_init(echo_memory, sizeof echo_memory, rate_hz, &echo) != VA_OK) return SIZE_MAX;
  memset(rows, 0, capacity * ROW * sizeof(float));
  recording.detector = detector;
  recording.rows = rows;
  recording.capacity = capacity;
  for (size_t done = 0, consumed; done < count; done += consumed) {
    size_t some = count - done < rate_hz / CHUNKS_PER_SECOND ? count - done : rate_hz / CHUNKS_PER_SECOND;
    if (echo && va_echo_push(echo, reference + done, some) != VA_OK) return SIZE_MAX;
    va_status_code code = va_detector_process(detector, echo, samples + done, some, &consumed, &output);
    if (code != VA_OK || consumed != some) return SIZE_MAX; /* the events have room for a chunk's */
  }
  return detector->hops / VA_STEP_HOPS;
}
