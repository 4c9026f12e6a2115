#include "errors.h"

PyObject *raise_status(va_status_code code) {
  if (code == VA_ERROR_MEMORY) return PyErr_NoMemory();
  PyErr_SetString(PyExc_ValueError, va_status_text(code));
  return NULL;
}

PyObject *raise_stream_status(va_status_code code) {
  if (code != VA_ERROR_ARGUMENT) return raise_status(code);
  PyErr_SetString(PyExc_ValueError, "The stream has ended with flush(): call reset() to begin another.");
  return NULL;
}
