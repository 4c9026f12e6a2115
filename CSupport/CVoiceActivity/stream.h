/* stream.h — the way of a stream's samples, heard, told of or missing, to its hops. */
#ifndef VA_STREAM_H
#define VA_STREAM_H

#include "detector_state.h"

/* A call's samples; one of the two pointers is NULL. */
typedef struct va_input {
  const float *f32;
  const int16_t *s16;
  size_t count;
  size_t done;           /* … of them so far */
  uint32_t skipped_hops; /* hops that nobody heard and that this call has decided so far */
} va_input;

/* Takes samples until the next hop is complete and all that can come of it has room: va_analyse_hops is next. False if
 * the input is at its end, or if the output is full or a long gap has taken enough of this call's time: then
 * output->more is set. */
bool va_stream_next_hop(va_detector *d, va_input *input, va_output *output);

/* Analyses all hops that an input completes. */
void va_stream_take(va_detector *d, va_input *input, va_output *output);

/* True if nothing waits but for samples. */
bool va_stream_is_drained(const va_detector *d);

/* Says that `count` samples are missing, or that all that is known of them is told; their hops are not analysed yet. */
void va_stream_miss(va_detector *d, uint64_t count);
void va_stream_tell(va_detector *d, uint64_t count, float rms, bool voice);

/* Silence behind the end, until every whole hop of the stream is decided; false if the output is full. */
bool va_stream_finish(va_detector *d, va_output *output);

#endif
