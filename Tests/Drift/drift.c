/* drift.c — proves that a day of sound leaves a detector as good as new, and that a new one needs half a second.
 *
 *   drift day NAME…     24 h of sound, and after each stretch of it: does the detector still decide as a new one?
 *   drift warm NAME     cold starts in noise: does it decide as one that knew the noise? Does it raise alarms?
 *
 * NAME.f32 is a recording (raw 32-bit floats, 16 kHz, mono), NAME.txt its labels; the first must hold speech in quiet.
 * Built and run by Scripts/check-library.sh.
 */
#include "drift.h"

#include <stdio.h>
#include <string.h>

int fail(const char *what) {
  fprintf(stderr, "drift: %s\n", what);
  return 1;
}

int main(int argc, char **argv) {
  const char *proof = argc > 2 ? argv[1] : "";
  bool is_day = strcmp(proof, "day") == 0, is_warm = strcmp(proof, "warm") == 0;
  if (!is_day && !is_warm) return fail("usage: drift day|warm NAME…"), 64;
  recordings all = {.each = allocate((size_t)argc * sizeof(recording)), .count = (size_t)argc - 2};
  for (size_t i = 0; i < all.count; i++) {
    all.each[i] = read_recording(argv[i + 2]);
    all.hops += all.each[i].count / HOP;
  }
  if (is_day) return prove_no_drift(&all);
  int cold = prove_warm(&all.each[0]), alarmed = prove_no_alarms();
  return cold || alarmed;
}
