#include "aligned.h"
#include "detector.h"
#include "errors.h"
#include "frames.h"
#include "results.h"
#include "settings.h"

typedef struct cutter_object {
  PyObject_HEAD
  aligned memory; /* of `cutter`, freed with the object */
  va_cutter *cutter;
  use use;
} cutter_object;

static int read_rule(PyObject *value, void *ms) {
  uint64_t number;
  if (!settings_count(value, VA_DURATION_MAX_MS, "A length is 0 ms to an hour.", &number)) return false;
  *(uint32_t *)ms = (uint32_t)number;
  return true;
}

static PyObject *cutter_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords) {
  static char *names[] = {"",          "min_silence_ms", "min_speech_ms", "max_length_ms", "pad_before_ms",
                          "pad_after_ms", NULL};
  const module_state *state = PyType_GetModuleState(type);
  va_cut_rules rules = {.struct_size = sizeof rules};
  va_config config = {.struct_size = sizeof config};
  PyObject *detector;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O!|$O&O&O&O&O&:Cutter", names, state->types[TYPE_DETECTOR],
                                   &detector, read_rule, &rules.min_silence_ms, read_rule, &rules.min_speech_ms,
                                   read_rule, &rules.max_length_ms, read_rule, &rules.pad_before_ms, read_rule,
                                   &rules.pad_after_ms))
    return NULL;
  va_detector_config(((detector_object *)detector)->detector, &config);
  cutter_object *self = (cutter_object *)PyType_GenericAlloc(type, 0);
  if (!self) return NULL;
  atomic_flag_clear(&self->use);
  const size_t size = va_cutter_size(&rules, &config);
  self->memory = aligned_new(size);
  if (!self->memory.whole) return Py_DECREF(self), NULL;
  const va_status_code code = va_cutter_init(self->memory.start, size, &rules, &config, &self->cutter);
  if (code == VA_OK) return (PyObject *)self;
  Py_DECREF(self);
  return raise_status(code);
}

static void cutter_dealloc(PyObject *object) {
  aligned_free(((cutter_object *)object)->memory);
  object_free(object);
}

/* Appends a cut to a list, and releases the list if that fails. */
static bool append(PyObject **list, const va_cut *cut) {
  PyObject *pair = Py_BuildValue("KK", (unsigned long long)cut->start, (unsigned long long)cut->end);
  if (!pair || PyList_Append(*list, pair) < 0) Py_CLEAR(*list);
  Py_XDECREF(pair);
  return *list;
}

/* Reads a list of Event. NULL: an exception is raised. */
static va_event *read_events(PyObject *list, const module_state *state) {
  const Py_ssize_t count = PyList_Size(list);
  va_event *values = PyMem_Malloc(((size_t)count + 1) * sizeof *values);
  if (!values) return PyErr_NoMemory(), NULL;
  for (Py_ssize_t i = 0; i < count; i++)
    if (!results_read_event(PyList_GetItem(list, i), state, &values[i])) return PyMem_Free(values), NULL;
  return values;
}

/* Returns the cuts that `results` complete. They are read to their end, also if a cut finds no memory: otherwise the
 * cutter would go on in them. */
static PyObject *next_cuts(cutter_object *self, va_output *results) {
  if (!use_begin(&self->use)) return NULL;
  PyObject *cuts = PyList_New(0);
  va_cut cut;
  while (va_cutter_next(self->cutter, results, &cut))
    if (cuts) append(&cuts, &cut);
  use_end(&self->use);
  return cuts;
}

static PyObject *cutter_push(PyObject *object, PyObject *arguments) {
  const module_state *state = state_of(object);
  PyObject *list, *frames, *cuts = NULL;
  if (!PyArg_ParseTuple(arguments, "O!O!:push", &PyList_Type, &list, state->types[TYPE_FRAMES], &frames)) return NULL;
  PyObject *events = PyList_GetSlice(list, 0, PyList_Size(list)); /* which no other thread changes */
  if (!events) return NULL;
  va_output results = {.event_count = (size_t)PyList_Size(events), .events = read_events(events, state)};
  if (results.events && (results.hops = frames_hold(frames, &results.hop_count))) {
    cuts = next_cuts((cutter_object *)object, &results);
    frames_release(frames);
  }
  PyMem_Free(results.events);
  Py_DECREF(events);
  return cuts;
}

static PyObject *cutter_finish(PyObject *object, PyObject *argument) {
  cutter_object *self = (cutter_object *)object;
  uint64_t end;
  if (!settings_count(argument, UINT64_MAX, "A stream has 0 samples or more.", &end) || !use_begin(&self->use))
    return NULL;
  PyObject *cuts = PyList_New(0);
  va_cut cut;
  while (cuts && va_cutter_finish(self->cutter, end, &cut)) append(&cuts, &cut);
  use_end(&self->use);
  return cuts;
}

static PyMethodDef methods[] = {
    {"push", cutter_push, METH_VARARGS,
     "push($self, events, frames, /)\n--\n\nTakes the results of one call on the detector, and returns the segments "
     "that they complete: pairs of samples."},
    {"finish", cutter_finish, METH_O,
     "finish($self, end, /)\n--\n\nReturns the last segments of a stream of `end` samples."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_doc, "Cutter(detector, /, *, min_silence_ms=0, min_speech_ms=0, max_length_ms=0, pad_before_ms=0, "
                "pad_after_ms=0)\n--\n\nJoins, drops, cuts and pads a detector's speech. Raises ValueError for a "
                "length out of its range."},
    {Py_tp_new, cutter_new},
    {Py_tp_dealloc, cutter_dealloc},
    {Py_tp_methods, methods},
    {0, NULL},
};
PyType_Spec cutter_spec = TYPE_SPEC("voiceactivity._core.Cutter", cutter_object, slots);
