/* Runs the vector loops of the echo stage (echo_body.h) on bands that are drawn at random, and prints a hash of every
 * bit that they compute. All bodies must print the same. For architectures on which the Swift tests do not run
 * (Scripts/check-library.sh). */
#include <stdio.h>
#include <string.h>

#include "echo.h"
#include "kernels.h"

enum { STEPS = 20000 };

static uint64_t random_state = 1, hash = 0xcbf29ce484222325u; /* FNV-1a */

static void add(const void *bytes, size_t count) {
  for (size_t i = 0; i < count; i++) hash = (hash ^ ((const uint8_t *)bytes)[i]) * 0x100000001b3u;
}

/* Returns a number from 0 on, below `end`. (The multiplier and the increment are those of Knuth's MMIX.) */
static uint32_t draw(uint32_t end) {
  random_state = random_state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(random_state >> 33) % end;
}

static float level(float least) { return least + (float)draw(9000) / 100; }

int main(void) {
  const va_kernels *kernels = va_kernels_of(va_simd_detect());
  static _Alignas(VA_DETECTOR_ALIGNMENT) char memory[VA_ECHO_SIZE_MAX];
  va_echo *echo;
  if (va_echo_init(memory, sizeof memory, 16000, &echo) != VA_OK) return 70;
  size_t removed = 0;
  for (uint32_t step = 0; step < STEPS; step++) {
    float bands[VA_BANDS], floors[VA_BANDS], fits[VA_ECHO_LANES];
    int16_t changes[VA_CHANGES_ROOM];
    int32_t sums[VA_ECHO_LANES];
    uint8_t levels[VA_BANDS + VA_BYTES_SPARE] = {0};
    uint8_t *row = echo->reference.levels + VA_BANDS * (step % VA_REFERENCE_STEPS);
    uint16_t energies[VA_ECHO_LANES];
    for (int band = 0; band < VA_BANDS; band++) {
      row[band] = (uint8_t)draw(VA_BYTE_MAX + 1);
      floors[band] = level(-120);
      bands[band] = draw(3) ? level(-105) : (float)row[band] / VA_BYTES_PER_DB + VA_BYTE_LEAST_DB - (float)draw(20);
    }
    for (int lag = 0; lag < VA_ECHO_LANES; lag++)
      energies[lag] = (uint16_t)draw(VA_BANDS * VA_BYTE_CHANGE_MAX * VA_BYTE_CHANGE_MAX);
    kernels->encode_levels(bands, VA_BYTE_LEAST_DB, levels);
    float energy = (float)kernels->level_changes(levels, echo->before, changes);
    memcpy(echo->before, levels, sizeof levels);
    kernels->echo_sums(echo->reference.levels, step, changes, sums);
    float most = kernels->echo_fits(&echo->delay.slow, sums, energies, energy, 0.02f, 1, fits);
    const va_echo_rows rows = {
        .previous = echo->reference.levels + VA_BANDS * draw(VA_REFERENCE_STEPS),
        .now = row,
        .next = echo->reference.levels + VA_BANDS * draw(VA_REFERENCE_STEPS),
        .total_db = level(-80),
        .total_peak_db = 0,
        .change_db = draw(50) ? 0 : level(-45) / 4,
        .margin_db = (float)draw(30),
        .rise = draw(2) ? 1 : 0.25f,
        .extent = draw(20) ? VA_ECHO_EXPECTED : (va_echo_extent)draw(3),
    };
    va_echo_bands found = kernels->remove_echo(&echo->path, &rows, bands, floors);
    removed += (size_t)found.echo;
    add(levels, VA_BANDS), add(changes, sizeof changes), add(sums, sizeof sums), add(&energy, sizeof energy);
    add(&most, sizeof most), add(fits, sizeof fits), add(bands, sizeof bands), add(&found, sizeof found);
  }
  add(&echo->path, sizeof echo->path), add(&echo->delay.slow, sizeof echo->delay.slow);
  printf("%d steps of an echo, %zu bands removed: %016llx\n", STEPS, removed, (unsigned long long)hash);
  return removed < STEPS; /* else nothing was tried */
}
