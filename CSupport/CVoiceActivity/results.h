/* results.h — writes decisions to the caller's arrays. */
#ifndef VA_RESULTS_H
#define VA_RESULTS_H

#include "detector_state.h"

/* Empties the caller's output and checks that it has room for one hop. */
va_status_code va_open_output(va_output *output);

/* True if everything that one hop can cause still fits. */
static inline bool va_has_room(const va_output *output) {
  return output->event_count + VA_EVENTS_PER_HOP_MAX <= output->event_capacity &&
         (!output->hops || output->hop_count < output->hop_capacity);
}

/* These append to an output that has room. */
static inline void va_append_event(va_output *output, va_event event) {
  output->events[output->event_count] = event;
  output->event_count++;
}

static inline void va_append_hop(va_output *output, va_hop hop) {
  output->hops[output->hop_count] = hop;
  output->hop_count++;
}

/* These emit the event of a transition, of a change of muted speech that `hop` decided, and of a gap that has ended, or
 * nothing if there is none. The caller has checked va_has_room: one hop causes at most one transition and one mute
 * change, a gap and the end of the stream likewise (VA_EVENTS_PER_HOP_MAX). */
void va_emit_transition(const va_detector *d, va_output *output, va_transition transition);
void va_emit_mute_change(const va_detector *d, va_output *output, va_mute_change change, uint64_t hop);
void va_close_gap(va_detector *d, va_output *output);

/* Returns the record of a hop that was just decided. is_echo: its sound is only echo. */
va_hop va_hop_record(const va_detector *d, uint64_t hop, float posterior, bool is_echo);

#endif
