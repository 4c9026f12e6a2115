#include "state.h"

#include <stddef.h>
#include <string.h>
#include <structmember.h>

#include "results.h"
#include "settings.h"

typedef struct muted_object {
  PyObject_HEAD
  va_speaking_gate gate;
  va_muted_notice notice;
} muted_object;

static const char *const requirement_names[] = {
    /* contract: requirement */
    [VA_REQUIREMENT_SUPPORTED_BY_RUNTIME] = "supported_by_runtime",
    [VA_REQUIREMENT_ENABLED] = "enabled",
    [VA_REQUIREMENT_SESSION_ACTIVE] = "session_active",
    [VA_REQUIREMENT_SESSION_RECORDS] = "session_records",
    [VA_REQUIREMENT_SESSION_IS_CONVERSATION] = "session_is_conversation",
    [VA_REQUIREMENT_ALLOWED_TO_SEND_AUDIO] = "allowed_to_send_audio",
    [VA_REQUIREMENT_RECORDING_PERMITTED] = "recording_permitted",
    [VA_REQUIREMENT_PLAYOUT_IS_NOT_STEREO] = "playout_is_not_stereo",
    [VA_REQUIREMENT_MICROPHONE_MUTED] = "microphone_muted",
    [VA_REQUIREMENT_DATA_FLOWING] = "data_flowing",
    /* contract end */
};
static const char unknown_requirement[] =
    "There is no requirement '%s'; there are:"
    /* contract: requirement names */
    " supported_by_runtime"
    " enabled"
    " session_active"
    " session_records"
    " session_is_conversation"
    " allowed_to_send_audio"
    " recording_permitted"
    " playout_is_not_stereo"
    " microphone_muted"
    " data_flowing"
    /* contract end */
    ".";
enum { REQUIREMENTS = sizeof requirement_names / sizeof *requirement_names };

static PyObject *muted_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords) {
  static char *names[] = {NULL};
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, ":MutedSpeech", names)) return NULL;
  muted_object *self = (muted_object *)PyType_GenericAlloc(type, 0);
  if (!self) return NULL;
  va_speaking_gate_init(&self->gate);
  va_muted_notice_init(&self->notice);
  return (PyObject *)self;
}

static PyObject *muted_set(PyObject *object, PyObject *arguments) {
  muted_object *self = (muted_object *)object;
  const char *name;
  int is_met, requirement = 0;
  if (!PyArg_ParseTuple(arguments, "sp:set", &name, &is_met)) return NULL;
  while (requirement < REQUIREMENTS && strcmp(requirement_names[requirement], name) != 0) requirement++;
  if (requirement == REQUIREMENTS) return PyErr_Format(PyExc_ValueError, unknown_requirement, name);
  if (requirement == VA_REQUIREMENT_MICROPHONE_MUTED && !is_met) va_muted_notice_unmuted(&self->notice);
  return PyBool_FromLong(va_speaking_gate_set(&self->gate, (va_requirement)requirement, is_met));
}

static PyObject *muted_handle(PyObject *object, PyObject *argument) {
  va_event event;
  if (!results_read_event(argument, state_of(object), &event)) return NULL;
  return PyBool_FromLong(va_speaking_gate_handle(&((muted_object *)object)->gate, event.type));
}

static PyObject *muted_input_replaced(PyObject *object, PyObject *unused) {
  (void)unused;
  return PyBool_FromLong(va_speaking_gate_set_speech(&((muted_object *)object)->gate, false));
}

static PyObject *muted_end(PyObject *object, PyObject *unused) {
  (void)unused;
  return PyBool_FromLong(va_speaking_gate_end(&((muted_object *)object)->gate));
}

static PyObject *muted_update(PyObject *object, PyObject *argument) {
  muted_object *self = (muted_object *)object;
  const long long now_ms = PyLong_AsLongLong(argument);
  if (PyErr_Occurred()) return NULL;
  return PyBool_FromLong(va_muted_notice_update(&self->notice, self->gate.is_speaking, now_ms));
}

static PyObject *muted_dismiss(PyObject *object, PyObject *argument) {
  uint64_t number;
  if (!settings_count(argument, UINT64_MAX, "Notices are numbered from 1 on.", &number)) return NULL;
  return PyBool_FromLong(va_muted_notice_dismiss(&((muted_object *)object)->notice, number));
}

static PyObject *muted_is_detecting(PyObject *object, void *unused) {
  (void)unused;
  return PyBool_FromLong(((muted_object *)object)->gate.unmet == 0);
}

static PyMethodDef methods[] = {
    {"set", muted_set, METH_VARARGS,
     "set($self, requirement, is_met, /)\n--\n\nReturns whether is_speaking has changed, as handle, input_replaced and "
     "end do."},
    {"handle", muted_handle, METH_O, "handle($self, event, /)\n--\n\nTakes an event of the detector."},
    {"input_replaced", muted_input_replaced, METH_NOARGS, "input_replaced($self, /)\n--\n\nForgets the speech so far."},
    {"end", muted_end, METH_NOARGS, "end($self, /)\n--\n\nEnds the call."},
    {"update", muted_update, METH_O,
     "update($self, now_ms, /)\n--\n\nShows and ends the notice. Returns whether shown has changed."},
    {"dismiss", muted_dismiss, METH_O,
     "dismiss($self, number, /)\n--\n\nHides the notice of this number. Returns whether that was shown."},
    {NULL, NULL, 0, NULL},
};

#define FIELD(name, part, kind, flags) {#name, kind, offsetof(muted_object, part.name), flags, NULL}
static PyMemberDef members[] = {
    FIELD(is_speaking, gate, T_BOOL, READONLY),       FIELD(duration_ms, notice, T_LONGLONG, 0),
    FIELD(interval_ms, notice, T_LONGLONG, 0),        FIELD(is_once_per_mute, notice, T_BOOL, 0),
    FIELD(is_enabled, notice, T_BOOL, 0),             FIELD(shown, notice, T_ULONGLONG, READONLY),
    {NULL, 0, 0, 0, NULL},
};

static PyGetSetDef getters[] = {
    {"is_detecting", muted_is_detecting, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_doc, "MutedSpeech()\n--\n\nThe gate of speaking while muted, and its notice."},
    {Py_tp_new, muted_new},
    {Py_tp_methods, methods},
    {Py_tp_members, members},
    {Py_tp_getset, getters},
    {0, NULL},
};
PyType_Spec muted_spec = TYPE_SPEC("voiceactivity._core.MutedSpeech", muted_object, slots);
