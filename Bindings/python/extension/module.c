/* module.c — voiceactivity._core: the C library, as Python types. */
#include "batch.h"
#include "results.h"
#include "samples.h"

static PyObject *simd_name(PyObject *module, PyObject *unused) {
  (void)module, (void)unused;
  return PyUnicode_FromString(va_simd_name());
}

static PyObject *buffer(PyObject *module, PyObject *object) {
  (void)module;
  return samples_buffer(object);
}

static PyMethodDef functions[] = {
    {"buffer", buffer, METH_O, "buffer(samples, /)\n--\n\nReturns what has the samples as a buffer: the object "
                               "itself, or the array of a tensor."},
    {"process_batch", batch_process, METH_VARARGS,
     "process_batch(detectors, chunks, /)\n--\n\nAnalyses a chunk for each detector and returns the events of each: "
     "the same as a call of process for each, for less processor time. Releases the GIL.\n\nNo detector may be in it "
     "twice. If a stream has ended, ValueError is raised, and the others have taken their chunks."},
    {"simd_name", simd_name, METH_NOARGS,
     "Returns 'avx512', 'avx2' or 'portable': the SIMD body that a new detector uses. VA_CPU limits it."},
    {NULL, NULL, 0, NULL},
};

static int module_begin(PyObject *module) {
  static PyType_Spec *const specs[TYPE_EVENT] = {
      [TYPE_FRAMES] = &frames_spec, [TYPE_ECHO] = &echo_spec,   [TYPE_DETECTOR] = &detector_spec,
      [TYPE_CUTTER] = &cutter_spec, [TYPE_MUTED] = &muted_spec,
  };
  module_state *state = PyModule_GetState(module);
  for (int i = 0; i < TYPE_EVENT; i++) {
    state->types[i] = (PyTypeObject *)PyType_FromModuleAndSpec(module, specs[i], NULL);
    if (!state->types[i] || PyModule_AddType(module, state->types[i]) < 0) return -1;
  }
  return results_define(module, state) && PyModule_AddStringConstant(module, "__version__", va_version()) == 0 &&
                 PyModule_AddStringConstant(module, "NOTICE_TEXT", VA_NOTICE_TEXT) == 0 &&
                 PyModule_AddIntConstant(module, "HOP_MS", VA_HOP_MS) == 0 &&
                 PyModule_AddIntConstant(module, "CUT_MIN_MS", VA_CUT_MIN_MS) == 0 &&
                 PyModule_AddIntConstant(module, "DURATION_MAX_MS", VA_DURATION_MAX_MS) == 0 &&
                 PyModule_AddIntConstant(module, "LOOKAHEAD_MS", (long)va_detector_lookahead_ms()) == 0
             ? 0
             : -1;
}

static int module_visit(PyObject *module, visitproc visit, void *arg) {
  module_state *state = PyModule_GetState(module);
  for (int i = 0; i < TYPES; i++) Py_VISIT(state->types[i]);
  return 0;
}

static int module_clear(PyObject *module) {
  module_state *state = PyModule_GetState(module);
  for (int i = 0; i < TYPES; i++) Py_CLEAR(state->types[i]);
  return 0;
}

static void module_free(void *module) { module_clear(module); }

/* The module has no state outside its module objects, and each object is for one thread at a time (use.h). So it says
 * from 3.12 on that interpreters with a GIL of their own may load it, and from 3.13 on that it needs no GIL. The
 * headers for the stable ABI of 3.11 do not name these slots. */
enum { EXEC, MULTIPLE_INTERPRETERS, GIL, END };
static PyModuleDef_Slot slots[] = {
    [EXEC] = {Py_mod_exec, module_begin},
    [MULTIPLE_INTERPRETERS] = {3, (void *)2}, /* Py_MOD_PER_INTERPRETER_GIL_SUPPORTED */
    [GIL] = {4, (void *)1},                   /* Py_MOD_GIL_NOT_USED */
    [END] = {0, NULL},
};

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

PyMODINIT_FUNC PyInit__core(void) {
  /* A Python that does not know a slot refuses the module. */
  if (Py_Version < 0x030c0000) slots[MULTIPLE_INTERPRETERS] = slots[END];
  if (Py_Version < 0x030d0000) slots[GIL] = slots[END];
  return PyModuleDef_Init(&definition);
}
