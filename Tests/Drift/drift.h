/* drift.h — the proofs. Each prints what it measured and returns 0, or 1 after one sentence on standard error. */
#ifndef DRIFT_H
#define DRIFT_H

#include "sounds.h"

typedef struct recordings {
  recording *each;
  size_t count;
  size_t hops; /* of all together */
} recordings;

/* 24 h of speech, noise, silence, offsets, hum, clipping and gaps leave what is said of the next recording unmoved. */
int prove_no_drift(const recordings *all);

/* Half a second of noise is enough: what is said of speech behind it is what a detector says that knew the noise. */
int prove_warm(const recording *speech);

/* That half second itself brings no alarms worth the name. */
int prove_no_alarms(void);

/* Prints the sentence; 1. */
int fail(const char *what);

#endif
