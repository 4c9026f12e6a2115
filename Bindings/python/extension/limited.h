/* limited.h — Python's stable ABI, which one build serves from 3.11 on: the first version whose ABI has the buffer
 * protocol. Free-threaded builds of Python have no stable ABI; setup.py then defines VAPY_FREE_THREADED. */
#ifndef VAPY_LIMITED_H
#define VAPY_LIMITED_H

#define PY_SSIZE_T_CLEAN
#if !defined(Py_LIMITED_API) && !defined(VAPY_FREE_THREADED)
#define Py_LIMITED_API 0x030b0000
#endif
#include <Python.h>

/* A function of any of the calling conventions, as a PyMethodDef stores it. */
#define METHOD(function) ((PyCFunction)(void (*)(void))(function))

#endif
