/* settings.h — va_config from keyword arguments, and as a dictionary. */
#ifndef VAPY_SETTINGS_H
#define VAPY_SETTINGS_H

#include <stdbool.h>

#include "limited.h"
#include "voice_activity.h"

/* The settings of va_config, which all are read and shown alike. */
/* contract: setting */
#define THRESHOLDS(DO) DO(onset_threshold) DO(offset_threshold)
#define LENGTHS(DO) \
  DO(onset_debounce_ms) DO(hangover_ms) DO(mute_grace_ms) DO(mute_carry_over_ms) DO(muted_speech_hold_ms) \
  DO(muted_speech_release_ms)
/* contract end */
#define SETTINGS(DO) THRESHOLDS(DO) LENGTHS(DO)

/* Reads Detector's arguments. `echo` is borrowed: an object or None. False: an exception is raised. */
bool settings_read(PyObject *arguments, PyObject *keywords, va_config *config, PyObject **echo, int *smoothed);

/* True if a detector or an echo takes this rate; otherwise ValueError is raised. */
bool settings_rate(long rate_hz);

/* Reads a whole number from 0 to `most`; beyond 64 bits it counts as the largest. Otherwise raises TypeError, or
 * ValueError with the sentence, and returns false. */
bool settings_count(PyObject *value, uint64_t most, const char *sentence, uint64_t *count);

/* Returns the settings as a new dictionary, by the names of va_config. */
PyObject *settings_dictionary(const va_config *config);

#endif
