/* device.c — the behaviour of the virtual capture device.
 *
 * A *pointer* counts frames since the last prepare, as alsa-lib does; a *frame* is a frame's number in the world. Only
 * `visible` decides how far the reader may see, and only `look` lets a fault strike.
 */
#define _GNU_SOURCE
#include "device.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static const uint64_t never = UINT64_MAX;

/* MARK: The world's clock */

static int64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

/* Returns the time after the start of the world at which `frames` frames have been made. */
static int64_t ns_of(const device *d, uint64_t frames) {
  unsigned rate = d->state->rate;
  return (int64_t)(((__uint128_t)frames * 1000000000u + rate - 1) / rate);
}

uint64_t device_frames_made(const device *d) {
  if (d->state->start_ns == 0) return 0;
  return (uint64_t)((__uint128_t)(now_ns() - d->state->start_ns) * d->state->rate / 1000000000u);
}

static uint64_t frame_at(const device *d, uint64_t pointer) {
  return d->base + pointer + (pointer >= d->resumed_at ? d->lost_asleep : 0);
}

/* Returns the pointer behind the last frame before `frame`. */
static uint64_t pointer_of(const device *d, uint64_t frame) {
  uint64_t asleep_at = d->base + d->resumed_at;
  if (frame > asleep_at) frame = frame > asleep_at + d->lost_asleep ? frame - d->lost_asleep : asleep_at;
  return frame > d->base ? frame - d->base : 0;
}

/* Returns the frame that the reader gets next. */
static uint64_t reader(const device *d) { return frame_at(d, d->io.appl_ptr); }

/* MARK: Faults */

static const fault *next_fault(const device *d) {
  unsigned next = d->state->next_fault;
  return next < d->description.fault_count ? &d->description.faults[next] : NULL;
}

/* Returns the next fault if the device causes it; a `sleep` is the reader's. */
static const fault *own_fault(const device *d) {
  const fault *f = next_fault(d);
  return f && f->kind != FAULT_SLEEP ? f : NULL;
}

/* Whether a fault may strike now. An error waits until the reader polls: if a transfer failed behind a successful one
 * in the same read, it would go unnoticed, because alsa-lib returns what it has. */
static bool is_due(const device *d, const fault *f) {
  if (f->kind == FAULT_ERROR && !d->is_waiting) return false;
  return device_frames_made(d) >= f->frame && (f->is_abrupt || reader(d) >= f->frame);
}

/* Returns the pointer up to which the reader may see: the frames made, but none behind a fault that is not over. */
static uint64_t visible(const device *d) {
  uint64_t made = device_frames_made(d);
  const fault *f = own_fault(d);
  if (f && made > f->frame) made = f->frame;
  uint64_t pointer = pointer_of(d, made);
  uint64_t full = d->io.appl_ptr + d->io.buffer_size - d->description.spare;
  if (d->description.keeps && pointer > full) pointer = full;
  return pointer > d->shown ? pointer : d->shown;
}

/* Continues the counter with `frame`, as if it had stood still since the last frame that was shown. A device that was
 * opened anew may be there already. */
static void leave_out_until(device *d, uint64_t frame) {
  if (frame <= d->base + d->shown) return;
  d->base += d->lost_asleep;
  d->resumed_at = d->shown;
  d->lost_asleep = frame - (d->base + d->shown);
}

static bool lasts(const fault *f) {
  return f->kind == FAULT_STALL || f->kind == FAULT_STAND || f->kind == FAULT_IDLE;
}

/* Lets the fault that holds the pointer strike. Returns 0, or -EPIPE for an overrun. */
static int strike(device *d, const fault *f) {
  uint64_t over = f->frame + f->length;
  if (f->kind == FAULT_END || (lasts(f) && device_frames_made(d) < over)) return 0;
  d->state->next_fault++;
  switch (f->kind) {
  case FAULT_OVERRUN: d->state->restart_at = over; return -EPIPE;
  case FAULT_BROKEN:
    d->is_broken = true, d->state->restart_at = over;
    return -EPIPE;
  case FAULT_SUSPEND:
  case FAULT_SUSPEND_PREPARE:
    d->is_resumable = f->kind == FAULT_SUSPEND, d->state->restart_at = over;
    snd_pcm_ioplug_set_state(&d->io, SND_PCM_STATE_SUSPENDED);
    break;
  case FAULT_GONE:
    d->state->is_away = 1, d->state->restart_at = f->length ? over : 0;
    snd_pcm_ioplug_set_state(&d->io, SND_PCM_STATE_DISCONNECTED);
    break;
  case FAULT_STAND:
  case FAULT_IDLE: leave_out_until(d, over); break;
  case FAULT_ERROR: d->failing_transfers = f->length ? f->length : 1; break;
  default: break; /* a stall that is over, a short read that was short */
  }
  return 0;
}

/* Advances the pointer. Returns -EPIPE for an overrun. */
static snd_pcm_sframes_t look(snd_pcm_ioplug_t *io) {
  device *d = io->private_data;
  if (io->state != SND_PCM_STATE_RUNNING) return (snd_pcm_sframes_t)(d->shown % d->boundary);
  if (d->is_broken) return -EPIPE;
  d->shown = visible(d);
  const fault *f = own_fault(d);
  if (f && is_due(d, f)) {
    int code = strike(d, f);
    if (code < 0) return code;
    if (io->state == SND_PCM_STATE_RUNNING) d->shown = visible(d);
  }
  return (snd_pcm_sframes_t)(d->shown % d->boundary);
}

/* MARK: Waking the reader */

/* Returns the frame at which the reader has something to do. */
static uint64_t wake_frame(const device *d) {
  uint64_t wanted = frame_at(d, d->io.appl_ptr + d->avail_min);
  const fault *f = own_fault(d);
  if (!f || wanted <= f->frame) return wanted;
  if (reader(d) < f->frame || f->is_abrupt) return f->frame;
  if (f->kind == FAULT_END) return never;
  return f->kind != FAULT_IDLE && lasts(f) ? f->frame + f->length : f->frame;
}

/* Not 0, which would disarm a timer, even after libfaketime has divided it by its speed. */
static const int64_t at_once_ns = 1000;

/* Returns how long it takes until the reader has something to do; 0 for forever. A duration and not a time, because
 * libfaketime does not translate the absolute times of timers. */
static int64_t ns_to_wake(const device *d) {
  if (d->io.state != SND_PCM_STATE_RUNNING || d->is_broken) return at_once_ns;
  uint64_t frame = wake_frame(d);
  if (frame == never) return 0;
  int64_t left = d->state->start_ns + ns_of(d, frame) - now_ns();
  return left > at_once_ns ? left : at_once_ns;
}

/* Sets the alarm here, because alsa-lib asks for the descriptors before every wait. */
static int poll_descriptors(snd_pcm_ioplug_t *io, struct pollfd *fds, unsigned space) {
  device *d = io->private_data;
  if (space < 1) return 0;
  int64_t left = ns_to_wake(d);
  struct itimerspec alarm = {.it_value = {left / 1000000000, left % 1000000000}};
  timerfd_settime(d->timer, 0, &alarm, NULL);
  *fds = (struct pollfd){.fd = d->timer, .events = POLLIN};
  return 1;
}

/* Returns whether the reader is woken all the same while it waits for a frame that it is not shown. */
static bool is_idle(const device *d) {
  const fault *f = own_fault(d);
  return f && f->kind == FAULT_IDLE && reader(d) >= f->frame;
}

static int delay(snd_pcm_ioplug_t *io, snd_pcm_sframes_t *frames) {
  device *d = io->private_data;
  if (d->description.hides_delay) return -EIO;
  snd_pcm_sframes_t pointer = look(io);
  if (pointer < 0) return (int)pointer;
  *frames = (snd_pcm_sframes_t)(d->shown - io->appl_ptr);
  return 0;
}

static int poll_descriptors_count(snd_pcm_ioplug_t *io) { (void)io; return 1; }

static int poll_revents(snd_pcm_ioplug_t *io, struct pollfd *fds, unsigned count, unsigned short *revents) {
  device *d = io->private_data;
  (void)fds, (void)count;
  d->is_waiting = true;
  if (look(io) < 0) snd_pcm_ioplug_set_state(io, SND_PCM_STATE_XRUN);
  d->is_waiting = false;
  uint64_t avail = d->shown - io->appl_ptr;
  const fault *f = own_fault(d);
  bool is_held = f && avail > 0 && frame_at(d, d->shown) >= f->frame;
  if (io->state != SND_PCM_STATE_RUNNING) *revents = POLLIN | POLLERR;
  else *revents = avail >= d->avail_min || is_held || is_idle(d) ? POLLIN : 0;
  return 0;
}

/* MARK: Handing frames over */

/* Sleeps if a `sleep` lies before pointer `end`. */
static void sleep_if_told(device *d, uint64_t end) {
  const fault *f = next_fault(d);
  if (!f || f->kind != FAULT_SLEEP || frame_at(d, end) <= f->frame) return;
  d->state->next_fault++;
  int64_t ns = ns_of(d, f->length);
  struct timespec time = {ns / 1000000000, ns % 1000000000};
  while (nanosleep(&time, &time) != 0) {}
}

/* Returns the pointer of the newest frame that has overwritten the frame of `pointer` in the buffer. */
static uint64_t overwritten_by(uint64_t pointer, uint64_t newest, uint64_t buffer_size) {
  if (newest <= pointer + buffer_size) return pointer;
  uint64_t rounds = (newest - pointer - 1) / buffer_size;
  return pointer + rounds * buffer_size;
}

static snd_pcm_sframes_t transfer(
  snd_pcm_ioplug_t *io, const snd_pcm_channel_area_t *areas, snd_pcm_uframes_t offset, snd_pcm_uframes_t size) {
  device *d = io->private_data;
  if (d->failing_transfers > 0) {
    d->failing_transfers--;
    return -EIO;
  }
  sleep_if_told(d, io->appl_ptr + size);
  uint64_t newest = visible(d);
  for (snd_pcm_uframes_t i = 0; i < size; i++) {
    uint64_t frame = frame_at(d, overwritten_by(io->appl_ptr + i, newest, io->buffer_size));
    for (unsigned channel = 0; channel < io->channels; channel++) {
      const snd_pcm_channel_area_t *area = &areas[channel];
      unsigned char *to = (unsigned char *)area->addr + (area->first + area->step * (offset + i)) / 8;
      sound_write(&d->sound, frame, channel, io->format, to);
    }
  }
  d->state->position = frame_at(d, io->appl_ptr + size - 1) + 1;
  return (snd_pcm_sframes_t)size;
}

/* MARK: Starting and stopping */

static int start(snd_pcm_ioplug_t *io) {
  device *d = io->private_data;
  if (d->state->is_away) return -ENODEV;
  bool is_first = d->state->start_ns == 0;
  if (is_first) d->state->start_ns = now_ns(), d->state->rate = io->rate;
  /* The first start begins with frame 0, however long this thread was interrupted since it read the clock. */
  d->base = is_first ? 0 : d->state->restart_at ? d->state->restart_at : device_frames_made(d);
  if (!d->is_broken) d->state->restart_at = 0;
  d->state->starts++;
  return 0;
}

static int stop(snd_pcm_ioplug_t *io) {
  device *d = io->private_data;
  d->state->made = frame_at(d, d->shown);
  return 0;
}

static int prepare(snd_pcm_ioplug_t *io) {
  device *d = io->private_data;
  if (d->state->is_away) return -ENODEV;
  d->state->prepares++;
  d->shown = d->resumed_at = d->lost_asleep = 0;
  return 0;
}

/* The result never reaches the reader: alsa-lib returns 0 whatever happens. */
static int resume(snd_pcm_ioplug_t *io) {
  device *d = io->private_data;
  d->state->resumes++;
  if (!d->is_resumable) return 0;
  leave_out_until(d, d->state->restart_at);
  d->state->restart_at = 0;
  return snd_pcm_ioplug_set_state(io, SND_PCM_STATE_RUNNING);
}

static int hw_params(snd_pcm_ioplug_t *io, snd_pcm_hw_params_t *params) {
  device *d = io->private_data;
  (void)params;
  return -d->description.parameter_error;
}

static int sw_params(snd_pcm_ioplug_t *io, snd_pcm_sw_params_t *params) {
  device *d = io->private_data;
  snd_pcm_sw_params_get_avail_min(params, &d->avail_min);
  snd_pcm_sw_params_get_boundary(params, &d->boundary);
  return 0;
}

static int close_device(snd_pcm_ioplug_t *io) {
  device *d = io->private_data;
  d->state->closes++;
  if (d->state->start_ns) d->state->made = frame_at(d, d->shown);
  munmap(d->state, sizeof *d->state);
  close(d->timer);
  sound_close(&d->sound);
  free(d);
  return 0;
}

const snd_pcm_ioplug_callback_t device_callbacks = {
  .start = start, .stop = stop, .pointer = look, .transfer = transfer, .close = close_device,
  .hw_params = hw_params, .sw_params = sw_params, .prepare = prepare, .resume = resume,
  .poll_descriptors_count = poll_descriptors_count, .poll_descriptors = poll_descriptors,
  .poll_revents = poll_revents, .delay = delay};
