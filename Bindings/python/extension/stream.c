#include "stream.h"

#include "errors.h"
#include "frames.h"
#include "samples.h"
#include "settings.h"

enum { BLOCK = 1024 /* samples converted at a time */ };

/* One call of Python: its results, and where its hops go. */
typedef struct call {
  detector_object *self;
  va_echo *echo;
  PyObject *frames; /* borrowed; Frames, or NULL */
  results results;
  PyThreadState *thread; /* while the GIL is released; otherwise NULL */
  size_t work;           /* samples since the last look for signals */
  bool is_interrupted;   /* by a signal, whose exception is raised */
} call;

/* Counts work that is done. False: a signal has ended the call. */
static bool goes_on(call *call, size_t samples) {
  call->work += samples;
  if (!call->thread || call->work < USE_WORK_SAMPLES) return true;
  call->work = 0;
  call->is_interrupted = !use_goes_on(&call->thread);
  return !call->is_interrupted;
}

/* ---- without the GIL ---- */

enum { WAITING = 1 << 14 /* the work, in samples, of a call that only fetches what is waiting, at most 1000 hops */ };

/* Analyses `count` samples, or fetches what is waiting if there are none. Stops where a signal ends the call. */
static va_status_code core_process(call *call, const void *samples, sample_format format, size_t count) {
  const size_t size = format == SAMPLES_S16 ? sizeof(int16_t) : sizeof(float);
  va_output output;
  size_t consumed;
  do {
    const size_t now = count < USE_WORK_SAMPLES ? count : USE_WORK_SAMPLES;
    if (!results_offer(&call->results, &output)) return VA_ERROR_MEMORY;
    const va_status_code code =
        format == SAMPLES_S16
            ? va_detector_process_s16(call->self->detector, call->echo, samples, now, &consumed, &output)
            : va_detector_process(call->self->detector, call->echo, samples, now, &consumed, &output);
    if (code != VA_OK) return code;
    if (!results_keep(&call->results, &output)) return VA_ERROR_MEMORY;
    if (samples) samples = (const char *)samples + consumed * size;
    count -= consumed;
  } while (goes_on(call, consumed > 0 ? consumed : WAITING) && (count > 0 || output.more));
  return VA_OK;
}

static va_status_code core_samples(call *call, const samples *samples) {
  if (samples_are_direct(samples)) return core_process(call, samples->view.buf, samples->format, samples->count);
  float block[BLOCK];
  va_status_code code = VA_OK;
  size_t done = 0;
  do {
    const size_t left = samples->count - done, count = left < BLOCK ? left : BLOCK;
    samples_read(samples, done, count, block);
    code = core_process(call, block, SAMPLES_F32, count);
    done += count;
  } while (code == VA_OK && !call->is_interrupted && done < samples->count);
  return code;
}

static va_status_code core_gap(call *call, uint64_t count) {
  va_output output;
  if (!results_offer(&call->results, &output)) return VA_ERROR_MEMORY;
  const va_status_code code = va_detector_push_gap(call->self->detector, call->echo, count, &output);
  if (code != VA_OK) return code;
  if (!results_keep(&call->results, &output)) return VA_ERROR_MEMORY;
  return output.more ? core_process(call, NULL, SAMPLES_F32, 0) : VA_OK;
}

static va_status_code core_level(call *call, uint64_t count, uint8_t level_dbov, bool voice) {
  va_output output;
  va_status_code code;
  do { /* again only if results of earlier calls filled the output */
    if (!results_offer(&call->results, &output)) return VA_ERROR_MEMORY;
    code = va_detector_push_level(call->self->detector, count, level_dbov, voice, &output);
    if (code != VA_OK && code != VA_ERROR_OUTPUT_FULL) return code;
    if (!results_keep(&call->results, &output)) return VA_ERROR_MEMORY;
  } while (code == VA_ERROR_OUTPUT_FULL);
  return output.more ? core_process(call, NULL, SAMPLES_F32, 0) : VA_OK;
}

static va_status_code core_flush(call *call) {
  va_output output;
  do {
    if (!results_offer(&call->results, &output)) return VA_ERROR_MEMORY;
    const va_status_code code = va_detector_flush(call->self->detector, call->echo, &output);
    if (code != VA_OK) return code;
    if (!results_keep(&call->results, &output)) return VA_ERROR_MEMORY;
  } while (output.more);
  return results_finish(&call->results) ? VA_OK : VA_ERROR_MEMORY;
}

/* ---- with it ---- */

/* Reads `wanted` positional arguments and the keyword `frames`, and takes the detector for this call. */
static bool begin(call *call, PyObject *object, const char *name, Py_ssize_t wanted, PyObject *const *arguments,
                  Py_ssize_t count, PyObject *names) {
  const Py_ssize_t named = names ? PyTuple_Size(names) : 0;
  const bool has_frames = named == 1 && PyUnicode_CompareWithASCIIString(PyTuple_GetItem(names, 0), "frames") == 0;
  if (count != wanted || (named > 0 && !has_frames)) {
    PyErr_Format(PyExc_TypeError, "%s takes %zd positional arguments and the keyword frames.", name, wanted);
    return false;
  }
  call->frames = has_frames && !Py_IsNone(arguments[count]) ? arguments[count] : NULL;
  call->self = (detector_object *)object;
  if (!frames_check(state_of(object), call->frames) || !detector_use(call->self)) return false;
  call->echo = call->self->echo ? call->self->echo->echo : NULL;
  call->thread = NULL;
  call->work = 0;
  call->is_interrupted = false;
  results_begin(&call->results, call->self->smoothing, call->frames != NULL);
  return true;
}

/* Gives the detector back and returns the events. Hops are appended last, so that a call that raises appends none. */
static PyObject *end(call *call, va_status_code code) {
  detector_leave(call->self);
  PyObject *events = NULL;
  if (code != VA_OK && !call->is_interrupted) raise_stream_status(code);
  else if (!call->is_interrupted)
    events = results_events(&call->results, state_of((PyObject *)call->self), call->self->rate_hz);
  if (events && call->frames && !frames_append(call->frames, &call->results)) Py_CLEAR(events);
  results_end(&call->results);
  return events;
}

PyObject *stream_process(PyObject *object, PyObject *const *arguments, Py_ssize_t count, PyObject *names) {
  call call;
  if (!begin(&call, object, "process", 1, arguments, count, names)) return NULL;
  samples samples;
  if (!samples_hold(&samples, arguments[0])) {
    detector_leave(call.self);
    return NULL;
  }
  if (samples.count >= USE_LONG_SAMPLES) call.thread = PyEval_SaveThread();
  const va_status_code code = core_samples(&call, &samples);
  if (call.thread) PyEval_RestoreThread(call.thread);
  samples_release(&samples);
  return end(&call, code);
}

/* A count of samples of a gap or a level. */
static bool read_count(PyObject *value, uint64_t *count) {
  return settings_count(value, VA_GAP_MAX,
                        "A gap or a level has 0 to 2**40 samples: reset the detector after a longer one.", count);
}

PyObject *stream_gap(PyObject *object, PyObject *const *arguments, Py_ssize_t count, PyObject *names) {
  call call;
  if (!begin(&call, object, "gap", 1, arguments, count, names)) return NULL;
  uint64_t length;
  if (!read_count(arguments[0], &length)) {
    detector_leave(call.self);
    return NULL;
  }
  call.thread = PyEval_SaveThread();
  const va_status_code code = core_gap(&call, length);
  PyEval_RestoreThread(call.thread);
  return end(&call, code);
}

static bool read_level(PyObject *value, uint8_t *level_dbov) {
  const long level = PyLong_AsLong(value);
  if (level == -1 && PyErr_Occurred()) return false;
  *level_dbov = (uint8_t)level;
  if (level >= 0 && level <= 127) return true;
  PyErr_Format(PyExc_ValueError, "The level is %ld; levels in -dBov are 0 (loudest) to 127 (silence).", level);
  return false;
}

PyObject *stream_push_level(PyObject *object, PyObject *const *arguments, Py_ssize_t count, PyObject *names) {
  call call;
  if (!begin(&call, object, "push_level", 3, arguments, count, names)) return NULL;
  uint64_t length;
  uint8_t level_dbov;
  const int voice = PyObject_IsTrue(arguments[2]);
  if (voice < 0 || !read_count(arguments[0], &length) || !read_level(arguments[1], &level_dbov)) {
    detector_leave(call.self);
    return NULL;
  }
  if (length >= USE_LONG_SAMPLES) call.thread = PyEval_SaveThread();
  const va_status_code code = core_level(&call, length, level_dbov, voice);
  if (call.thread) PyEval_RestoreThread(call.thread);
  return end(&call, code);
}

PyObject *stream_flush(PyObject *object, PyObject *const *arguments, Py_ssize_t count, PyObject *names) {
  call call;
  if (!begin(&call, object, "flush", 0, arguments, count, names)) return NULL;
  return end(&call, core_flush(&call));
}
