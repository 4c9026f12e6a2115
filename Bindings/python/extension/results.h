/* results.h — the events and hops of one call, smoothed or not: gathered without the GIL, and then given to Python. */
#ifndef VAPY_RESULTS_H
#define VAPY_RESULTS_H

#include <stdbool.h>

#include "state.h"
#include "voice_activity.h"

enum { RESULTS_FEW = 16 }; /* events of a short call, which need no memory */
enum { RESULTS_HOPS = 256 }; /* the first room for hops */

/* A smoother behind a detector, and the room for what it takes. */
typedef struct smoothing {
  va_smoother *smoother;
  va_event events[RESULTS_FEW];
  va_hop hops[RESULTS_HOPS];
} smoothing;

/* NULL: there is no memory, and MemoryError is raised. The settings are checked. */
smoothing *smoothing_new(const va_config *config);
void smoothing_free(smoothing *smoothing);

typedef struct results {
  va_event few[RESULTS_FEW];
  va_event *events; /* `few`, or memory */
  size_t event_count, event_room;
  bool wants_hops;
  va_hop *hops;
  size_t hop_count, hop_room;
  smoothing *smoothing; /* of the detector, or NULL */
} results;

void results_begin(results *results, smoothing *smoothing, bool wants_hops);
void results_end(results *results);

/* Sets where the detector's next call writes. False: there is no memory. */
bool results_offer(results *results, va_output *output);

/* Keeps what that call wrote, or what the smoother makes of it. False: there is no memory. */
bool results_keep(results *results, const va_output *output);

/* Keeps what the smoother has left at the end of the stream. False: there is no memory. */
bool results_finish(results *results);

/* Returns the events as a new list of Event, whose times are positions over `rate_hz`. */
PyObject *results_events(const results *results, const module_state *state, double rate_hz);

/* Reads an Event back, except its time. False: it is none, and TypeError is raised. */
bool results_read_event(PyObject *object, const module_state *state, va_event *event);

/* Creates the type Event, a collections.namedtuple. */
bool results_define(PyObject *module, module_state *state);

#endif
