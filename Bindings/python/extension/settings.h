/* settings.h — va_config from keyword arguments, and as a dictionary. */
#ifndef VAPY_SETTINGS_H
#define VAPY_SETTINGS_H

#include <stdbool.h>

#include "limited.h"
#include "voice_activity.h"

/* Reads Detector's arguments. `echo` is borrowed: an object or None. False: an exception is raised. */
bool settings_read(PyObject *arguments, PyObject *keywords, va_config *config, PyObject **echo);

/* True if a detector or an echo takes this rate; otherwise ValueError is raised. */
bool settings_rate(long rate_hz);

/* Returns the settings as a new dictionary, by the names of va_config. */
PyObject *settings_dictionary(const va_config *config);

#endif
