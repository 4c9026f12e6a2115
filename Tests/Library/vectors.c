/* Holds the network to what the training code computed: Tests/CVoiceActivityTests/Fixtures/network-vectors.txt, a step
 * a line: inputs, and the logits of each set of weights. For architectures on which the Swift tests do not run
 * (Scripts/check-library.sh).
 *
 *     vectors FILE        exits 1 if a logit is further than 1e-4 from the stored one
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "kernels.h"

static const va_weights *const sets[] = {&va_network_weights, &va_network_weights_beside_echo};

enum { SETS = sizeof sets / sizeof sets[0], INPUTS = VA_FRAME + VA_PITCH_INPUTS,
       NUMBERS = INPUTS + SETS * VA_STEP_HOPS };

/* The numbers of a line into values; false at the end of the file. Lines that begin with # are passed over. */
static bool read_step(FILE *file, float *values, size_t count) {
  int first;
  while ((first = getc(file)) == '#')
    while ((first = getc(file)) != '\n' && first != EOF) {}
  ungetc(first, file);
  for (size_t i = 0; i < count; i++)
    if (fscanf(file, "%f", &values[i]) != 1) return false;
  while ((first = getc(file)) == '\n') {}
  ungetc(first, file);
  return true;
}

int main(int count, char **arguments) {
  FILE *file = count == 2 ? fopen(arguments[1], "r") : NULL;
  if (!file) return fprintf(stderr, "usage: vectors FILE\n"), 64;
  const va_kernels *kernels = va_kernels_of(va_simd_detect());
  static va_network networks[SETS];
  float step[NUMBERS], furthest = 0;
  size_t steps = 0;
  for (; read_step(file, step, NUMBERS); steps++) {
    va_network_input input;
    for (int i = 0; i < VA_FRAME; i++) input.frame[i] = (int16_t)step[i];
    memcpy(input.pitch, step + VA_FRAME, sizeof input.pitch);
    const float *stored = step + INPUTS;
    for (int set = 0; set < SETS; set++, stored += VA_STEP_HOPS) {
      va_network *network = &networks[set];
      va_logits logits;
      kernels->network_steps(sets[set], &network, &input, &logits, 1);
      for (int hop = 0; hop < VA_STEP_HOPS; hop++) furthest = fmaxf(furthest, fabsf(logits[hop] - stored[hop]));
    }
  }
  fclose(file);
  printf("%zu steps of the network, %s: at most %.1e from the stored logits\n", steps,
         va_simd_name_of(va_simd_detect()), (double)furthest);
  return steps != 64 || !(furthest < 1e-4f);
}
