#include "results.h"

#include <stdlib.h>

enum { HOPS_AT_ONCE = 256 };

void results_begin(results *results, bool wants_hops) {
  results->events = results->few;
  results->event_count = results->hop_count = results->hop_room = 0;
  results->event_room = RESULTS_FEW;
  results->wants_hops = wants_hops;
  results->hops = NULL;
}

void results_end(results *results) {
  if (results->events != results->few) free(results->events);
  free(results->hops);
}

static bool grow_events(results *results) {
  const size_t room = results->event_room * 2;
  va_event *more = malloc(room * sizeof *more);
  if (!more) return false;
  for (size_t i = 0; i < results->event_count; i++) more[i] = results->events[i];
  if (results->events != results->few) free(results->events);
  results->events = more;
  results->event_room = room;
  return true;
}

static bool grow_hops(results *results) {
  const size_t room = results->hop_room * 2 + HOPS_AT_ONCE;
  va_hop *more = realloc(results->hops, room * sizeof *more);
  if (!more) return false;
  results->hops = more;
  results->hop_room = room;
  return true;
}

bool results_offer(results *results, va_output *output) {
  if (results->event_room - results->event_count < VA_EVENTS_PER_HOP_MAX && !grow_events(results)) return false;
  if (results->wants_hops && results->hop_room == results->hop_count && !grow_hops(results)) return false;
  *output = (va_output){
      .events = results->events + results->event_count,
      .event_capacity = results->event_room - results->event_count,
      .hops = results->wants_hops ? results->hops + results->hop_count : NULL,
      .hop_capacity = results->hop_room - results->hop_count,
  };
  return true;
}

void results_keep(results *results, const va_output *output) {
  results->event_count += output->event_count;
  results->hop_count += output->hop_count;
}

static PyStructSequence_Field event_fields[] = {
    {"type", "What happened: 'onset', 'offset', 'muted_speech_begin', 'muted_speech_end' or 'discontinuity'."},
    {"time", "Where it happened, in seconds since the stream began."},
    {"position", "Where it happened, in samples since the stream began."},
    {"decided_at", "The position, in samples, at which it was decided; never ahead of the input."},
    {"length", "How many samples are missing at a discontinuity; otherwise 0."},
    {NULL, NULL},
};
static PyStructSequence_Desc event_description = {
    .name = "voiceactivity.Event",
    .doc = "What a detector found, and where.",
    .fields = event_fields,
    .n_in_sequence = 5,
};

bool results_define(module_state *state) {
  static const char *const names[] = {
      [0] = "unknown",
      [VA_EVENT_ONSET] = "onset",
      [VA_EVENT_OFFSET] = "offset",
      [VA_EVENT_MUTED_SPEECH_BEGIN] = "muted_speech_begin",
      [VA_EVENT_MUTED_SPEECH_END] = "muted_speech_end",
      [VA_EVENT_DISCONTINUITY] = "discontinuity",
  };
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (!(state->event_names[i] = PyUnicode_InternFromString(names[i]))) return false;
  return (state->event_type = PyStructSequence_NewType(&event_description)) != NULL;
}

static PyObject *event_object(const va_event *event, const module_state *state, double rate_hz) {
  PyObject *object = PyStructSequence_New(state->event_type);
  if (!object) return NULL;
  PyObject *const values[] = {
      Py_NewRef(state->event_names[event->type <= VA_EVENT_DISCONTINUITY ? event->type : 0]),
      PyFloat_FromDouble((double)event->position / rate_hz),
      PyLong_FromUnsignedLongLong(event->position),
      PyLong_FromUnsignedLongLong(event->decided_at),
      PyLong_FromUnsignedLongLong(event->length_samples),
  };
  for (Py_ssize_t i = 0; i < 5; i++) PyStructSequence_SetItem(object, i, values[i]);
  if (!PyErr_Occurred()) return object;
  Py_DECREF(object);
  return NULL;
}

PyObject *results_events(const results *results, const module_state *state, double rate_hz) {
  PyObject *list = PyList_New((Py_ssize_t)results->event_count);
  for (size_t i = 0; list && i < results->event_count; i++) {
    PyObject *event = event_object(&results->events[i], state, rate_hz);
    if (!event) Py_CLEAR(list);
    else PyList_SetItem(list, (Py_ssize_t)i, event);
  }
  return list;
}

bool results_read_event(PyObject *object, const module_state *state, va_event *event) {
  if (!Py_IS_TYPE(object, state->event_type)) return PyErr_SetString(PyExc_TypeError, "An event is an Event."), false;
  *event = (va_event){
      .position = PyLong_AsUnsignedLongLong(PyStructSequence_GetItem(object, 2)),
      .decided_at = PyLong_AsUnsignedLongLong(PyStructSequence_GetItem(object, 3)),
      .length_samples = PyLong_AsUnsignedLongLong(PyStructSequence_GetItem(object, 4)),
  };
  while (event->type < VA_EVENT_DISCONTINUITY && PyStructSequence_GetItem(object, 0) != state->event_names[event->type])
    event->type++;
  return !PyErr_Occurred();
}
