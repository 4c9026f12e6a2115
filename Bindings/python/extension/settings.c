#include "settings.h"

#include <string.h>

#include "errors.h"

static bool read_preset(const char *name, va_preset *preset) {
  static const char *const names[] = {
      /* contract: preset */
      [VA_PRESET_CONVERSATION] = "conversation",
      [VA_PRESET_NOTICE] = "notice",
      [VA_PRESET_TRANSCRIPTION] = "transcription",
      /* contract end */
  };
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (strcmp(name, names[i]) == 0) return *preset = (va_preset)i, true;
  PyErr_Format(PyExc_ValueError, "There is no preset '%s': choose 'conversation', 'notice' or 'transcription'.", name);
  return false;
}

static bool is_given(PyObject *value) { return value && !Py_IsNone(value); }

static bool read_threshold(PyObject *value, float *threshold) {
  if (!is_given(value)) return true;
  *threshold = (float)PyFloat_AsDouble(value);
  return !PyErr_Occurred();
}

/* An onset threshold alone moves the offset threshold. */
static bool read_thresholds(PyObject *onset, PyObject *offset, va_config *config) {
  float threshold;
  if (is_given(onset)) {
    if (!read_threshold(onset, &threshold)) return false;
    va_config_move_thresholds(config, threshold);
  }
  return read_threshold(offset, &config->offset_threshold);
}

static bool read_length(PyObject *value, const char *name, uint32_t *ms) {
  if (!is_given(value)) return true;
  const long number = PyLong_AsLong(value);
  if (number == -1 && PyErr_Occurred()) return false;
  if (number >= 0 && number <= VA_DURATION_MAX_MS) return *ms = (uint32_t)number, true;
  PyErr_Format(PyExc_ValueError, "%s is %ld; it can be 0 to %d milliseconds.", name, number, VA_DURATION_MAX_MS);
  return false;
}

bool settings_count(PyObject *value, uint64_t most, const char *sentence, uint64_t *count) {
  PyObject *number = PyNumber_Index(value);
  if (!number) return false;
  int beyond;
  const long long small = PyLong_AsLongLongAndOverflow(number, &beyond);
  *count = beyond > 0 ? PyLong_AsUnsignedLongLong(number) : (uint64_t)small;
  if (PyErr_Occurred()) PyErr_Clear(); /* it is larger than 64 bits: *count is the largest */
  Py_DECREF(number);
  if (beyond >= 0 && (beyond > 0 || small >= 0) && *count <= most) return true;
  PyErr_SetString(PyExc_ValueError, sentence);
  return false;
}

bool settings_rate(long rate_hz) {
  if (rate_hz >= VA_SAMPLE_RATE_MIN_HZ && rate_hz <= VA_SAMPLE_RATE_MAX_HZ) return true;
  PyErr_Format(PyExc_ValueError, "The sample rate is %ld Hz; %d to %d Hz are read.", rate_hz, VA_SAMPLE_RATE_MIN_HZ,
               VA_SAMPLE_RATE_MAX_HZ);
  return false;
}

bool settings_read(PyObject *arguments, PyObject *keywords, va_config *config, PyObject **echo, int *smoothed) {
#define NAME(setting) #setting,
#define OBJECT(setting) PyObject *setting;
#define FORMAT(setting) "O"
#define PLACE(setting) &given.setting,
  static char *names[] = {"sample_rate_hz", "preset", SETTINGS(NAME) "echo", "smoothed", NULL};
  long rate_hz = 16000;
  const char *preset_name = "conversation";
  struct {
    SETTINGS(OBJECT)
  } given = {0};
  *echo = NULL;
  *smoothed = false;
  if (!accept_keywords(keywords, names, "Detector") ||
      !PyArg_ParseTupleAndKeywords(arguments, keywords, "|l$s" SETTINGS(FORMAT) "Op:Detector", names, &rate_hz,
                                   &preset_name, SETTINGS(PLACE) echo, smoothed))
    return false;
  va_preset preset;
  if (!read_preset(preset_name, &preset)) return false;
  if (!settings_rate(rate_hz)) return false;
  va_config_preset(config, (uint32_t)rate_hz, preset);
  if (!read_thresholds(given.onset_threshold, given.offset_threshold, config)) return false;
#define READ(length) if (!read_length(given.length, #length, &config->length)) return false;
  LENGTHS(READ)
  if (va_config_check(config) == VA_OK) return true;
  PyErr_SetString(PyExc_ValueError, "The thresholds must be above 0 and below 1, and the offset threshold at most "
                                    "the onset threshold.");
  return false;
}

static bool add(PyObject *dictionary, const char *name, PyObject *value) {
  const bool added = value && PyDict_SetItemString(dictionary, name, value) == 0;
  Py_XDECREF(value);
  return added;
}

PyObject *settings_dictionary(const va_config *config) {
  PyObject *all = PyDict_New();
  if (!all) return NULL;
  const bool complete = add(all, "sample_rate_hz", PyLong_FromUnsignedLong(config->sample_rate_hz))
#define ADD_THRESHOLD(name) && add(all, #name, PyFloat_FromDouble(config->name))
#define ADD_LENGTH(name) && add(all, #name, PyLong_FromUnsignedLong(config->name))
                  THRESHOLDS(ADD_THRESHOLD) LENGTHS(ADD_LENGTH);
  if (!complete) Py_CLEAR(all);
  return all;
}
