/* fft_body.h — a real transform of 512 (256) points as a complex one of 256 (128) points, laid out as a matrix of 16
 * (8) rows and 16 columns.
 *
 * With N = 16·R points, n = 16·n1 + n2 and k = k1 + R·k2 (Cooley and Tukey 1965):
 *
 *   X[k1 + R·k2] = sum_n2  W16^(n2·k2) · WN^(n2·k1) · ( sum_n1  WR^(n1·k1) · x[16·n1 + n2] )
 *
 * The inner sums are 16 transforms of length R down the columns. The columns are contiguous and fill the vector lanes,
 * so nothing is shuffled. The result is multiplied by the twiddle factors and transposed, and R transforms of length 16
 * leave it in natural order. W_N = exp(-2πi/N). No scaling. The error against a DFT in double precision is below 1e-6
 * of the peak.
 */
#include "simd.h"
#include "tables.h"

typedef struct va_complex256 {
  _Alignas(64) float re[256], im[256]; /* no vector crosses two cache lines */
} va_complex256;

/* Transforms the 4 points a, b, c, d in place. With 16 lanes, 16 points fill the 32 registers: the empty statement
 * keeps compilers from mixing several of these transforms, which needs twice as many. */
VA_INLINE void va_fft4(va_vec *ar, va_vec *ai, va_vec *br, va_vec *bi, va_vec *cr, va_vec *ci, va_vec *dr,
                       va_vec *di) {
  va_vec s0r = *ar + *cr, s0i = *ai + *ci, s1r = *ar - *cr, s1i = *ai - *ci;
  va_vec s2r = *br + *dr, s2i = *bi + *di, s3r = *br - *dr, s3i = *bi - *di;
  *ar = s0r + s2r, *ai = s0i + s2i;
  *br = s1r + s3i, *bi = s1i - s3r; /* s1 - i·s3 */
  *cr = s0r - s2r, *ci = s0i - s2i;
  *dr = s1r - s3i, *di = s1i + s3r;
#if VA_LANES == 16
  __asm__ volatile("" : "+v"(*ar), "+v"(*ai), "+v"(*br), "+v"(*bi), "+v"(*cr), "+v"(*ci), "+v"(*dr), "+v"(*di));
#endif
}

/* (r, i) *= c + i·s */
VA_INLINE void va_rotate(va_vec *r, va_vec *i, float c, float s) {
  va_vec t = *r * c - *i * s;
  *i = *r * s + *i * c;
  *r = t;
}

/* (r, i) *= W16^2 = (1 - i)/√2, and *= W16^6 = -(1 + i)/√2 */
VA_INLINE void va_rotate_2(va_vec *r, va_vec *i) {
  va_vec t = (*r + *i) * 0.70710678118654752f;
  *i = (*i - *r) * 0.70710678118654752f;
  *r = t;
}
VA_INLINE void va_rotate_6(va_vec *r, va_vec *i) {
  va_vec t = (*i - *r) * 0.70710678118654752f;
  *i = (*i + *r) * -0.70710678118654752f;
  *r = t;
}

/* The last part of a transform of 16 points as 4 × 4, after va_fft4 of every fourth of them: the twiddle factors
 * W16^(a·b), and va_fft4 of every four in a row. Output a + 4·b ends up at 4·a + b. */
VA_INLINE void va_fft16_last(va_vec *r, va_vec *i) {
  const float c1 = 0.92387953251128674f, s1 = 0.38268343236508977f; /* cos, sin of 2π/16 */
  va_rotate(&r[5], &i[5], c1, -s1);
  va_rotate_2(&r[6], &i[6]);
  va_rotate(&r[7], &i[7], s1, -c1);
  va_rotate_2(&r[9], &i[9]);
  va_vec t = r[10]; /* W16^4 = -i */
  r[10] = i[10], i[10] = -t;
  va_rotate_6(&r[11], &i[11]);
  va_rotate(&r[13], &i[13], s1, -c1);
  va_rotate_6(&r[14], &i[14]);
  va_rotate(&r[15], &i[15], -c1, s1);
  VA_UNROLL
  for (int n = 0; n < 16; n += 4)
    va_fft4(&r[n], &i[n], &r[n + 1], &i[n + 1], &r[n + 2], &i[n + 2], &r[n + 3], &i[n + 3]);
}

/* The last part of one of 8 points as 2 × 4, after va_fft4 of every second of them. Output a + 4·b ends up at 2·a +
 * b. */
VA_INLINE void va_fft8_last(va_vec *r, va_vec *i) {
  va_rotate_2(&r[3], &i[3]); /* W8 = W16^2 */
  va_vec t = r[5];           /* W8^2 = -i */
  r[5] = i[5], i[5] = -t;
  va_rotate_6(&r[7], &i[7]);
  VA_UNROLL
  for (int n = 0; n < 8; n += 2) {
    va_vec sum_r = r[n] + r[n + 1], sum_i = i[n] + i[n + 1];
    r[n + 1] = r[n] - r[n + 1], i[n + 1] = i[n] - i[n + 1];
    r[n] = sum_r, i[n] = sum_i;
  }
}

/* Where va_fft16_last and va_fft8_last put output k. */
VA_INLINE int va_place_of(int k, int rows) { return rows / 4 * (k % 4) + k / 4; }

/* Stores the outputs of the columns transposed: row k1, lane n2 of v becomes row n2, column k1 of m. */
VA_INLINE void va_store_transposed(const va_vec *v, int rows, float *m) {
  VA_UNROLL
  for (int block = 0; block < rows; block += VA_LANES) {
    va_vec t[VA_LANES];
    VA_UNROLL
    for (int row = 0; row < VA_LANES; row++) t[row] = v[va_place_of(block + row, rows)];
    va_transpose(t);
    VA_UNROLL
    for (int row = 0; row < VA_LANES; row++) va_store(m + rows * row + block, t[row]);
  }
}

/* What is transformed: samples in rows of 32, of which the even ones are real parts and the odd ones imaginary
 * parts. */
typedef struct va_windowed {
  const int16_t *past; /* the first rows, in units of `unit` */
  float unit;
  int past_rows;
  const float *step; /* the other rows */
  const float *window;
} va_windowed;

/* Multiplies VA_LANES points of a row by the window. */
VA_INLINE void va_load_windowed(const va_windowed *x, int row, int column, va_vec *re, va_vec *im) {
  const int at = 32 * row + 2 * column, at_step = at - 32 * x->past_rows;
  const bool is_past = row < x->past_rows;
  va_vec a = is_past ? va_load_16(x->past + at) * x->unit : va_load(x->step + at_step);
  va_vec b = is_past ? va_load_16(x->past + at + VA_LANES) * x->unit : va_load(x->step + at_step + VA_LANES);
  a *= va_load(x->window + at);
  b *= va_load(x->window + at + VA_LANES);
  *re = va_evens(a, b), *im = va_odds(a, b);
}

/* The first pass: transforms VA_LANES columns of x, applies the twiddle factors, and stores them as rows of `out`. The
 * factors of 8 rows are those of every second one of 16. Rows are loaded where they are used first, for the registers
 * hold no more than they need. */
VA_INLINE void va_fft_columns(const va_windowed *x, int rows, int column, va_complex256 *out) {
  va_vec r[16], i[16];
  VA_UNROLL
  for (int n = 0; n < rows / 4; n++) {
    int a = n, b = n + rows / 4, c = n + rows / 2, d = n + 3 * rows / 4;
    va_load_windowed(x, a, column, &r[a], &i[a]);
    va_load_windowed(x, c, column, &r[c], &i[c]);
    va_load_windowed(x, b, column, &r[b], &i[b]);
    va_load_windowed(x, d, column, &r[d], &i[d]);
    va_fft4(&r[a], &i[a], &r[b], &i[b], &r[c], &i[c], &r[d], &i[d]);
  }
  if (rows == 16) va_fft16_last(r, i);
  else va_fft8_last(r, i);
  VA_UNROLL
  for (int k = 1; k < rows; k++) { /* the factors of row 0 are 1 */
    int at = va_place_of(k, rows), factors = 16 * (16 / rows * k) + column;
    va_vec c = va_load_aligned(va_fft_twiddle_cos + factors), s = va_load_aligned(va_fft_twiddle_sin + factors);
    va_vec t = r[at] * c - i[at] * s;
    i[at] = r[at] * s + i[at] * c;
    r[at] = t;
  }
  va_store_transposed(r, rows, out->re + rows * column);
  va_store_transposed(i, rows, out->im + rows * column);
}

/* Transforms the first 16 · rows points of x. rows: 16, or 8 with at most 8 lanes. The second pass works in place. */
VA_INLINE void va_fft(const va_windowed *x, int rows, va_complex256 *z) {
  for (int column = 0; column < 16; column += VA_LANES) va_fft_columns(x, rows, column, z);
  for (int column = 0; column < rows; column += VA_LANES) {
    va_vec r[16], i[16];
    VA_UNROLL
    for (int n = 0; n < 4; n++) {
      VA_UNROLL
      for (int at = n; at < 16; at += 4)
        r[at] = va_load_aligned(z->re + rows * at + column), i[at] = va_load_aligned(z->im + rows * at + column);
      va_fft4(&r[n], &i[n], &r[n + 4], &i[n + 4], &r[n + 8], &i[n + 8], &r[n + 12], &i[n + 12]);
    }
    va_fft16_last(r, i);
    VA_UNROLL
    for (int k = 0; k < 16; k++) {
      va_store(z->re + rows * k + column, r[va_place_of(k, 16)]);
      va_store(z->im + rows * k + column, i[va_place_of(k, 16)]);
    }
  }
}

/* The factors W^k of va_real_powers: of 256 points, or every second one of them. */
VA_INLINE va_vec va_split_factors(const float *table, int points, int k) {
  if (points == 256) return va_load_aligned(table + k);
  return va_evens(va_load_aligned(table + 2 * k), va_load_aligned(table + 2 * k + VA_LANES));
}

/* Computes the powers of bins k … k + VA_LANES - 1 (low) and N - k … N - k - VA_LANES + 1 (high) of the real signal
 * whose N even samples were the real parts of z and whose odd samples were the imaginary parts. points: N, 256 or 128.
 * k is a multiple of VA_LANES below N / 2. above_r, above_i: the vector of z at N - k, where Z[N] is Z[0]; they become
 * the one before it.
 *   X[k] = E + W^k · O,  X[N-k] = conj(E - W^k · O),  W = exp(-2πi / 2N),
 *   E = (Z[k] + conj Z[N-k]) / 2,  O = (Z[k] - conj Z[N-k]) / 2i. */
VA_INLINE void va_real_powers(const va_complex256 *z, int points, int k, va_vec *above_r, va_vec *above_i, va_vec *low,
                              va_vec *high) {
  va_vec ar = va_load_aligned(z->re + k), ai = va_load_aligned(z->im + k);
  va_vec below_r = va_load_aligned(z->re + points - k - VA_LANES);
  va_vec below_i = va_load_aligned(z->im + points - k - VA_LANES);
  va_vec br = va_mirrored(*above_r, below_r), bi = va_mirrored(*above_i, below_i);
  *above_r = below_r, *above_i = below_i;
  va_vec er = ar + br, ei = ai - bi, odd_r = ai + bi, odd_i = br - ar; /* twice E and O */
  va_vec c = va_split_factors(va_fft_split_cos, points, k), s = va_split_factors(va_fft_split_sin, points, k);
  va_vec tr = odd_r * c - odd_i * s, ti = odd_r * s + odd_i * c;
  va_vec lr = er + tr, li = ei + ti, hr = er - tr, hi = ei - ti;
  *low = (lr * lr + li * li) * 0.25f;
  *high = (hr * hr + hi * hi) * 0.25f;
}
