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

/* The name of `names` that is most like `given`, or NULL. */
static PyObject *most_alike(PyObject *given, char *const *names) {
  PyObject *difflib = PyImport_ImportModule("difflib"), *all = PyList_New(0), *alike = NULL;
  for (; all && *names; names++) {
    PyObject *name = PyUnicode_FromString(*names);
    if (!name || PyList_Append(all, name) < 0) Py_CLEAR(all);
    Py_XDECREF(name);
  }
  if (difflib && all) alike = PyObject_CallMethod(difflib, "get_close_matches", "OOi", given, all, 1);
  PyObject *first = alike && PyList_Size(alike) > 0 ? Py_NewRef(PyList_GetItem(alike, 0)) : NULL;
  Py_XDECREF(difflib);
  Py_XDECREF(all);
  Py_XDECREF(alike);
  return first;
}

static bool is_among(PyObject *name, char *const *names) {
  for (; *names; names++)
    if (PyUnicode_CompareWithASCIIString(name, *names) == 0) return true;
  return false;
}

bool accept_keywords(PyObject *keywords, char *const *names, const char *function) {
  PyObject *name;
  Py_ssize_t at = 0;
  while (keywords && PyDict_Next(keywords, &at, &name, NULL)) {
    if (is_among(name, names)) continue;
    PyObject *alike = most_alike(name, names);
    if (alike) PyErr_Format(PyExc_TypeError, "%s has no argument %R; did you mean %R?", function, name, alike);
    else if (!PyErr_Occurred()) PyErr_Format(PyExc_TypeError, "%s has no argument %R.", function, name);
    Py_XDECREF(alike);
    return false;
  }
  return true;
}
