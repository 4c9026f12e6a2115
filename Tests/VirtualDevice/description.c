#include "description.h"

#include <alsa/asoundlib.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

static const char *const fault_names[] = {
  [FAULT_OVERRUN] = "overrun", [FAULT_SUSPEND] = "suspend", [FAULT_SUSPEND_PREPARE] = "suspend-prepare",
  [FAULT_BROKEN] = "broken",   [FAULT_GONE] = "gone",       [FAULT_STALL] = "stall",
  [FAULT_STAND] = "stand",     [FAULT_IDLE] = "idle",
  [FAULT_SHORT] = "short",     [FAULT_ERROR] = "error",     [FAULT_SLEEP] = "sleep",
  [FAULT_END] = "end"};

static const struct {
  const char *name;
  int value;
} errors[] = {{"EBUSY", EBUSY}, {"EACCES", EACCES}, {"ENODEV", ENODEV}, {"ENOENT", ENOENT}, {"EIO", EIO},
              {"ECONNREFUSED", ECONNREFUSED}, {"EHOSTDOWN", EHOSTDOWN}};

static int error_named(const char *name) {
  for (unsigned i = 0; i < sizeof errors / sizeof *errors; i++)
    if (strcmp(errors[i].name, name) == 0) return errors[i].value;
  return 0;
}

/* Reads a fault line: "FRAME FAULT [L] [abrupt]". */
static bool read_fault(description *d, const char *text) {
  unsigned long long frame, length = 0;
  char name[32], last[8] = "";
  int count = sscanf(text, "%llu %31s %llu %7s", &frame, name, &length, last);
  if (count == 2) sscanf(text, "%*u %*s %7s", last);
  if (count < 2 || d->fault_count == sizeof d->faults / sizeof *d->faults) return false;
  for (unsigned kind = 0; kind < sizeof fault_names / sizeof *fault_names; kind++) {
    if (strcmp(fault_names[kind], name) != 0) continue;
    d->faults[d->fault_count++] = (fault){frame, kind, length, strcmp(last, "abrupt") == 0};
    return true;
  }
  return false;
}

/* Reads one or two numbers; a single one is both ends of the range. */
static bool read_range(unsigned range[2], const char *text) {
  int count = sscanf(text, "%u %u", &range[0], &range[1]);
  if (count == 1) range[1] = range[0];
  return count >= 1;
}

static bool read_format(description *d, const char *text) {
  char name[32];
  if (sscanf(text, "%31s", name) != 1) return false;
  snd_pcm_format_t format = snd_pcm_format_value(name);
  if (format == SND_PCM_FORMAT_UNKNOWN || d->format_count == 8) return false;
  d->formats[d->format_count++] = (unsigned)format;
  return true;
}

static bool read_refusal(description *d, const char *text) {
  char name[16];
  if (sscanf(text, "%15s %u", name, &d->open_error_count) < 1) return false;
  return (d->open_error = error_named(name)) != 0;
}

static bool read_setting(description *d, const char *key, const char *text) {
  char name[16];
  if (strcmp(key, "rate") == 0) return read_range(d->rates, text);
  if (strcmp(key, "channels") == 0) return read_range(d->channels, text);
  if (strcmp(key, "format") == 0) return read_format(d, text);
  if (strcmp(key, "sound") == 0) return sscanf(text, " %511[^\n]", d->sound) == 1;
  if (strcmp(key, "loop") == 0) return (d->is_looped = sscanf(text, " %511[^\n]", d->sound) == 1);
  if (strcmp(key, "refuse") == 0) return read_refusal(d, text);
  if (strcmp(key, "refuse-parameters") == 0)
    return sscanf(text, "%15s", name) == 1 && (d->parameter_error = error_named(name)) != 0;
  if (strcmp(key, "keep") == 0) {
    sscanf(text, "%u", &d->spare);
    return (d->keeps = true);
  }
  if (strcmp(key, "no-delay") == 0) return (d->hides_delay = true);
  if (strcmp(key, "at") == 0) return read_fault(d, text);
  return false;
}

int description_read(description *d, const char *path) {
  *d = (description){.rates = {16000, 16000}, .channels = {1, 1}, .sound = "ramp"};
  FILE *file = fopen(path, "r");
  if (!file) return -errno;
  char line[1024], key[32];
  int used, code = 0;
  while (code == 0 && fgets(line, sizeof line, file)) {
    line[strcspn(line, "#")] = 0;
    if (sscanf(line, "%31s%n", key, &used) == 1 && !read_setting(d, key, line + used)) {
      SNDERR("%s: not understood: %s", path, line);
      code = -EINVAL;
    }
  }
  fclose(file);
  if (d->format_count == 0) d->formats[d->format_count++] = SND_PCM_FORMAT_S16_LE;
  return code;
}
