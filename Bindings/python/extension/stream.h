/* stream.h — what goes into a detector: samples, gaps and levels, and the end of the stream. */
#ifndef VAPY_STREAM_H
#define VAPY_STREAM_H

#include "detector.h"

/* Detector's methods, with METH_FASTCALL | METH_KEYWORDS. */
PyObject *stream_process(PyObject *self, PyObject *const *arguments, Py_ssize_t count, PyObject *names);
PyObject *stream_gap(PyObject *self, PyObject *const *arguments, Py_ssize_t count, PyObject *names);
PyObject *stream_push_level(PyObject *self, PyObject *const *arguments, Py_ssize_t count, PyObject *names);
PyObject *stream_flush(PyObject *self, PyObject *const *arguments, Py_ssize_t count, PyObject *names);

#endif
