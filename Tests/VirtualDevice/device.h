/* device.h — the virtual capture device as an external plugin of alsa-lib ("ioplug"). */
#ifndef DEVICE_H
#define DEVICE_H

#include <alsa/asoundlib.h>
#include <alsa/pcm_external.h>
#include <stdbool.h>
#include <stdint.h>

#include "description.h"
#include "sound.h"
#include "virtual_device.h"

typedef struct {
  snd_pcm_ioplug_t io;
  description description;
  sound sound;
  virtual_device_state *state;
  int timer;
  snd_pcm_uframes_t avail_min, boundary;
  uint64_t base;                  /* the frame at pointer 0 */
  uint64_t shown;                 /* the pointer up to which the reader has been shown frames */
  uint64_t resumed_at, lost_asleep; /* from pointer `resumed_at` on, frames are offset by `lost_asleep` */
  uint64_t failing_transfers;
  bool is_resumable, is_broken, is_waiting;
} device;

/* The functions that alsa-lib calls; `close` frees everything. */
extern const snd_pcm_ioplug_callback_t device_callbacks;

/* Returns the number of frames that the world has made. */
uint64_t device_frames_made(const device *d);

#endif
