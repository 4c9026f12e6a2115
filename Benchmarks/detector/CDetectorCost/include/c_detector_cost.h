/* c_detector_cost.h — what the Swift detector is measured against: the same work in C. */
#ifndef C_DETECTOR_COST_H
#define C_DETECTOR_COST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a run heard, so that nobody saves the work of hearing it. */
typedef struct detector_heard {
  uint64_t events;
  uint64_t speech_hops; /* 0 unless hops are wanted */
} detector_heard;

/* Analyses `count` samples, which either pointer gives, in chunks, the last of them whole. Aborts on an error: there
 * is no reason for one. */
detector_heard c_detector_run(uint32_t rate_hz, const float *samples, const int16_t *samples_s16, size_t count,
                              size_t chunk, bool wants_hops);

#endif
