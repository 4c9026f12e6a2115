/* stream.h — turns the samples, levels and gaps of a stream into hops. */
#ifndef VA_STREAM_H
#define VA_STREAM_H

#include "detector_state.h"

/* The samples of one call. At most one pointer is set; without any, the samples are zeros. The pointers belong to the
 * caller and are valid during the call only, so that a va_input never becomes part of a detector. */
typedef struct va_input {
  const float *f32;
  const int16_t *s16;
  size_t count;
  va_echo *echo;         /* the echo to take out, or NULL */
  size_t done;           /* samples taken so far */
  uint32_t skipped_hops; /* hops of gaps and levels that this call has decided so far */
} va_input;

/* What a stream needs to go on. */
typedef enum va_stream_need {
  VA_NEEDS_ANALYSIS, /* the next hop is complete, and its results have room: va_analyse_hops */
  VA_NEEDS_INPUT,    /* all samples, levels and gaps are used up */
  VA_NEEDS_CALL      /* the output is full, or gaps have taken enough of this call's time */
} va_stream_need;

/* Takes samples until one of these is needed. */
va_stream_need va_stream_advance(va_detector *d, va_input *input, va_output *output);

/* Analyses all hops that an input completes, or as many as one call may; sets output->more. */
void va_stream_process(va_detector *d, va_input *input, va_output *output);

/* True if no gap, level or complete hop is waiting. */
bool va_stream_is_drained(const va_detector *d);

/* Adds a gap, or a level (`rms`, linear), of `count` samples. va_stream_process analyses its hops. */
void va_stream_add_gap(va_detector *d, uint64_t count);
void va_stream_add_level(va_detector *d, uint64_t count, float rms, bool voice);

/* Decides every whole hop of an ended stream, with silence as the look-ahead. Returns false and sets output->more if
 * the output is full before that. */
bool va_stream_finish(va_detector *d, va_echo *echo, va_output *output);

#endif
