#include "samples.h"

#include <float.h>
#include <math.h>
#include <string.h>

static bool has_format(const char *text, Py_ssize_t size, sample_format *format) {
  if (!text) text = "B";
  const int one = 1;
  const char native = *(const char *)&one ? '<' : '>';
  if (*text == '@' || *text == '=' || *text == native) text++;
  if (strlen(text) != 1) return false;
  switch (*text) {
    case 'h': *format = SAMPLES_S16; return size == 2;
    case 'i':
    case 'l': *format = SAMPLES_S32; return size == 4;
    case 'f': *format = SAMPLES_F32; return size == 4;
    case 'd': *format = SAMPLES_F64; return size == 8;
    default: return false;
  }
}

static bool refuse(samples *samples, PyObject *type, const char *sentence) {
  PyErr_SetString(type, sentence);
  PyBuffer_Release(&samples->view);
  return false;
}

/* Bytes have no sample format of their own. */
static bool take_bytes(samples *samples) {
  const Py_buffer *view = &samples->view;
  if (view->ndim != 1 || view->strides[0] != 1)
    return refuse(samples, PyExc_ValueError, "Bytes of samples must be contiguous: pass bytes(samples).");
  if (view->len % 2 != 0)
    return refuse(samples, PyExc_ValueError,
                  "Bytes are read as 16-bit samples, but their number is odd: pass whole samples.");
  samples->format = SAMPLES_S16;
  samples->count = (size_t)view->len / 2;
  samples->channels = 1;
  samples->frame_stride = samples->channel_stride = 2;
  return true;
}

static bool take_array(samples *samples) {
  const Py_buffer *view = &samples->view;
  if (view->ndim != 1 && view->ndim != 2)
    return refuse(samples, PyExc_ValueError, "Samples need one axis, or two: frames and channels.");
  samples->count = (size_t)view->shape[0];
  samples->channels = view->ndim == 2 ? (size_t)view->shape[1] : 1;
  samples->frame_stride = view->strides[0];
  samples->channel_stride = view->ndim == 2 ? view->strides[1] : view->itemsize;
  if (samples->channels < 1 || samples->channels > SAMPLES_CHANNELS_MAX)
    return refuse(samples, PyExc_ValueError,
                  "The second axis of the samples is the channels, 1 to 64: transpose an array of channels by frames.");
  return true;
}

/* Strided arrays need not be aligned, so values are copied out. */
static float value_at(const char *at, sample_format format) {
  int16_t s16;
  int32_t s32;
  float f32;
  double f64;
  switch (format) {
    case SAMPLES_S16: memcpy(&s16, at, sizeof s16); return (float)s16 / 32768.0f;
    case SAMPLES_S32: memcpy(&s32, at, sizeof s32); return (float)s32 / 2147483648.0f;
    case SAMPLES_F32: memcpy(&f32, at, sizeof f32); return f32;
    case SAMPLES_F64: memcpy(&f64, at, sizeof f64); return (float)f64;
  }
  return 0;
}

static bool has(PyObject *object, const char *name) { return PyObject_HasAttrString(object, name); }

/* A tensor of torch has no buffer, but an array that shares its memory; that of a graphics card has to be fetched. */
PyObject *samples_buffer(PyObject *object) {
  if (PyObject_CheckBuffer(object) || !has(object, "__array__")) return Py_NewRef(object);
  PyObject *detached = has(object, "detach") ? PyObject_CallMethod(object, "detach", NULL) : Py_NewRef(object);
  PyObject *near = detached && has(detached, "cpu") ? PyObject_CallMethod(detached, "cpu", NULL) : Py_XNewRef(detached);
  PyObject *array = near ? PyObject_CallMethod(near, "__array__", NULL) : NULL;
  Py_XDECREF(detached);
  Py_XDECREF(near);
  return array;
}

/* The view keeps what it is of. */
static bool view_of(PyObject *object, Py_buffer *view) {
  PyObject *buffer = samples_buffer(object);
  if (!buffer) return false;
  const bool is_viewed = PyObject_GetBuffer(buffer, view, PyBUF_STRIDES | PyBUF_FORMAT) == 0;
  Py_DECREF(buffer);
  if (!is_viewed && PyErr_ExceptionMatches(PyExc_TypeError))
    PyErr_SetString(PyExc_TypeError, "Samples must be bytes of 16-bit PCM or an array of int16, int32, float32 or "
                                     "float64, as of numpy, torch or array.array.");
  return is_viewed;
}

/* Beyond 8, 18 dB above full scale, floats are 16-bit values that nobody divided. Of 16 samples one is looked at. */
static bool has_wrong_scale(const samples *samples) {
  if (samples->format != SAMPLES_F32 && samples->format != SAMPLES_F64) return false;
  const char *at = samples->view.buf;
  for (size_t i = 0; i < samples->count; i += 16, at += 16 * samples->frame_stride) {
    const float magnitude = fabsf(value_at(at, samples->format));
    if (magnitude > 8 && magnitude <= FLT_MAX) return true;
  }
  return false;
}

static bool warn_of_scale(samples *samples) {
  if (!has_wrong_scale(samples)) return true;
  static const char text[] = "The samples are floats far beyond 1, their full scale: divide 16-bit values by 32768.";
  PyObject *module = PyImport_ImportModule("voiceactivity.warning");
  PyObject *done = module ? PyObject_CallMethod(module, "warn", "sO", text, PyExc_RuntimeWarning) : NULL;
  Py_XDECREF(module);
  Py_XDECREF(done);
  if (!done) PyBuffer_Release(&samples->view);
  return done;
}

bool samples_hold(samples *samples, PyObject *object) {
  if (!view_of(object, &samples->view)) return false;
  const Py_buffer *view = &samples->view;
  if (view->itemsize == 1 && (!view->format || strchr("Bbc", view->format[strlen(view->format) - 1]))) {
    if (PyObject_HasAttrString(object, "__array_interface__"))
      return refuse(samples, PyExc_TypeError,
                    "An array of 8-bit numbers could be 8-bit samples or bytes of 16-bit PCM: convert the samples to "
                    "int16, or pass bytes(array).");
    return take_bytes(samples);
  }
  if (!has_format(view->format, view->itemsize, &samples->format))
    return refuse(samples, PyExc_TypeError,
                  "Samples must be int16, int32, float32 or float64 in the machine's byte order: convert them first.");
  return take_array(samples) && warn_of_scale(samples);
}

void samples_release(samples *samples) { PyBuffer_Release(&samples->view); }

static Py_ssize_t size_of(sample_format format) {
  static const Py_ssize_t sizes[] = {[SAMPLES_S16] = 2, [SAMPLES_S32] = 4, [SAMPLES_F32] = 4, [SAMPLES_F64] = 8};
  return sizes[format];
}

bool samples_are_direct(const samples *samples) {
  if (samples->channels != 1 || (uintptr_t)samples->view.buf % (size_t)size_of(samples->format) != 0) return false;
  return samples->frame_stride == size_of(samples->format) &&
         (samples->format == SAMPLES_S16 || samples->format == SAMPLES_F32);
}

float *samples_room(size_t frames, size_t channels) {
  const size_t most = (size_t)PY_SSIZE_T_MAX / sizeof(float);
  return frames < most / channels ? PyMem_Malloc((frames * channels + 1) * sizeof(float)) : NULL;
}

void samples_read(const samples *samples, size_t first, size_t count, float *block) {
  const char *frame = (const char *)samples->view.buf + (Py_ssize_t)first * samples->frame_stride;
  for (size_t i = 0; i < count; i++, frame += samples->frame_stride) {
    float sum = value_at(frame, samples->format);
    for (size_t channel = 1; channel < samples->channels; channel++)
      sum += value_at(frame + (Py_ssize_t)channel * samples->channel_stride, samples->format);
    block[i] = samples->channels == 1 ? sum : sum / (float)samples->channels;
  }
}

void samples_interleave(const samples *samples, float *frames) {
  const char *frame = samples->view.buf;
  for (size_t i = 0; i < samples->count; i++, frame += samples->frame_stride)
    for (size_t channel = 0; channel < samples->channels; channel++, frames++)
      *frames = value_at(frame + (Py_ssize_t)channel * samples->channel_stride, samples->format);
}
