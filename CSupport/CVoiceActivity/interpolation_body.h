/* interpolation_body.h — outputs between the input samples: what is behind `interpolate` and `blend` of kernels.h, for
 * 4 or 8 lanes.
 *
 * VA_LANES outputs are made at a time. Each has a window and a row of its own, so that the lanes of a product belong to
 * different taps; the sums of all outputs are added up together.
 */
#if VA_LANES == 4
#define VA_COUNTED {0, 1, 2, 3}
#define VA_LOWER_HALVES 0, 1, 4, 5
#define VA_UPPER_HALVES 2, 3, 6, 7
#else
#define VA_COUNTED {0, 1, 2, 3, 4, 5, 6, 7}
#define VA_LOWER_HALVES 0, 1, 2, 3, 8, 9, 10, 11
#define VA_UPPER_HALVES 4, 5, 6, 7, 12, 13, 14, 15
#endif

VA_INLINE va_lanes_i va_truncated(va_vec x) { return __builtin_convertvector(x, va_lanes_i); }
VA_INLINE va_vec va_whole(va_vec x) { return __builtin_convertvector(va_truncated(x), va_vec); }

/* Writes indices of 0 and more. */
VA_INLINE void va_store_indices(uint32_t *indices, va_vec x) {
  va_lanes_i whole = va_truncated(x);
  memcpy(indices, &whole, sizeof whole);
}

VA_INLINE va_vec va_products(const float *x, const float *row, size_t taps) {
  va_vec sum = va_load(x) * va_load(row);
  VA_UNROLL
  for (size_t i = VA_LANES; i < taps; i += VA_LANES) sum += va_load(x + i) * va_load(row + i);
  return sum;
}

/* Makes VA_LANES outputs from a row for each. */
VA_INLINE va_vec va_filtered(const float *x, const uint32_t *windows, const float *bank, const uint32_t *rows,
                             size_t taps) {
  va_vec sums[VA_LANES];
  VA_UNROLL
  for (int lane = 0; lane < VA_LANES; lane++) sums[lane] = va_products(x + windows[lane], bank + rows[lane], taps);
  return va_sums(sums);
}

/* Likewise, but each output is blended from two rows: with one, and `parts` of the difference to the next. */
VA_INLINE va_vec va_blended(const float *x, const uint32_t *windows, const float *bank, const uint32_t *rows,
                            size_t taps, va_vec parts) {
  va_vec both[2]; /* half of the outputs each: with their rows, then with the next ones */
  VA_UNROLL
  for (int half = 0; half < 2; half++) {
    va_vec sums[VA_LANES];
    VA_UNROLL
    for (int i = 0; i < VA_LANES / 2; i++) {
      int lane = half * VA_LANES / 2 + i;
      const float *window = x + windows[lane], *row = bank + rows[lane];
      sums[i] = va_products(window, row, taps);
      sums[i + VA_LANES / 2] = va_products(window, row + taps, taps);
    }
    both[half] = va_sums(sums);
  }
  va_vec below = __builtin_shufflevector(both[0], both[1], VA_LOWER_HALVES);
  va_vec above = __builtin_shufflevector(both[0], both[1], VA_UPPER_HALVES);
  return below + (above - below) * parts;
}

/* The times of VA_LANES outputs, times the divisor, without the whole samples by which the input has moved on. With
 * every group, the rest grows by less than the divisor. For 161 outputs it stays below 4 million, so floats have it
 * exactly. The whole part of a quotient is exact, too: it is 50 at most, so its error is below 50 / 2^23, which is less
 * than half of 1 / VA_TIME_DIVISOR_MAX. Therefore nothing depends on where a call begins. */
typedef struct va_clock {
  va_vec time;
  float divisor, per, rest;
  size_t moved; /* samples of the input from one group to the next */
} va_clock;

VA_INLINE va_clock va_clock_at(va_times times) {
  return (va_clock){
      .time = (float)times.phase + (va_vec)VA_COUNTED * (float)times.step,
      .divisor = (float)times.divisor,
      .per = 1 / (float)times.divisor,
      .rest = (float)(VA_LANES * times.step % times.divisor),
      .moved = VA_LANES * times.step / times.divisor,
  };
}

/* Lanes beyond the last output repeat it, so that nothing is read beyond its window. */
VA_INLINE void va_clock_limit(va_clock *clock, size_t left, uint32_t step) {
  if (left < VA_LANES)
    clock->time = va_min(clock->time, va_splat(clock->time[0] + (float)((uint32_t)(left - 1) * step)));
}

/* The sample of the input before each time, and how far behind it that is, times the divisor. */
VA_INLINE va_vec va_clock_sample(const va_clock *clock) {
  return va_whole(clock->time * clock->per + 0.5f * clock->per);
}
VA_INLINE va_vec va_clock_part(const va_clock *clock, va_vec sample) { return clock->time - sample * clock->divisor; }

VA_INLINE void va_interpolate(const float *x, const float *bank, size_t phases, va_times times, float *out,
                              size_t outputs, size_t taps, bool blends) {
  va_clock clock = va_clock_at(times);
  const float scale = (float)phases / clock.divisor;
  for (size_t m = 0; m < outputs; m += VA_LANES, x += clock.moved, clock.time += clock.rest) {
    const size_t left = outputs - m;
    va_clock_limit(&clock, left, times.step);
    va_vec sample = va_clock_sample(&clock), place = va_clock_part(&clock, sample) * scale, row = va_whole(place);
    uint32_t windows[VA_LANES], rows[VA_LANES];
    va_store_indices(windows, sample);
    va_store_indices(rows, row * (float)taps);
    va_vec some = blends ? va_blended(x, windows, bank, rows, taps, place - row)
                         : va_filtered(x, windows, bank, rows, taps);
    if (left >= VA_LANES) {
      va_store(out + m, some);
    } else {
      float last[VA_LANES];
      va_store(last, some);
      memcpy(out + m, last, left * sizeof(float));
    }
  }
}

static void va_interpolate_block(const float *x, const float *bank, size_t phases, va_times times, float *out,
                                 size_t outputs) {
  va_interpolate(x, bank, phases, times, out, outputs, VA_BLOCK_TAPS, true);
}

void VA_NARROW_NAME(va_interpolate_of)(const float *x, const va_bank *bank, va_times times, float *out,
                                       size_t outputs) {
  if (bank->taps == VA_BANK_TAPS_44K) {
    va_interpolate(x, bank->rows, bank->phases, times, out, outputs, VA_BANK_TAPS_44K, false);
    return;
  }
  va_interpolate_block(x, bank->rows, bank->phases, times, out, outputs);
  if (bank->taps == VA_BLOCK_TAPS) return;
  float more[VA_HOP + 1];
  const float *block = bank->rows + (bank->phases + 1) * VA_BLOCK_TAPS;
  va_interpolate_block(x + VA_BLOCK_TAPS, block, bank->phases, times, more, outputs);
  for (size_t m = 0; m < outputs; m++) out[m] += more[m];
}

VA_INLINE va_vec va_gathered(const float *x, va_lanes_i indices) {
#if VA_LANES == 8
  return (va_vec)_mm256_i32gather_ps(x, (__m256i)indices, sizeof *x);
#else
  return (va_vec){x[indices[0]], x[indices[1]], x[indices[2]], x[indices[3]]};
#endif
}

VA_INLINE void va_blend_over(const float *x, va_times times, int reach, float *out, size_t outputs) {
  va_clock clock = va_clock_at(times);
  for (size_t m = 0; m < outputs; m += VA_LANES, x += clock.moved, clock.time += clock.rest) {
    va_clock_limit(&clock, outputs - m, times.step);
    const va_vec sample = va_clock_sample(&clock), part = va_clock_part(&clock, sample) * clock.per;
    const va_lanes_i at = va_truncated(sample);
    va_vec first = va_gathered(x, at), sum = first;
    VA_UNROLL
    for (int i = 1; i < reach; i++) sum += va_gathered(x + i, at);
    va_store(out + m, (sum + (va_gathered(x + reach, at) - first) * part) * (1.0f / (float)reach));
  }
}

void VA_NARROW_NAME(va_blend_of)(const float *x, va_times times, int reach, float *out, size_t outputs) {
  if (reach == 1) va_blend_over(x, times, 1, out, outputs);
  else if (reach == 2) va_blend_over(x, times, 2, out, outputs);
  else va_blend_over(x, times, 3, out, outputs);
}
