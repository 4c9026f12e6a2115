#include "frames.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "use.h"

typedef struct frames {
  PyObject_HEAD
  va_hop *hops; /* freed with the object */
  size_t count, room;
  use use;
} frames;

bool frames_check(const module_state *state, PyObject *object) {
  if (!object || Py_IsNone(object) || Py_IS_TYPE(object, state->types[TYPE_FRAMES])) return true;
  PyErr_SetString(PyExc_TypeError, "frames must be a voiceactivity.Frames, to which the call appends, or None.");
  return false;
}

static bool append(frames *self, const results *results) {
  if (self->room - self->count < results->hop_count) {
    const size_t room = self->count * 2 + results->hop_count;
    va_hop *more = realloc(self->hops, room * sizeof *more);
    if (!more) return PyErr_NoMemory(), false;
    self->hops = more;
    self->room = room;
  }
  if (results->hop_count > 0) memcpy(self->hops + self->count, results->hops, results->hop_count * sizeof(va_hop));
  self->count += results->hop_count;
  return true;
}

bool frames_append(PyObject *object, const results *results) {
  frames *self = (frames *)object;
  if (!use_begin(&self->use)) return false;
  const bool is_appended = append(self, results);
  use_end(&self->use);
  return is_appended;
}

va_hop *frames_hold(PyObject *object, size_t *count) {
  frames *self = (frames *)object;
  static va_hop none;
  if (!use_begin(&self->use)) return NULL;
  *count = self->count;
  return self->hops ? self->hops : &none;
}

void frames_release(PyObject *object) { use_end(&((frames *)object)->use); }

static PyObject *frames_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords) {
  static char *names[] = {NULL};
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, ":Frames", names)) return NULL;
  frames *self = (frames *)PyType_GenericAlloc(type, 0);
  if (self) atomic_flag_clear(&self->use);
  return (PyObject *)self;
}

static void frames_dealloc(PyObject *object) {
  free(((frames *)object)->hops);
  object_free(object);
}

static Py_ssize_t frames_length(PyObject *object) {
  size_t count;
  if (!frames_hold(object, &count)) return -1;
  frames_release(object);
  return (Py_ssize_t)count;
}

static PyObject *frames_repr(PyObject *object) {
  size_t count, speech = 0;
  const va_hop *hops = frames_hold(object, &count);
  if (!hops) return NULL;
  for (size_t i = 0; i < count; i++) speech += (hops[i].flags & VA_HOP_SPEECH) != 0;
  frames_release(object);
  return PyUnicode_FromFormat("<voiceactivity.Frames: %zu hops, %zu of speech>", count, speech);
}

static PyObject *frames_clear(PyObject *object, PyObject *unused) {
  (void)unused;
  frames *self = (frames *)object;
  if (!use_begin(&self->use)) return NULL;
  self->count = 0;
  use_end(&self->use);
  Py_RETURN_NONE;
}

/* ---- columns ---- */

typedef struct column {
  const char *format; /* as in struct */
  size_t offset, size;
  uint8_t flag; /* not 0: whether this bit of `flags` is set */
} column;

/* Returns the values of a column as bytes. */
static PyObject *column_bytes(const column *column, const va_hop *hops, size_t count) {
  PyObject *bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(count * column->size));
  char *to = bytes ? PyBytes_AsString(bytes) : NULL;
  for (size_t i = 0; bytes && i < count; i++, to += column->size)
    if (column->flag) *to = (hops[i].flags & column->flag) != 0;
    else memcpy(to, (const char *)&hops[i] + column->offset, column->size);
  return bytes;
}

static PyObject *frames_column(PyObject *object, void *closure) {
  const column *column = closure;
  size_t count;
  const va_hop *hops = frames_hold(object, &count);
  if (!hops) return NULL;
  PyObject *bytes = column_bytes(column, hops, count);
  frames_release(object);
  if (!bytes) return NULL;
  PyObject *view = PyMemoryView_FromObject(bytes);
  Py_DECREF(bytes);
  if (!view) return NULL;
  PyObject *cast = PyObject_CallMethod(view, "cast", "s", column->format);
  Py_DECREF(view);
  return cast;
}

#define COLUMN(name, text, ...) {#name, frames_column, NULL, text, &(column){__VA_ARGS__}}
#define VALUES(name, format, text) COLUMN(name, text, format, offsetof(va_hop, name), sizeof(((va_hop *)0)->name), 0)
#define FLAG(name, bit, text) COLUMN(name, text, "?", 0, 1, bit)
static PyGetSetDef frames_columns[] = {
    VALUES(position, "Q", "The first sample of each hop."),
    VALUES(posterior, "f", "P(speech given features), 0 to 1."),
    VALUES(level_dbfs, "f", "The RMS of each hop in dBFS, -127 to 12."),
    VALUES(peak_dbfs, "f", "The largest magnitude in each hop in dBFS, -127 to 12."),
    VALUES(noise_floor_dbfs, "f", "The tracked background in dBFS, -127 to 12."),
    VALUES(state, "B", "0 silence, 1 pending onset, 2 speech, 3 hangover."),
    VALUES(flags, "B", "The bits of va_hop_flags."),
    FLAG(speech, VA_HOP_SPEECH, "Whether the state was speech or hangover once the hop was decided."),
    FLAG(muted, VA_HOP_MUTED, "Whether the microphone was muted."),
    FLAG(muted_speech, VA_HOP_MUTED_SPEECH, "Whether the user was speaking while muted."),
    FLAG(missing, VA_HOP_MISSING, "Whether part of the hop lies in a gap."),
    FLAG(level_only, VA_HOP_LEVEL_ONLY,
         "Whether half of the hop or more came from push_level: the posterior is 0 or 1."),
    FLAG(echo, VA_HOP_ECHO, "Whether the hop was mostly the loudspeaker's echo."),
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef frames_methods[] = {
    {"clear", frames_clear, METH_NOARGS, "Removes all hops."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot frames_slots[] = {
    {Py_tp_doc, "Frames()\n--\n\nWhat a detector measured in each hop of 10 ms, as columns.\n\nPass it as `frames` "
                "to Detector.process, gap, push_level and flush, which append to it. Each column is a\nmemoryview of "
                "its own, a copy, which numpy.asarray takes as it is."},
    {Py_tp_new, frames_new},
    {Py_tp_dealloc, frames_dealloc},
    {Py_tp_repr, frames_repr},
    {Py_tp_methods, frames_methods},
    {Py_tp_getset, frames_columns},
    {Py_sq_length, frames_length},
    {0, NULL},
};
PyType_Spec frames_spec = TYPE_SPEC("voiceactivity.Frames", frames, frames_slots);
