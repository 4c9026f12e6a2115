#include "echo.h"

#include "errors.h"
#include "samples.h"
#include "settings.h"

static PyObject *echo_allocate(PyTypeObject *type) {
  echo_object *self = (echo_object *)PyType_GenericAlloc(type, 0);
  if (!self) return NULL;
  atomic_flag_clear(&self->use);
  atomic_flag_clear(&self->has_detector);
  self->memory = aligned_new(va_echo_size());
  if (!self->memory.whole) Py_CLEAR(self);
  return (PyObject *)self;
}

static PyObject *initialised(PyObject *object, va_status_code code) {
  if (code == VA_OK) return object;
  Py_DECREF(object);
  return raise_status(code);
}

static PyObject *echo_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords) {
  static char *names[] = {"sample_rate_hz", NULL};
  long rate_hz = 16000;
  if (!accept_keywords(keywords, names, "EchoReference") ||
      !PyArg_ParseTupleAndKeywords(arguments, keywords, "|l:EchoReference", names, &rate_hz))
    return NULL;
  if (!settings_rate(rate_hz)) return NULL;
  echo_object *self = (echo_object *)echo_allocate(type);
  if (!self) return NULL;
  return initialised((PyObject *)self,
                     va_echo_init(self->memory.start, va_echo_size(), (uint32_t)rate_hz, &self->echo));
}

static void echo_dealloc(PyObject *object) {
  aligned_free(((echo_object *)object)->memory);
  object_free(object);
}

static PyObject *none_or_error(va_status_code code) {
  if (code != VA_OK) return raise_status(code);
  Py_RETURN_NONE;
}

/* The core takes all samples or none, so that those that it cannot read in place are converted as a whole. */
static va_status_code push(va_echo *echo, const samples *samples) {
  if (samples_are_direct(samples))
    return samples->format == SAMPLES_S16 ? va_echo_push_s16(echo, samples->view.buf, samples->count)
                                          : va_echo_push(echo, samples->view.buf, samples->count);
  float *floats = samples_room(samples->count, samples->channels);
  if (!floats) return VA_ERROR_MEMORY;
  samples_interleave(samples, floats);
  const va_status_code code = va_echo_push_interleaved(echo, floats, samples->count, (uint32_t)samples->channels);
  PyMem_Free(floats);
  return code;
}

static PyObject *echo_push(PyObject *object, PyObject *argument) {
  echo_object *self = (echo_object *)object;
  samples samples;
  if (!samples_hold(&samples, argument)) return NULL;
  PyObject *done = NULL;
  if (samples.channels > VA_ECHO_CHANNELS_MAX) {
    PyErr_Format(PyExc_ValueError, "A reference has at most %d channels: pass those that the loudspeakers play.",
                 VA_ECHO_CHANNELS_MAX);
  } else if (use_begin(&self->use)) {
    done = none_or_error(samples.count == 0 ? VA_OK : push(self->echo, &samples));
    use_end(&self->use);
  }
  samples_release(&samples);
  return done;
}

static PyObject *echo_push_silence(PyObject *object, PyObject *argument) {
  echo_object *self = (echo_object *)object;
  uint64_t count;
  if (!settings_count(argument, UINT64_MAX, "Silence has 0 samples or more.", &count) || !use_begin(&self->use))
    return NULL;
  PyObject *done = none_or_error(va_echo_push_silence(self->echo, count));
  use_end(&self->use);
  return done;
}

static PyObject *echo_reset(PyObject *object, PyObject *unused) {
  (void)unused;
  echo_object *self = (echo_object *)object;
  if (!use_begin(&self->use)) return NULL;
  va_echo_reset(self->echo);
  use_end(&self->use);
  Py_RETURN_NONE;
}

static PyObject *echo_save(PyObject *object, PyObject *unused) {
  (void)unused;
  echo_object *self = (echo_object *)object;
  char bytes[VA_ECHO_SAVED_SIZE_MAX];
  size_t size;
  if (!use_begin(&self->use)) return NULL;
  const va_status_code code = va_echo_save(self->echo, bytes, sizeof bytes, &size);
  use_end(&self->use);
  return code == VA_OK ? PyBytes_FromStringAndSize(bytes, (Py_ssize_t)size) : raise_status(code);
}

static PyObject *echo_restore(PyObject *type, PyObject *argument) {
  char *bytes;
  Py_ssize_t size;
  if (PyBytes_AsStringAndSize(argument, &bytes, &size) < 0) return NULL;
  echo_object *self = (echo_object *)echo_allocate((PyTypeObject *)type);
  if (!self) return NULL;
  return initialised((PyObject *)self,
                     va_echo_restore(self->memory.start, va_echo_size(), bytes, (size_t)size, &self->echo));
}

/* ---- what it has found ---- */

static bool read_status(PyObject *object, va_echo_status *status) {
  echo_object *self = (echo_object *)object;
  *status = (va_echo_status){.struct_size = sizeof *status};
  if (!use_begin(&self->use)) return false;
  va_echo_state(self->echo, status);
  use_end(&self->use);
  return true;
}

typedef enum finding { DELAY, FIT, COUPLING, LATE } finding;

static PyObject *echo_finding(PyObject *object, void *closure) {
  va_echo_status status;
  if (!read_status(object, &status)) return NULL;
  switch (*(const finding *)closure) {
    case DELAY: return PyLong_FromUnsignedLong(status.delay_ms);
    case FIT: return PyFloat_FromDouble(status.fit);
    case COUPLING: return PyFloat_FromDouble(status.coupling_db);
    default: return PyLong_FromUnsignedLongLong(status.late_samples);
  }
}

static PyObject *echo_repr(PyObject *object) {
  va_echo_status status;
  if (!read_status(object, &status)) return NULL;
  return PyUnicode_FromFormat("<voiceactivity.EchoReference: delay %u ms, fit %d %%>", (unsigned)status.delay_ms,
                              (int)(status.fit * 100));
}

static finding delay = DELAY, fit = FIT, coupling = COUPLING, late = LATE;
static PyGetSetDef echo_findings[] = {
    {"delay_ms", echo_finding, NULL, "From the reference to the microphone, 0 to 740 ms in steps of 20.", &delay},
    {"fit", echo_finding, NULL, "How well both move together, -1 to 1: with echo above 0.15, without below 0.1.", &fit},
    {"coupling_db", echo_finding, NULL, "Microphone over reference in dB; 0 before anything was learned.", &coupling},
    {"late_samples", echo_finding, NULL, "Samples of the reference that came too late, and were left out.", &late},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef echo_methods[] = {
    {"push", echo_push, METH_O, "push($self, samples, /)\n--\n\nTakes what the loudspeaker plays in a period, before "
                                "the detector processes that period.\n\nOf several channels (frames by channels, at "
                                "most 8) the mean counts. As in a room, channels in opposite phase\ndo not cancel: "
                                "where the odd-numbered ones, counted from 0, are together most of the time the "
                                "opposite of the\nothers, they count inverted.\n\nRaises ValueError, and takes "
                                "nothing, if the samples reach more than 100 ms beyond the microphone's."},
    {"push_silence", echo_push_silence, METH_O,
     "push_silence($self, count, /)\n--\n\nTakes `count` samples of silence, or of which nothing is known.\n\n"
     "Continue the reference with it while nothing plays and through gaps, those over 100 ms after Detector.gap: "
     "samples\ncount from the beginning, so that otherwise all that plays later comes too late, is left out "
     "(`late_samples`), and\ncounts as speech. Silence of the length that is missing mends that."},
    {"reset", echo_reset, METH_NOARGS, "Starts anew at time 0, with Detector.reset, and forgets everything learned."},
    {"save", echo_save, METH_NOARGS, "Returns everything it remembers. Save the detector between the same two calls."},
    {"restore", echo_restore, METH_O | METH_CLASS,
     "restore($type, saved, /)\n--\n\nReturns the echo reference that `save` wrote. Raises ValueError for other "
     "bytes."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot echo_slots[] = {
    {Py_tp_doc, "EchoReference(sample_rate_hz=16000)\n--\n\nWhat a loudspeaker beside the microphone plays, 8000 to "
                "192000 Hz, so that the far end does not count as the user's speech.\n\nIt belongs to one detector, "
                "and only the thread of that detector may use it."},
    {Py_tp_new, echo_new},
    {Py_tp_dealloc, echo_dealloc},
    {Py_tp_repr, echo_repr},
    {Py_tp_methods, echo_methods},
    {Py_tp_getset, echo_findings},
    {0, NULL},
};
PyType_Spec echo_spec = TYPE_SPEC("voiceactivity.EchoReference", echo_object, echo_slots);
