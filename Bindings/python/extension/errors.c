#include "errors.h"

PyObject *raise_status(va_status_code code) {
  if (code == VA_ERROR_MEMORY) return PyErr_NoMemory();
  PyErr_SetString(PyExc_ValueError, va_status_text(code));
  return NULL;
}
