/* frames.h — the type Frames: what a detector measured in each hop of 10 ms, as columns. */
#ifndef VAPY_FRAMES_H
#define VAPY_FRAMES_H

#include "results.h"

/* True if `object` is Frames, or NULL or None; otherwise raises TypeError. */
bool frames_check(const module_state *state, PyObject *object);

/* Appends the hops of `results` to `object`, which is Frames. False: an exception is raised. */
bool frames_append(PyObject *object, const results *results);

/* Returns the hops of `object`, which is Frames, and keeps them as they are until frames_release. NULL: another thread
 * is using it, and RuntimeError is raised. */
va_hop *frames_hold(PyObject *object, size_t *count);
void frames_release(PyObject *object);

#endif
