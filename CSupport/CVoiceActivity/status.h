/* status.h — what other threads may see and set while the detector runs. */
#ifndef VA_STATUS_H
#define VA_STATUS_H

#include "archive.h"
#include "detector_state.h"

/* At the start and at a reset: nothing is known yet. The mute flag stays. */
void va_publish_start(va_detector *d);

/* After each decided hop; `hops` are decided now. */
void va_publish_hop(va_detector *d, const va_hop *record, uint64_t hops);

/* Adds to the counts of input samples; only the detector's own thread writes them. */
void va_publish_counts(va_detector *d, va_input_counts counts, uint64_t missing);

/* At the end of the stream: nobody speaks. */
void va_publish_end(va_detector *d);

/* Copies all of it but what other threads change meanwhile is torn between fields, never within one. */
void va_status_copy(va_detector *to, const va_detector *from);

/* Saves or restores it; what other parts know too follows from them. */
void va_status_archive(va_archive *archive, va_detector *d, uint64_t hops);

/* The mute flag of this moment. */
bool va_is_muted(const va_detector *d);

#endif
