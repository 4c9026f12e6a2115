/* sounds.h — what the proofs of drift.c play: recordings with their labels, and computed noises. All at 16 kHz. */
#ifndef SOUNDS_H
#define SOUNDS_H

#include <stdbool.h>
#include <stddef.h>

enum { RATE_HZ = 16000, HOP = RATE_HZ / 100 };

typedef struct recording {
  const char *name;
  float *samples;
  size_t count;    /* samples */
  bool *is_speech; /* one for each of its count / HOP hops: the middle of the hop lies in a label */
} recording;

/* Reads NAME.f32 (raw 32-bit floats) and NAME.txt (start<TAB>end<TAB>text, in seconds), or says why not and exits. */
recording read_recording(const char *name);

typedef enum colour { WHITE, PINK, BROWN, HUM, COLOURS } colour;
extern const char *const colour_names[COLOURS];

/* New noise at a level: white (uniform), pink (-3 dB/octave), brown (-6 dB/octave), or 50 Hz with its harmonics. The
 * same colour gives the same noise each time. */
float *make_noise(colour which, size_t count, float rms_dbfs);

/* The factor that raises a level by so many dB. */
float gain_of_db(float db);

/* The mean square over the hops that are labelled as speech, in dBFS. */
float speech_level_dbfs(const recording *r);

/* Memory or exit. */
void *allocate(size_t bytes);

#endif
