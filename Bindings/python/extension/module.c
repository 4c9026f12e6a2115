/* module.c — voiceactivity._core: the C library, as Python types. */
#include "batch.h"
#include "cutter.h"
#include "detector.h"
#include "frames.h"
#include "results.h"

static PyObject *simd_name(PyObject *module, PyObject *unused) {
  (void)module, (void)unused;
  return PyUnicode_FromString(va_simd_name());
}

static PyMethodDef functions[] = {
    {"process_batch", batch_process, METH_VARARGS,
     "process_batch(detectors, chunks, /)\n--\n\nAnalyses a chunk for each detector and returns the events of each: "
     "the same as a call of process for each, for less processor time. Releases the GIL.\n\nNo detector may be in it "
     "twice. If a stream has ended, ValueError is raised, and the others have taken their chunks."},
    {"simd_name", simd_name, METH_NOARGS,
     "Returns 'avx512', 'avx2' or 'portable': the SIMD body that a new detector uses. VA_CPU limits it."},
    {NULL, NULL, 0, NULL},
};

static int module_begin(PyObject *module) {
  module_state *state = PyModule_GetState(module);
  const bool defined = results_define(state) && PyModule_AddType(module, state->event_type) == 0 &&
                       frames_define(module, state) && echo_define(module, state) && detector_define(module, state) &&
                       cutter_define(module, state);
  if (!defined) return -1;
  return PyModule_AddStringConstant(module, "__version__", va_version()) == 0 &&
                 PyModule_AddIntConstant(module, "HOP_MS", VA_HOP_MS) == 0 &&
                 PyModule_AddIntConstant(module, "LOOKAHEAD_MS", (long)va_detector_lookahead_ms()) == 0
             ? 0
             : -1;
}

static int module_visit(PyObject *module, visitproc visit, void *arg) {
  module_state *state = PyModule_GetState(module);
  Py_VISIT(state->event_type);
  Py_VISIT(state->frames_type);
  Py_VISIT(state->echo_type);
  Py_VISIT(state->detector_type);
  Py_VISIT(state->cutter_type);
  return 0;
}

static int module_clear(PyObject *module) {
  module_state *state = PyModule_GetState(module);
  Py_CLEAR(state->event_type);
  Py_CLEAR(state->frames_type);
  Py_CLEAR(state->echo_type);
  Py_CLEAR(state->detector_type);
  Py_CLEAR(state->cutter_type);
  for (size_t i = 0; i < sizeof state->event_names / sizeof state->event_names[0]; i++) Py_CLEAR(state->event_names[i]);
  return 0;
}

static void module_free(void *module) { module_clear(module); }

static PyModuleDef_Slot slots[] = {{Py_mod_exec, module_begin}, {0, NULL}};

static PyModuleDef definition = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "voiceactivity._core",
    .m_size = sizeof(module_state),
    .m_methods = functions,
    .m_slots = slots,
    .m_traverse = module_visit,
    .m_clear = module_clear,
    .m_free = module_free,
};

PyMODINIT_FUNC PyInit__core(void) { return PyModuleDef_Init(&definition); }
