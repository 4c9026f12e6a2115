/* Holds the network to what the training code computed: Tests/CVoiceActivityTests/Fixtures/network-vectors.txt, a hop a
 * line, inputs and logit. For architectures on which the Swift tests do not run (Scripts/check-arm.sh).
 *
 *     vectors FILE        exits 1 if a logit is further than 1e-4 from the stored one
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "kernels.h"

/* The numbers of a line into values; false at the end of the file. Lines that begin with # are passed over. */
static bool read_hop(FILE *file, float *values, size_t count) {
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
  va_network network = {.next = 0}, *networks[] = {&network};
  float hop[VA_FRAME + VA_PITCH_INPUTS + 1], furthest = 0;
  size_t hops = 0;
  for (; read_hop(file, hop, VA_FRAME + VA_PITCH_INPUTS + 1); hops++) {
    va_pitch_inputs pitch;
    float logit;
    for (int i = 0; i < VA_FRAME; i++) network.frames[network.next][i] = (int16_t)hop[i];
    memcpy(pitch, hop + VA_FRAME, sizeof pitch);
    kernels->network_steps(&va_network_weights, networks, &pitch, &logit, 1);
    furthest = fmaxf(furthest, fabsf(logit - hop[VA_FRAME + VA_PITCH_INPUTS]));
  }
  fclose(file);
  printf("%zu hops of the network, %s: at most %.1e from the stored logits\n", hops,
         va_simd_name_of(va_simd_detect()), (double)furthest);
  return hops != 64 || !(furthest < 1e-4f);
}
