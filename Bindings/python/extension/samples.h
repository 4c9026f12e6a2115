/* samples.h — the samples of a Python object, through the buffer protocol and without a copy where the core can read
 * them as they are. */
#ifndef VAPY_SAMPLES_H
#define VAPY_SAMPLES_H

#include <stdbool.h>
#include <stdint.h>

#include "limited.h"

/* More channels than this are taken for an array that has its axes the wrong way round. */
#define SAMPLES_CHANNELS_MAX 64

typedef enum sample_format { SAMPLES_S16, SAMPLES_S32, SAMPLES_F32, SAMPLES_F64 } sample_format;

typedef struct samples {
  Py_buffer view;
  sample_format format;
  size_t count;    /* frames: samples of each channel */
  size_t channels; /* at least 1 */
  Py_ssize_t frame_stride, channel_stride; /* bytes */
} samples;

/* Reads `object`: bytes of 16-bit PCM in the machine's order, or an array of int16, int32, float32 or float64 with one
 * axis (samples) or two (frames, channels). Holds the buffer until samples_release. Warns of floats on the scale of
 * integers. On failure raises TypeError or ValueError and returns false; then there is nothing to release. */
bool samples_hold(samples *samples, PyObject *object);
void samples_release(samples *samples);

/* Returns what has the samples of `object` as a buffer: itself, or the array of a tensor. */
PyObject *samples_buffer(PyObject *object);

/* True if the core can read the samples where they are: one channel, no strides, aligned, int16 or float32. */
bool samples_are_direct(const samples *samples);

/* Allocates room for so many frames of floats with PyMem_Malloc; NULL if there is none. */
float *samples_room(size_t frames, size_t channels);

/* Writes `count` frames from `first` on as floats, the mean of their channels. Needs no GIL. */
void samples_read(const samples *samples, size_t first, size_t count, float *block);

/* Writes all frames as interleaved floats. Needs no GIL. */
void samples_interleave(const samples *samples, float *frames);

#endif
