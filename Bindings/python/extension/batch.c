#include "batch.h"

#include "detector.h"
#include "errors.h"
#include "results.h"
#include "samples.h"

/* One stream's part. */
typedef struct stream {
  detector_object *detector;
  samples samples;
  float *converted; /* of samples that the core cannot read in place, or NULL; freed with the batch */
  size_t left;      /* samples that the core has not been given */
  results results;
  va_output output;
} stream;

typedef struct batch {
  PyObject *detectors, *chunks; /* lists of their own, which keep what is in them */
  size_t count, held;           /* streams; of which are in use by this call */
  size_t share;                 /* samples of a stream between two looks for signals */
  bool is_interrupted;          /* by a signal, whose exception is raised */
  stream *streams;
  va_batch_item *items;
} batch;

static void batch_end(batch *batch) {
  for (size_t i = 0; i < batch->held; i++) {
    stream *stream = &batch->streams[i];
    results_end(&stream->results);
    PyMem_Free(stream->converted);
    samples_release(&stream->samples);
    detector_leave(stream->detector);
  }
  PyMem_Free(batch->streams);
  PyMem_Free(batch->items);
  Py_XDECREF(batch->detectors);
  Py_XDECREF(batch->chunks);
}

/* Takes the detector and the samples of stream `i`, and writes its item. */
static bool hold(batch *batch, size_t i, PyTypeObject *detector_type) {
  stream *stream = &batch->streams[i];
  PyObject *object = PyList_GetItem(batch->detectors, (Py_ssize_t)i);
  if (!Py_IS_TYPE(object, detector_type))
    return PyErr_SetString(PyExc_TypeError, "process_batch takes a sequence of Detectors, then one of samples."), false;
  stream->detector = (detector_object *)object;
  stream->converted = NULL;
  if (!detector_use(stream->detector)) {
    for (size_t before = 0; before < i; before++)
      if (batch->streams[before].detector == stream->detector)
        PyErr_SetString(PyExc_ValueError, "A detector is in the batch twice: join its chunks.");
    return false;
  }
  if (!samples_hold(&stream->samples, PyList_GetItem(batch->chunks, (Py_ssize_t)i))) {
    detector_leave(stream->detector);
    return false;
  }
  results_begin(&stream->results, stream->detector->smoothing, false);
  batch->held = i + 1; /* from here on batch_end releases it */

  const samples *samples = &stream->samples;
  const bool is_direct = samples_are_direct(samples), is_s16 = is_direct && samples->format == SAMPLES_S16;
  if (!is_direct) {
    stream->converted = samples_room(samples->count, 1);
    if (!stream->converted) return PyErr_NoMemory(), false;
    samples_read(samples, 0, samples->count, stream->converted);
  }
  batch->items[i] = (va_batch_item){
      .detector = stream->detector->detector,
      .echo = stream->detector->echo ? stream->detector->echo->echo : NULL,
      .samples = is_s16 ? NULL : is_direct ? samples->view.buf : stream->converted,
      .samples_s16 = is_s16 ? samples->view.buf : NULL,
      .output = &stream->output,
  };
  stream->left = samples->count;
  return true;
}

/* ---- without the GIL ---- */

/* Offers an item room for results, and its next samples. */
static bool offer(const batch *batch, size_t i) {
  const stream *stream = &batch->streams[i];
  batch->items[i].count = stream->left < batch->share ? stream->left : batch->share;
  return results_offer(&batch->streams[i].results, &batch->streams[i].output);
}

/* Sets an item to the rest. True: there is more to do. */
static bool advance(stream *stream, va_batch_item *item) {
  stream->left -= item->consumed;
  if (item->samples) item->samples += item->consumed;
  if (item->samples_s16) item->samples_s16 += item->consumed;
  return stream->output.more || stream->left > 0;
}

/* Streams whose output is full are few: they are passed again with those that are done, whose count is 0. */
static va_status_code run(batch *batch, PyThreadState **thread) {
  for (bool more = true; more && !batch->is_interrupted;) {
    for (size_t i = 0; i < batch->count; i++)
      if (!offer(batch, i)) return VA_ERROR_MEMORY;
    const va_status_code code = va_process_batch(batch->items, batch->count);
    bool is_kept = true; /* each: a smoother that missed results would date all later ones too early */
    for (size_t i = 0; i < batch->count; i++)
      is_kept &= results_keep(&batch->streams[i].results, &batch->streams[i].output);
    if (!is_kept) return VA_ERROR_MEMORY;
    if (code != VA_OK) return code;
    more = false;
    for (size_t i = 0; i < batch->count; i++) more |= advance(&batch->streams[i], &batch->items[i]);
    batch->is_interrupted = more && !use_goes_on(thread);
  }
  return VA_OK;
}

/* ---- with it ---- */

static PyObject *all_events(const batch *batch) {
  PyObject *all = PyList_New((Py_ssize_t)batch->count);
  for (size_t i = 0; all && i < batch->count; i++) {
    const stream *stream = &batch->streams[i];
    const module_state *state = state_of((PyObject *)stream->detector);
    PyObject *events = results_events(&stream->results, state, stream->detector->rate_hz);
    if (!events) Py_CLEAR(all);
    else PyList_SetItem(all, (Py_ssize_t)i, events);
  }
  return all;
}

static bool batch_begin(batch *batch, PyObject *arguments, PyTypeObject *detector_type) {
  PyObject *detectors, *chunks;
  if (!PyArg_ParseTuple(arguments, "OO:process_batch", &detectors, &chunks)) return false;
  if (!(batch->detectors = PySequence_List(detectors)) || !(batch->chunks = PySequence_List(chunks))) return false;
  batch->count = (size_t)PyList_Size(batch->detectors);
  if (PyList_Size(batch->chunks) != (Py_ssize_t)batch->count)
    return PyErr_SetString(PyExc_ValueError, "process_batch needs as many chunks as detectors."), false;
  batch->streams = PyMem_Calloc(batch->count + 1, sizeof *batch->streams);
  batch->items = PyMem_Calloc(batch->count + 1, sizeof *batch->items);
  batch->share = USE_WORK_SAMPLES / (batch->count + 1) + 1;
  if (!batch->streams || !batch->items) return PyErr_NoMemory(), false;
  for (size_t i = 0; i < batch->count; i++)
    if (!hold(batch, i, detector_type)) return false;
  return true;
}

PyObject *batch_process(PyObject *module, PyObject *arguments) {
  const module_state *state = PyModule_GetState(module);
  batch batch = {0};
  PyObject *events = NULL;
  if (batch_begin(&batch, arguments, state->types[TYPE_DETECTOR])) {
    PyThreadState *thread = PyEval_SaveThread();
    const va_status_code code = run(&batch, &thread);
    PyEval_RestoreThread(thread);
    if (code != VA_OK) raise_stream_status(code);
    else if (!batch.is_interrupted) events = all_events(&batch);
  }
  batch_end(&batch);
  return events;
}
