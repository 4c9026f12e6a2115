/* frames.h — the type Frames: what a detector measured in each hop of 10 ms, as columns. */
#ifndef VAPY_FRAMES_H
#define VAPY_FRAMES_H

#include "results.h"

bool frames_define(PyObject *module, module_state *state);

/* True if `object` is Frames, or NULL or None; otherwise raises TypeError. */
bool frames_check(const module_state *state, PyObject *object);

/* Appends the hops of `results` to `object`, which is Frames, with the GIL. False: MemoryError. */
bool frames_append(PyObject *object, const results *results);

/* Returns the hops of `object`, which is Frames, as they are until it is changed. */
va_hop *frames_hops(PyObject *object, size_t *count);

#endif
