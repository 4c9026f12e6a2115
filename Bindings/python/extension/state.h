/* state.h — what a module object owns. Each interpreter has its own. */
#ifndef VAPY_STATE_H
#define VAPY_STATE_H

#include "limited.h"

typedef struct module_state {
  PyTypeObject *event_type;
  PyTypeObject *frames_type;
  PyTypeObject *echo_type;
  PyTypeObject *detector_type;
  PyTypeObject *cutter_type;
  PyTypeObject *muted_type;
} module_state;

/* The types cannot be subclassed, so that the type of an object is the one that the module made. */
static inline module_state *state_of(PyObject *object) { return PyType_GetModuleState(Py_TYPE(object)); }

#endif
