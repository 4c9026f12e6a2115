/* errors.h — the core's status codes, and unknown keywords, as Python exceptions. */
#ifndef VAPY_ERRORS_H
#define VAPY_ERRORS_H

#include <stdbool.h>

#include "limited.h"
#include "voice_activity.h"

/* Raises the exception for `code`: MemoryError for VA_ERROR_MEMORY, otherwise ValueError with the core's sentence.
 * Returns NULL. */
PyObject *raise_status(va_status_code code);

/* The same for a stream whose arguments were checked: VA_ERROR_ARGUMENT then means that it was flushed. */
PyObject *raise_stream_status(va_status_code code);

/* True if each of `keywords`, a dictionary or NULL, is among `names`; otherwise raises TypeError, which says what
 * `function` may have been meant to be given. */
bool accept_keywords(PyObject *keywords, char *const *names, const char *function);

#endif
