/* expect.h — what the programs that test the installed libvideopause share: a check, and the layers of a camera. */
#ifndef EXPECT_H
#define EXPECT_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <video_pause.h>

static inline void expect(bool holds, const char *what, const char *file, int line) {
  if (holds) return;
  fprintf(stderr, "%s:%d: %s\n", file, line, what);
  exit(1);
}
#define EXPECT(holds) expect(holds, #holds, __FILE__, __LINE__)

static const vp_layer layers[] = {
    {.spatial = 0, .width = 320, .height = 180, .is_active = 1, .frames_per_second = 30, .bitrate_bps = 150000},
    {.spatial = 1, .width = 640, .height = 360, .is_active = 1, .frames_per_second = 30, .bitrate_bps = 500000},
    {.spatial = 2, .width = 1280, .height = 720, .is_active = 1, .frames_per_second = 30, .bitrate_bps = 1500000},
};
enum { LAYERS = sizeof layers / sizeof *layers };

#endif
