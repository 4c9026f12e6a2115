/* description.h — the parsed device file. */
#ifndef DESCRIPTION_H
#define DESCRIPTION_H

#include <stdbool.h>
#include <stdint.h>

typedef enum {
  FAULT_OVERRUN, FAULT_SUSPEND, FAULT_SUSPEND_PREPARE, FAULT_BROKEN, FAULT_GONE,
  FAULT_STALL, FAULT_STAND, FAULT_IDLE, FAULT_SHORT, FAULT_ERROR, FAULT_SLEEP, FAULT_END
} fault_kind;

typedef struct {
  uint64_t frame;
  fault_kind kind;
  uint64_t length; /* frames */
  bool is_abrupt;
} fault;

typedef struct {
  unsigned rates[2], channels[2]; /* from, to */
  unsigned formats[8], format_count; /* snd_pcm_format_t */
  char sound[512];
  bool is_looped, keeps, hides_delay;
  unsigned spare; /* the frames of the buffer that a device that keeps never fills */
  int open_error; /* errno or 0 */
  unsigned open_error_count; /* 0: always */
  int parameter_error;
  fault faults[1024]; /* enough for one every two minutes over a day and a half */
  unsigned fault_count;
} description;

/* Reads a device file. Returns 0, or a negative errno after a message that names the line. */
int description_read(description *d, const char *path);

#endif
