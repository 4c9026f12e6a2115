/* WebRTC's detector in its most aggressive mode, from the C sources of the webrtcvad-wheels package. */
#include "cost.h"

#include <stdio.h>
#include <stdlib.h>
#include <webrtc/common_audio/vad/include/webrtc_vad.h>
#include <webrtc/common_audio/vad/vad_core.h>

enum { MODE = 3 };

size_t stream_bytes(void) { return sizeof(VadInstT); }

const char *simd_body(void) { return "none"; }

size_t count_speech_hops(const int16_t *samples, size_t count) {
  VadInst *detector = NULL;
  if (WebRtcVad_Create(&detector) || WebRtcVad_Init(detector) || WebRtcVad_set_mode(detector, MODE)) {
    fprintf(stderr, "WebRTC's detector cannot be made\n");
    exit(70);
  }
  size_t speech = 0;
  for (size_t at = 0; at + HOP_SAMPLES <= count; at += HOP_SAMPLES)
    speech += WebRtcVad_Process(detector, RATE_HZ, samples + at, HOP_SAMPLES) == 1;
  WebRtcVad_Free(detector);
  return speech;
}
