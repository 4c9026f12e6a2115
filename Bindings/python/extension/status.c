#include <math.h>
#include <stddef.h>

#include "detector.h"
#include "errors.h"
#include "settings.h"

/* ---- what any thread may read ---- */

static const char *state_name(const va_status *status) {
  static const char *const names[] = {"silence", "pending_onset", "speech", "hangover"};
  return names[status->state & 3];
}

PyObject *status_repr(PyObject *object) {
  const detector_object *self = (detector_object *)object;
  va_status status = {.struct_size = sizeof status};
  va_detector_status(self->detector, &status);
  return PyUnicode_FromFormat("<voiceactivity.Detector of %u Hz: %s after %llu hops%s>", (unsigned)self->rate_hz,
                              state_name(&status), (unsigned long long)status.hops, status.is_muted ? ", muted" : "");
}

typedef enum kind { BOOLEAN, COUNT, DECIBELS, BYTE, STATE } kind;
typedef struct field {
  kind kind;
  size_t offset;
} field;

static PyObject *read_field(PyObject *object, void *closure) {
  va_status status = {.struct_size = sizeof status};
  va_detector_status(((detector_object *)object)->detector, &status);
  const field *field = closure;
  const void *value = (const char *)&status + field->offset;
  switch (field->kind) {
    case BOOLEAN: return PyBool_FromLong(*(const bool *)value);
    case COUNT: return PyLong_FromUnsignedLongLong(*(const uint64_t *)value);
    case DECIBELS: return PyFloat_FromDouble(*(const float *)value);
    case BYTE: return PyLong_FromUnsignedLong(*(const uint8_t *)value);
    default: return PyUnicode_FromString(state_name(&status));
  }
}

static int set_muted(PyObject *object, PyObject *value, void *closure) {
  (void)closure;
  if (!value) return PyErr_SetString(PyExc_AttributeError, "muted cannot be deleted: set it to False."), -1;
  const int muted = PyObject_IsTrue(value);
  if (muted >= 0) va_detector_set_muted(((detector_object *)object)->detector, muted);
  return muted < 0 ? -1 : 0;
}

/* ---- settings ---- */

static PyObject *read_settings(PyObject *object, void *closure) {
  (void)closure;
  va_config config = {.struct_size = sizeof config};
  va_detector_config(((detector_object *)object)->detector, &config);
  return settings_dictionary(&config);
}

static PyObject *read_rate(PyObject *object, void *closure) {
  (void)closure;
  return PyLong_FromDouble(((detector_object *)object)->rate_hz);
}

static PyObject *read_earlier_hops(PyObject *object, void *closure) {
  (void)closure;
  return PyLong_FromUnsignedLongLong(((detector_object *)object)->earlier_hops);
}

static PyObject *read_echo(PyObject *object, void *closure) {
  (void)closure;
  echo_object *echo = ((detector_object *)object)->echo;
  return Py_NewRef(echo ? (PyObject *)echo : Py_None);
}

/* ---- the user's own level ---- */

static PyObject *read_speaker_level(PyObject *object, void *closure) {
  (void)closure;
  detector_object *self = (detector_object *)object;
  float level_dbfs;
  uint32_t learned_ms;
  if (!detector_use(self)) return NULL;
  va_detector_speaker_level(self->detector, &level_dbfs, &learned_ms);
  detector_leave(self);
  return Py_BuildValue("(dk)", (double)level_dbfs, (unsigned long)learned_ms);
}

static int set_speaker_level(PyObject *object, PyObject *value, void *closure) {
  (void)closure;
  detector_object *self = (detector_object *)object;
  float level_dbfs;
  PyObject *learned;
  uint64_t learned_ms;
  if (!value || !PyTuple_Check(value))
    return PyErr_SetString(PyExc_TypeError, "speaker_level is a tuple: the level in dBFS, and from how many ms."), -1;
  if (!PyArg_ParseTuple(value, "fO;speaker_level is a tuple: the level in dBFS, and from how many ms.", &level_dbfs,
                        &learned) ||
      !settings_count(learned, UINT64_MAX, "speaker_level was learned from 0 ms or more.", &learned_ms) ||
      !detector_use(self))
    return -1;
  if (learned_ms > VA_SPEAKER_MOST_MS) learned_ms = VA_SPEAKER_MOST_MS;
  const va_status_code code = va_detector_set_speaker_level(self->detector, level_dbfs, (uint32_t)learned_ms);
  detector_leave(self);
  if (code != VA_OK) PyErr_SetString(PyExc_ValueError, "The speaker's level must be -127 to 12 dBFS.");
  return code == VA_OK ? 0 : -1;
}

#define FIELD(name, kind, text) {#name, read_field, NULL, text, &(field){kind, offsetof(va_status, name)}}
PyGetSetDef status_fields[] = {
    {"muted", read_field, set_muted,
     "Whether the user is muted: set it from any thread. Analysis continues; it decides what is muted speech.",
     &(field){BOOLEAN, offsetof(va_status, is_muted)}},
    FIELD(is_speech, BOOLEAN, "Whether the newest hop is speech."),
    FIELD(is_muted_speech, BOOLEAN, "Whether the user is speaking while muted; False as soon as they unmute."),
    FIELD(state, STATE, "'silence', 'pending_onset', 'speech' or 'hangover'."),
    FIELD(posterior, DECIBELS, "P(speech given features) of the newest hop, 0 to 1."),
    FIELD(level_dbfs, DECIBELS, "The RMS of the newest hop in dBFS, -127 to 12; a full-scale sine has -3.01."),
    FIELD(level_dbov, BYTE, "The same in -dBov, 0 (loudest) to 127, as in RFC 6464."),
    FIELD(noise_floor_dbfs, DECIBELS, "The tracked background in dBFS, -127 to 12."),
    FIELD(hops, COUNT, "Hops of 10 ms decided so far, since the last reset()."),
    {"earlier_hops", read_earlier_hops, NULL, "Hops of 10 ms decided before the last reset().", NULL},
    FIELD(clipped_samples, COUNT, "Samples at or beyond full scale."),
    FIELD(non_finite_samples, COUNT, "NaN and infinite samples, which are analysed as 0."),
    FIELD(missing_samples, COUNT, "Samples that gap() reported."),
    {"settings", read_settings, NULL, "The settings as a new dictionary, by their names as arguments.", NULL},
    {"sample_rate_hz", read_rate, NULL, "The rate of the input.", NULL},
    {"echo", read_echo, NULL, "The EchoReference, or None.", NULL},
    {"speaker_level", read_speaker_level, set_speaker_level,
     "The learned level of the user's own speech in dBFS, and from how many milliseconds (up to 30000) it was "
     "learned. Set it to what an earlier session had; less than 10 ms forgets. Only for the thread "
     "that uses the detector.",
     NULL},
    {NULL, NULL, NULL, NULL, NULL},
};
