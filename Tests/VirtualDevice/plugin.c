/* plugin.c — opens the virtual capture device for alsa-lib: pcm.NAME { type virtual file "DEVICE FILE" }. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "device.h"

/* Maps the state file beside the device file. */
static virtual_device_state *map_state(const char *path) {
  char name[PATH_MAX];
  if ((size_t)snprintf(name, sizeof name, "%s.state", path) >= sizeof name) return NULL;
  int file = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0) return NULL;
  void *map = MAP_FAILED;
  if (ftruncate(file, sizeof(virtual_device_state)) == 0)
    map = mmap(NULL, sizeof(virtual_device_state), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  return map == MAP_FAILED ? NULL : map;
}

/* Returns 0, or the negative errno with which opening fails now. */
static int refusal(device *d) {
  virtual_device_state *s = d->state;
  const description *about = &d->description;
  if (s->is_away) {
    bool is_back = s->restart_at && device_frames_made(d) >= s->restart_at;
    if (!is_back) return -ENODEV;
    s->is_away = 0;
  }
  if (about->open_error == 0) return 0;
  return about->open_error_count == 0 || s->refusals < about->open_error_count ? -about->open_error : 0;
}

static int offer(device *d) {
  static const unsigned accesses[] = {
    SND_PCM_ACCESS_RW_INTERLEAVED, SND_PCM_ACCESS_RW_NONINTERLEAVED, SND_PCM_ACCESS_MMAP_INTERLEAVED,
    SND_PCM_ACCESS_MMAP_NONINTERLEAVED};
  const description *a = &d->description;
  snd_pcm_ioplug_t *io = &d->io;
  int code = snd_pcm_ioplug_set_param_list(io, SND_PCM_IOPLUG_HW_ACCESS, 4, accesses);
  if (code >= 0) code = snd_pcm_ioplug_set_param_list(io, SND_PCM_IOPLUG_HW_FORMAT, a->format_count, a->formats);
  if (code >= 0)
    code = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_CHANNELS, a->channels[0], a->channels[1]);
  if (code >= 0) code = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_RATE, a->rates[0], a->rates[1]);
  if (code >= 0) code = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_PERIOD_BYTES, 32, 1 << 22);
  if (code >= 0) code = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_PERIODS, 2, 1024);
  return code;
}

static int create(device *d, const char *name, snd_pcm_stream_t stream, int mode) {
  d->io = (snd_pcm_ioplug_t){
    .version = SND_PCM_IOPLUG_VERSION, .name = "virtual capture device", .callback = &device_callbacks,
    .private_data = d,
    .flags = SND_PCM_IOPLUG_FLAG_MONOTONIC | SND_PCM_IOPLUG_FLAG_BOUNDARY_WA, .poll_fd = -1, .poll_events = POLLIN};
  return snd_pcm_ioplug_create(&d->io, name, stream, mode);
}

/* Frees what was allocated before `create` succeeded. */
static int fail(device *d, int code) {
  if (d->state) munmap(d->state, sizeof *d->state);
  if (d->timer > 0) close(d->timer);
  sound_close(&d->sound);
  free(d);
  return code;
}

static int open_device(snd_pcm_t **pcm, const char *name, const char *path, snd_pcm_stream_t stream, int mode) {
  device *d = calloc(1, sizeof *d);
  if (!d) return -ENOMEM;
  d->boundary = LONG_MAX;
  int code = description_read(&d->description, path);
  if (code < 0) return fail(d, code);
  d->state = map_state(path);
  if (!d->state) return fail(d, -ENOMEM);
  code = refusal(d);
  if (code < 0) {
    d->state->refusals++;
    return fail(d, code);
  }
  code = sound_open(&d->sound, d->description.sound, d->description.is_looped);
  if (code < 0) return fail(d, code);
  d->timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
  if (d->timer < 0) return fail(d, -errno);
  code = create(d, name, stream, mode);
  if (code < 0) return fail(d, code);
  d->state->opens++;
  code = offer(d);
  if (code < 0) snd_pcm_ioplug_delete(&d->io);
  else *pcm = d->io.pcm;
  return code;
}

SND_PCM_PLUGIN_DEFINE_FUNC(virtual) {
  const char *path = NULL;
  snd_config_iterator_t i, next;
  (void)root;
  snd_config_for_each(i, next, conf) {
    snd_config_t *entry = snd_config_iterator_entry(i);
    const char *key;
    if (snd_config_get_id(entry, &key) == 0 && strcmp(key, "file") == 0) snd_config_get_string(entry, &path);
  }
  if (!path || stream != SND_PCM_STREAM_CAPTURE) return -EINVAL;
  return open_device(pcmp, name, path, stream, mode);
}
SND_PCM_PLUGIN_SYMBOL(virtual);
