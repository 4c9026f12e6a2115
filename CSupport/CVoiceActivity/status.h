/* status.h — the state that other threads may read and set while the detector runs. */
#ifndef VA_STATUS_H
#define VA_STATUS_H

#include "archive.h"
#include "detector_state.h"

/* Publishes that nothing is known: at the start and at a reset. The mute flag stays. */
void va_publish_start(va_detector *d);

/* Publishes a decided hop, of which the detector has the rest. power: the hop's (va_reported_power). `hops` are decided
 * now. */
void va_publish_hop(va_detector *d, float posterior, float power, uint64_t hops);

/* Adds to the counts of input samples. */
void va_publish_counts(va_detector *d, va_input_counts counts, uint64_t missing);

/* Publishes that nobody speaks: at the end of the stream. */
void va_publish_end(va_detector *d);

/* Copies the published state field by field, since other threads may be muting meanwhile. */
void va_status_copy(va_detector *to, const va_detector *from);

/* Saves or restores what only the published state knows: the newest posterior and levels, the counts, the mute flag.
 * The rest follows from the detector and from `hops`, the decided ones. */
void va_status_archive(va_archive *archive, va_detector *d, uint64_t hops);

/* The mute flag at this moment. */
bool va_is_muted(const va_detector *d);

#endif
