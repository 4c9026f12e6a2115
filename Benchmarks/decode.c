/* Decodes a recording and does nothing with it: what Benchmarks/speed.py holds `vadmon analyze` against.
 *
 *     decode FILE
 */
#include <sndfile.h>
#include <stdio.h>

enum { FRAMES = 4096 };

int main(int count, char **arguments) {
  SF_INFO info = {0};
  SNDFILE *file = count == 2 ? sf_open(arguments[1], SFM_READ, &info) : NULL;
  if (!file || info.channels != 1) return fprintf(stderr, "decode takes one mono recording\n"), 66;
  static float block[FRAMES];
  while (sf_readf_float(file, block, FRAMES) > 0) {}
  return sf_close(file);
}
