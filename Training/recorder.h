/* recorder.h — the detector itself, with `record`, which the file that includes this defines, in place of the network.
 *
 * In hop.c the last kernel of each step is replaced. So there is no second copy of any stage: what is learned is what
 * runs. Include it once in a library, instead of hop.c.
 */
#include "kernels.h"

static const va_kernels *recording_kernels(va_simd simd);
#define va_kernels_of recording_kernels
#include "hop.c"
#undef va_kernels_of

static void record(const va_weights *weights, va_network *const *networks, const va_network_input *inputs,
                   va_logits *logits, size_t streams);

static const va_kernels *recording_kernels(va_simd simd) {
  static va_kernels kernels;
  if (!kernels.network_steps) {
    kernels = *va_kernels_of(simd);
    kernels.network_steps = record;
  }
  return &kernels;
}
