/* trace.h — what a detector says of a sound, hop by hop, and how two of them compare. */
#ifndef TRACE_H
#define TRACE_H

#include <stdbool.h>
#include <stddef.h>

#include "sounds.h"
#include "voice_activity.h"

/* Samples to play behind a sound, so that its last hops are decided: more than the look-ahead. */
enum { TAIL = 10 * HOP };

/* Posteriors and decisions of consecutive hops. */
typedef struct trace {
  float *posteriors;
  bool *decisions;
  size_t count;
  size_t limit; /* no more hops than this are taken up */
} trace;

/* With memory for `limit` hops. */
trace make_trace(size_t limit);
void free_trace(trace *t);

/* A detector with the default configuration, at position 0. */
va_detector *make_detector(void);

/* The same detector once more: a plain copy. Both are given back with va_detector_destroy. */
va_detector *copy_detector(const va_detector *detector);

/* Plays samples. If `heard` is not NULL, the hops that begin at or behind input sample `from` are added to it. */
void play(va_detector *detector, const float *samples, size_t count, uint64_t from, trace *heard);

/* A loss of so many samples. */
void lose(va_detector *detector, uint64_t count);

/* How alike two traces of the same sound are in hops `from` … `to` - 1. */
typedef struct likeness {
  double equal_decisions;  /* share of the hops, 0 … 1 */
  double equal_posteriors; /* share of the hops whose posteriors agree to 1e-3 */
  double settled_s;        /* so long after `from` all do */
} likeness;

likeness compare(const trace *a, const trace *b, size_t from, size_t to);

/* The area under the ROC curve: the chance that a hop of speech has a higher posterior than another hop; ties count
 * half (Mann and Whitney, 1947). */
double auc(const trace *t, const bool *is_speech);

#endif
