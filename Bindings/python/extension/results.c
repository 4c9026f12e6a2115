#include "results.h"

#include <stdlib.h>

smoothing *smoothing_new(const va_config *config) {
  smoothing *made = malloc(sizeof *made);
  if (made && va_smoother_create(config, &made->smoother) == VA_OK) return made;
  free(made);
  return PyErr_NoMemory(), NULL;
}

void smoothing_free(smoothing *smoothing) {
  if (smoothing) va_smoother_destroy(smoothing->smoother);
  free(smoothing);
}

void results_begin(results *results, smoothing *smoothing, bool wants_hops) {
  results->events = results->few;
  results->event_count = results->hop_count = results->hop_room = 0;
  results->event_room = RESULTS_FEW;
  results->wants_hops = wants_hops;
  results->hops = NULL;
  results->smoothing = smoothing;
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
  const size_t room = results->hop_room * 2 + RESULTS_HOPS;
  va_hop *more = realloc(results->hops, room * sizeof *more);
  if (!more) return false;
  results->hops = more;
  results->hop_room = room;
  return true;
}

/* Offers the room behind what was gathered. */
static bool offer_room(results *results, va_output *output) {
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

static void gather(results *results, const va_output *output) {
  results->event_count += output->event_count;
  results->hop_count += output->hop_count;
}

/* Gathers what the smoother makes of a detector's results or, if they are NULL, of the end of the stream. */
static bool smooth(results *results, const va_output *found) {
  va_smoother *smoother = results->smoothing->smoother;
  va_output output;
  do {
    if (!offer_room(results, &output)) {
      va_smoother_reset(smoother); /* otherwise it would continue in results that are gone */
      return false;
    }
    va_smoother_process(smoother, found, &output); /* a stream that has ended has nothing more */
    gather(results, &output);
  } while (output.more);
  return true;
}

bool results_offer(results *results, va_output *output) {
  smoothing *smoothing = results->smoothing;
  if (!smoothing) return offer_room(results, output);
  *output = (va_output){
      .events = smoothing->events,
      .event_capacity = RESULTS_FEW,
      .hops = smoothing->hops,
      .hop_capacity = RESULTS_HOPS,
  };
  return true;
}

bool results_keep(results *results, const va_output *output) {
  if (results->smoothing) return smooth(results, output);
  gather(results, output);
  return true;
}

bool results_finish(results *results) { return !results->smoothing || smooth(results, NULL); }

static const char *const event_names[] = {
    [0] = "unknown",
    /* contract: event */
    [VA_EVENT_ONSET] = "onset",
    [VA_EVENT_OFFSET] = "offset",
    [VA_EVENT_MUTED_SPEECH_BEGIN] = "muted_speech_begin",
    [VA_EVENT_MUTED_SPEECH_END] = "muted_speech_end",
    [VA_EVENT_DISCONTINUITY] = "discontinuity",
    /* contract end */
};
enum { EVENT_NAMES = sizeof event_names / sizeof event_names[0] };
enum { TYPE, TIME, POSITION, DECIDED_AT, LENGTH };

static const char event_doc[] =
    "What a detector found, and where.\n\ntype: one of "
    /* contract: event names */
    "'onset', 'offset', 'muted_speech_begin', 'muted_speech_end', 'discontinuity'"
    /* contract end */
    ".\ntime: where it happened, in seconds since the stream began.\nposition: the same in samples.\ndecided_at: "
    "the position, in samples, at which it was decided; never ahead of the input.\nlength: how many "
    "samples are missing at a discontinuity; otherwise 0.";

bool results_define(PyObject *module, module_state *state) {
  PyObject *collections = PyImport_ImportModule("collections"), *type = NULL, *doc = NULL, *name = NULL;
  if (collections)
    type = PyObject_CallMethod(collections, "namedtuple", "s(sssss)", "Event", "type", "time", "position", "decided_at",
                               "length");
  state->types[TYPE_EVENT] = (PyTypeObject *)type;
  const bool is_defined = type && (doc = PyUnicode_FromString(event_doc)) &&
                          (name = PyUnicode_FromString("voiceactivity")) &&
                          PyObject_SetAttrString(type, "__doc__", doc) == 0 &&
                          PyObject_SetAttrString(type, "__module__", name) == 0 &&
                          PyModule_AddObjectRef(module, "Event", type) == 0;
  Py_XDECREF(collections);
  Py_XDECREF(doc);
  Py_XDECREF(name);
  return is_defined;
}

static PyObject *event_object(const va_event *event, const module_state *state, double rate_hz) {
  return PyObject_CallFunction((PyObject *)state->types[TYPE_EVENT], "sdKKK",
                               event_names[event->type < EVENT_NAMES ? event->type : 0],
                               (double)event->position / rate_hz, (unsigned long long)event->position,
                               (unsigned long long)event->decided_at, (unsigned long long)event->length_samples);
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

static uint64_t count_at(PyObject *event, Py_ssize_t field) {
  return PyLong_AsUnsignedLongLong(PyTuple_GetItem(event, field));
}

bool results_read_event(PyObject *object, const module_state *state, va_event *event) {
  if (!Py_IS_TYPE(object, state->types[TYPE_EVENT]))
    return PyErr_SetString(PyExc_TypeError, "An event is an Event."), false;
  *event = (va_event){
      .position = count_at(object, POSITION),
      .decided_at = count_at(object, DECIDED_AT),
      .length_samples = count_at(object, LENGTH),
  };
  PyObject *type = PyTuple_GetItem(object, TYPE);
  if (!PyErr_Occurred() && !PyUnicode_Check(type)) PyErr_SetString(PyExc_TypeError, "An event's type is a string.");
  if (PyErr_Occurred()) return false;
  for (uint32_t known = 1; known < EVENT_NAMES; known++)
    if (PyUnicode_CompareWithASCIIString(type, event_names[known]) == 0) event->type = known;
  return true;
}
