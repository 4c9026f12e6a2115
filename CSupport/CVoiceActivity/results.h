/* results.h — writes decisions to the caller's arrays. */
#ifndef VA_RESULTS_H
#define VA_RESULTS_H

#include "detector_state.h"

/* Empties the caller's output and checks that it has room for one hop. */
va_status_code va_open_output(va_output *output);

/* True if everything that one hop can cause still fits. */
bool va_has_room(const va_output *output);

/* These emit the event of a transition, of a change of muted speech that `hop` decided, and of a gap that has ended, or
 * nothing if there is none. The caller has checked va_has_room: one hop causes at most one transition and one mute
 * change, a gap and the end of the stream likewise (VA_EVENTS_PER_HOP_MAX). */
void va_emit_transition(const va_detector *d, va_output *output, va_transition transition);
void va_emit_mute_change(const va_detector *d, va_output *output, va_mute_change change, uint64_t hop);
void va_close_gap(va_detector *d, va_output *output);

/* Returns the record of a hop that was just decided, without its peak and level_dbov, which the status does not need. */
va_hop va_hop_record(const va_detector *d, uint64_t hop, float posterior);
float va_hop_peak_dbfs(const va_detector *d, uint64_t hop);

#endif
