/* smoother.h — a second look at a detector's posteriors, from both sides: a fixed-lag smoother.
 *
 *   posterior ──logit──► 5 steps ──► VA_SMOOTHER_LAYERS of 3 taps, 1, 2, 4, 8 … steps apart ──► logit ──► hysteresis
 *
 * Dilated convolutions (van den Oord et al., "WaveNet", 2016), centred on the step that they decide and added to what
 * they see (He et al., CVPR 2016). Everything is as far in the past as in the future, so that the whole decides a step
 * when VA_SMOOTHER_DELAY later ones are known. Training/smooth.py makes the weights.
 */
#ifndef VA_SMOOTHER_H
#define VA_SMOOTHER_H

#include "geometry.h"
#include "hysteresis.h"
#include "voice_activity.h"

#define VA_SMOOTHER_CHANNELS 8
#define VA_SMOOTHER_LAYERS 5
#define VA_SMOOTHER_TAPS 5 /* of the first layer */

/* How far the outer taps of a layer are from the middle one, in steps. */
#define VA_SMOOTHER_DILATION(layer) (1 << (layer))

/* Steps that the decision of a step waits for. */
#define VA_SMOOTHER_DELAY (VA_SMOOTHER_TAPS / 2 + VA_SMOOTHER_DILATION(VA_SMOOTHER_LAYERS) - 1)
_Static_assert(((VA_SMOOTHER_DELAY + 1) * VA_STEP_HOPS - 1) * VA_HOP_MS == VA_SMOOTHER_DELAY_MS,
               "the first hop of a step");

typedef struct va_smoother_weights {
  float first[VA_SMOOTHER_TAPS][VA_STEP_HOPS][VA_SMOOTHER_CHANNELS];
  float first_bias[VA_SMOOTHER_CHANNELS];
  float layer[VA_SMOOTHER_LAYERS][3][VA_SMOOTHER_CHANNELS][VA_SMOOTHER_CHANNELS];
  float layer_bias[VA_SMOOTHER_LAYERS][VA_SMOOTHER_CHANNELS];
  float last[VA_SMOOTHER_CHANNELS][VA_STEP_HOPS];
  float last_bias[VA_STEP_HOPS];
  float direct; /* what the logit itself weighs */
} va_smoother_weights;

extern const va_smoother_weights va_smoother_network;

/* Steps that are kept of each layer's input: a power of 2 above twice the largest distance. */
#define VA_SMOOTHER_KEPT 64
_Static_assert(VA_SMOOTHER_KEPT > 2 * VA_SMOOTHER_DILATION(VA_SMOOTHER_LAYERS - 1), "the taps find what they need");
_Static_assert(VA_SMOOTHER_KEPT > VA_SMOOTHER_DELAY, "a step is kept until it is decided");

struct va_smoother {
  uint32_t rate_hz;
  va_hysteresis hysteresis;
  size_t next_hop, next_event; /* where the results that are being read go on */
  uint64_t first;              /* the number of the first hop */
  uint64_t taken, released;    /* hops */
  uint64_t steps;              /* that the network has seen, those of silence before the stream among them */
  uint32_t newest;             /* hops of the newest step so far */
  bool has_ended;
  float newest_logit;
  float logits[VA_SMOOTHER_KEPT][VA_STEP_HOPS], posteriors[VA_SMOOTHER_KEPT][VA_STEP_HOPS];
  float inputs[VA_SMOOTHER_LAYERS][VA_SMOOTHER_KEPT][VA_SMOOTHER_CHANNELS]; /* of each layer */
  va_hop hops[VA_SMOOTHER_KEPT * VA_STEP_HOPS]; /* those taken and not released */
};

#endif
