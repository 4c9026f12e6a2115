/* pyconfig.h — what Python's headers need to know of the target of a cross-build, from the compiler itself.
 * Packaging/build-wheels.py includes it first, so that the machine's own is skipped. The stable ABI needs no more. */
#ifndef Py_PYCONFIG_H
#define Py_PYCONFIG_H

#define HAVE_STDARG_PROTOTYPES 1
#define HAVE_STDDEF_H 1
#define HAVE_STDINT_H 1
#define HAVE_SYS_TYPES_H 1
#define HAVE_WCHAR_H 1
#define SIZEOF_SHORT __SIZEOF_SHORT__
#define SIZEOF_INT __SIZEOF_INT__
#define SIZEOF_LONG __SIZEOF_LONG__
#define SIZEOF_LONG_LONG __SIZEOF_LONG_LONG__
#define SIZEOF_VOID_P __SIZEOF_POINTER__
#define SIZEOF_SIZE_T __SIZEOF_SIZE_T__
#define SIZEOF_UINTPTR_T __SIZEOF_POINTER__
#define SIZEOF_WCHAR_T __SIZEOF_WCHAR_T__
#define SIZEOF_FLOAT __SIZEOF_FLOAT__
#define SIZEOF_DOUBLE __SIZEOF_DOUBLE__
#define SIZEOF_TIME_T 8
#define SIZEOF_PID_T 4
#define SIZEOF_OFF_T 8

#if defined(_WIN32)
#define MS_WINDOWS 1
#define MS_WIN64 1
#define Py_ENABLE_SHARED 1 /* Python's data is imported from python3.dll */
typedef __PTRDIFF_TYPE__ Py_ssize_t;
#define HAVE_PY_SSIZE_T 1
#endif

#endif
