/* cutter.h — the type Cutter: from a detector's results to segments. It is for segments.py alone. */
#ifndef VAPY_CUTTER_H
#define VAPY_CUTTER_H

#include <stdbool.h>

#include "state.h"

bool cutter_define(PyObject *module, module_state *state);

#endif
