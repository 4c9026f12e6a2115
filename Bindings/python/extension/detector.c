#include "detector.h"

#include "errors.h"
#include "settings.h"
#include "stream.h"

bool detector_use(detector_object *self) {
  if (!use_begin(&self->use)) return false;
  if (!self->echo || use_begin(&self->echo->use)) return true;
  use_end(&self->use);
  return false;
}

void detector_leave(detector_object *self) {
  if (self->echo) use_end(&self->echo->use);
  use_end(&self->use);
}

/* ---- made and ended ---- */

static bool take_echo(detector_object *self, PyObject *echo) {
  if (!echo || Py_IsNone(echo)) return true;
  if (!Py_IS_TYPE(echo, state_of((PyObject *)self)->types[TYPE_ECHO]))
    return PyErr_SetString(PyExc_TypeError, "echo must be a voiceactivity.EchoReference or None."), false;
  if (atomic_flag_test_and_set(&((echo_object *)echo)->has_detector))
    return PyErr_SetString(PyExc_ValueError, "This echo reference belongs to another detector: make another."), false;
  self->echo = (echo_object *)Py_NewRef(echo);
  return true;
}

/* Returns a detector with memory and an echo, but not initialised. */
static detector_object *allocate(PyTypeObject *type, size_t size, PyObject *echo) {
  detector_object *self = (detector_object *)PyType_GenericAlloc(type, 0);
  if (!self) return NULL;
  atomic_flag_clear(&self->use);
  self->memory = aligned_new(size);
  if (!self->memory.whole || !take_echo(self, echo)) Py_CLEAR(self);
  return self;
}

static PyObject *detector_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords) {
  va_config config;
  PyObject *echo;
  int smoothed;
  if (!settings_read(arguments, keywords, &config, &echo, &smoothed)) return NULL;
  const size_t size = va_detector_size_for(config.sample_rate_hz);
  detector_object *self = allocate(type, size, echo);
  if (!self) return NULL;
  self->rate_hz = config.sample_rate_hz;
  va_detector_init(self->memory.start, size, &config, &self->detector); /* the settings are checked */
  if (smoothed && !(self->smoothing = smoothing_new(&config))) Py_CLEAR(self);
  return (PyObject *)self;
}

static void detector_dealloc(PyObject *object) {
  detector_object *self = (detector_object *)object;
  if (self->echo) atomic_flag_clear(&self->echo->has_detector);
  Py_XDECREF((PyObject *)self->echo);
  smoothing_free(self->smoothing);
  aligned_free(self->memory);
  object_free(object);
}

static PyObject *detector_reset(PyObject *object, PyObject *unused) {
  (void)unused;
  detector_object *self = (detector_object *)object;
  va_status status = {.struct_size = sizeof status};
  if (!detector_use(self)) return NULL;
  va_detector_status(self->detector, &status);
  self->earlier_hops += status.hops;
  va_detector_reset(self->detector);
  if (self->echo) va_echo_reset(self->echo->echo);
  if (self->smoothing) va_smoother_reset(self->smoothing->smoother);
  detector_leave(self);
  Py_RETURN_NONE;
}

/* ---- saved and restored ---- */

static PyObject *detector_save(PyObject *object, PyObject *unused) {
  (void)unused;
  detector_object *self = (detector_object *)object;
  char bytes[VA_DETECTOR_SAVED_SIZE_MAX];
  size_t size;
  if (!detector_use(self)) return NULL;
  const va_status_code code = va_detector_save(self->detector, bytes, sizeof bytes, &size);
  detector_leave(self);
  return code == VA_OK ? PyBytes_FromStringAndSize(bytes, (Py_ssize_t)size) : raise_status(code);
}

static PyObject *detector_restore(PyObject *type, PyObject *arguments, PyObject *keywords) {
  static char *names[] = {"", "echo", NULL};
  PyObject *saved, *echo = NULL;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "S|$O:restore", names, &saved, &echo)) return NULL;
  detector_object *self = allocate((PyTypeObject *)type, va_detector_size(), echo);
  if (!self) return NULL;
  const va_status_code code = va_detector_restore(self->memory.start, va_detector_size(), PyBytes_AsString(saved),
                                                  (size_t)PyBytes_Size(saved), &self->detector);
  if (code != VA_OK) {
    Py_DECREF(self);
    return raise_status(code);
  }
  va_config config = {.struct_size = sizeof config};
  va_detector_config(self->detector, &config);
  self->rate_hz = config.sample_rate_hz;
  return (PyObject *)self;
}

/* ---- the user's own level ---- */

static PyObject *set_speaker_margin(PyObject *object, PyObject *value) {
  detector_object *self = (detector_object *)object;
  const double margin_db = PyFloat_AsDouble(value);
  if (PyErr_Occurred() || !detector_use(self)) return NULL;
  const va_status_code code = va_detector_set_speaker_margin(self->detector, (float)margin_db);
  detector_leave(self);
  if (code == VA_OK) Py_RETURN_NONE;
  return PyErr_Format(PyExc_ValueError, "The margin must be 0 to %d dB, or math.inf to turn it off.",
                      VA_SPEAKER_MARGIN_MAX_DB);
}

static PyObject *change_input_gain(PyObject *object, PyObject *value) {
  detector_object *self = (detector_object *)object;
  const double gain_db = PyFloat_AsDouble(value);
  if (PyErr_Occurred() || !detector_use(self)) return NULL;
  const va_status_code code = va_detector_change_input_gain(self->detector, (float)gain_db);
  detector_leave(self);
  if (code == VA_OK) Py_RETURN_NONE;
  return PyErr_Format(PyExc_ValueError, "The gain must change by -%d to %d dB.", VA_INPUT_GAIN_MAX_DB,
                      VA_INPUT_GAIN_MAX_DB);
}

#define FAST(function) METHOD(function), METH_FASTCALL | METH_KEYWORDS
static PyMethodDef methods[] = {
    {"process", FAST(stream_process),
     "process($self, samples, /, *, frames=None)\n--\n\nAnalyses a chunk of any length and returns its "
     "events.\n\nFloats have a full scale of 1. Of several channels (frames by channels) it hears the mean. NaN and "
     "infinities are\nanalysed as 0 and counted in non_finite_samples. The hops are appended to `frames`. Long "
     "chunks release the GIL."},
    {"gap", FAST(stream_gap),
     "gap($self, count, /, *, frames=None)\n--\n\nReports `count` samples, up to 2**40, as missing, and returns the "
     "events."},
    {"push_level", FAST(stream_push_level),
     "push_level($self, count, level_dbov, voice, /, *, frames=None)\n--\n\nReports `count` samples of which only "
     "the sender's level (0 loudest to 127) and voice bit are known (RFC 6464)."},
    {"flush", FAST(stream_flush),
     "flush($self, /, *, frames=None)\n--\n\nEnds the stream and what is open, and returns the last events. reset() "
     "begins another."},
    {"reset", detector_reset, METH_NOARGS,
     "Starts a new stream at position 0 and forgets everything learned, in the echo reference too."},
    {"save", detector_save, METH_NOARGS, "Returns everything that the stream remembers, without an echo reference's "
                                         "part."},
    {"restore", METHOD(detector_restore), METH_VARARGS | METH_KEYWORDS | METH_CLASS,
     "restore($type, saved, /, *, echo=None)\n--\n\nReturns a detector that continues where save() was called. "
     "Raises ValueError for bytes that are foreign, torn or of another version."},
    {"set_speaker_margin", set_speaker_margin, METH_O,
     "set_speaker_margin($self, margin_db, /)\n--\n\nSets how far below the learned level muted speech can be: 0 to "
     "40 dB, or math.inf."},
    {"change_input_gain", change_input_gain, METH_O,
     "change_input_gain($self, gain_db, /)\n--\n\nReports that the gain before the detector changed by -60 to 60 dB "
     "from the next sample on."},
    {NULL, NULL, 0, NULL},
};

#define PARAMETER(setting) #setting "=None, "
static PyType_Slot slots[] = {
    {Py_tp_doc,
     "Detector(sample_rate_hz=16000, *, preset='conversation', " SETTINGS(PARAMETER)
     "echo=None, smoothed=False)\n--\n\nDetects speech in one stream of samples at 8000 to 192000 Hz, in chunks of any "
     "length.\n\nThe presets:\n"
     /* contract: preset */
     "\nconversation: " "Calls and meetings: false alarms and misses weigh the same"
     "\nnotice: " "\"You are muted\": a late notice is better than a wrong one"
     "\ntranscription: " "What to transcribe: extra sound is better than a lost word"
     /* contract end */
     "\n\nSettings that are None are those of the preset, or have the default in brackets. Lengths are 0 to an hour, "
     "in\nmilliseconds. Raises ValueError for a setting out of its range.\n"
     /* contract: setting */
     "\nonset_threshold: posterior at or above which speech may begin, 0 < … < 1"
     "\noffset_threshold: posterior below which speech may end, 0 < … <= onset_threshold"
     "\nonset_debounce_ms: how long the posterior is at or above onset_threshold before speech begins"
     "\nhangover_ms: how long the posterior is below offset_threshold before speech ends"
     "\nmute_grace_ms: speech that begins within this time after muting is the end of a sentence (300)"
     "\nmute_carry_over_ms: speech that began earlier counts if it runs this long after mute_grace_ms (1000)"
     "\nmuted_speech_hold_ms: muted speech lasts at least this long, unless the user unmutes (400)"
     "\nmuted_speech_release_ms: how long muted speech outlasts the speech (200)"
     /* contract end */
     "\n\nThe events and frames of a smoothed detector come 0.67 s later, decided with the sound that follows, as for\n"
     "recordings. Its properties stay live, and restore() returns a live one.\n\nOnly one thread at a time may use a "
     "detector; a second one gets a RuntimeError. Any thread may set `muted` and read\nthe properties, except "
     "speaker_level."},
    {Py_tp_new, detector_new},
    {Py_tp_dealloc, detector_dealloc},
    {Py_tp_repr, status_repr},
    {Py_tp_methods, methods},
    {Py_tp_getset, status_fields},
    {0, NULL},
};
PyType_Spec detector_spec = TYPE_SPEC("voiceactivity.Detector", detector_object, slots);
