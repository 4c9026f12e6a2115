/* state.h — what a module object owns, each interpreter its own: the types. */
#ifndef VAPY_STATE_H
#define VAPY_STATE_H

#include "limited.h"

/* The event is last: it is a named tuple, and has no PyType_Spec. */
enum { TYPE_FRAMES, TYPE_ECHO, TYPE_DETECTOR, TYPE_CUTTER, TYPE_MUTED, TYPE_EVENT, TYPES };

typedef struct module_state {
  PyTypeObject *types[TYPES];
} module_state;

/* frames.c, echo.c, detector.c; cutter.c and muted.c, whose types are for segments.py and muted.py alone. */
extern PyType_Spec frames_spec, echo_spec, detector_spec, cutter_spec, muted_spec;

/* No type can be subclassed or changed. */
#define TYPE_SPEC(type_name, object, type_slots) \
  {.name = type_name, .basicsize = sizeof(object), .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE, \
   .slots = type_slots}

/* As no type can be subclassed, the type of an object is the one that the module made. */
static inline module_state *state_of(PyObject *object) { return PyType_GetModuleState(Py_TYPE(object)); }

/* The last step of a type's dealloc. */
static inline void object_free(PyObject *object) {
  PyTypeObject *type = Py_TYPE(object);
  PyObject_Free(object);
  Py_DECREF(type);
}

#endif
