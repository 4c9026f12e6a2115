/* muted.h — the type MutedSpeech: the gate of speaking while muted, and its notice. It is for muted.py alone. */
#ifndef VAPY_MUTED_H
#define VAPY_MUTED_H

#include <stdbool.h>

#include "state.h"

bool muted_define(PyObject *module, module_state *state);

#endif
