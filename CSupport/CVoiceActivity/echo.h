/* echo.h — takes what comes from a loudspeaker out of what the network sees.
 *
 *   reference ── reference.c ──► levels of its bands, a row for each step ──┐
 *   the microphone's bands ── changes ── echo_delay.c ──► the delay ────────┤
 *                         ├── echo_body.h: the echo to expect ◄─────────────┘
 *                         │     └──► bands that are not above it become silent
 *                         └── by how much all bands miss it ──┬── echo_gain.c ──► the gain has changed
 *                                                             └── echo_tail.c ──► how loud the room rings on
 *
 * The reference goes through the window, the spectrum and the bands of the microphone. The delay is where the changes
 * of both agree best. Two gains per band predict the echo: `own` over the same band of the reference, and `spill` over
 * all of the reference, for what a loudspeaker's distortion puts where the reference has nothing. Only the network's
 * frame sees the result: the noise floor, the loudness, the pitch and the levels stay those of the microphone. While
 * bands are taken out, and for a second after it, the network runs with weights that were trained on such frames
 * (network.h).
 *
 * Every SIMD body computes the same bits from the same bands: sums of many numbers are sums of integers, and no product
 * is contracted with a sum.
 */
#ifndef VA_ECHO_H
#define VA_ECHO_H

#include "cpu.h"
#include "echo_delay.h"
#include "echo_gain.h"
#include "echo_tail.h"
#include "reference.h"
#include "voice_activity.h"

/* What the network remembers is of the last second: 50 steps. */
#define VA_ECHO_RECENT_STEPS 50

struct va_echo {
  uint64_t steps;      /* of the microphone */
  uint8_t simd;        /* va_simd: measures the reference */
  bool is_echo;        /* a third or more of what the newest step heard was only echo */
  bool is_near;        /* most of it was not, nor did it move with the reference */
  bool has_before;     /* `before` belongs to the step before the next one */
  uint8_t since_echo;  /* steps since a band was audible and only echo, saturating at VA_ECHO_RECENT_STEPS */
  int8_t octaves;      /* of the reference's scale, for which everything here holds */
  uint8_t total_ringing, total_tail; /* as in va_echo_path, of all bands together */
  float fit;           /* mean of delay.fit while the reference plays */
  float explained;     /* mean of the share of audible bands that are only echo, likewise */
  float total_peak;    /* dBFS: all bands of the reference together, falling slowly */
  uint8_t before[VA_BANDS + VA_BYTES_SPARE]; /* the microphone's levels: bytes */
  va_echo_delay delay;
  va_echo_path path;
  va_echo_gain gain;
  va_echo_tail tail;
  va_reference reference;
};

/* Begins a step of the microphone. From here on the reference of the same time is complete. */
void va_echo_begin_step(va_echo *echo);

/* Measures the step: bands_db and floor_db, VA_BANDS each, in dBFS. Bands that are only echo are lowered to their
 * floor. */
void va_echo_measure(va_echo *echo, const va_kernels *kernels, float *bands_db, const float *floor_db);

/* Returns whether an audible band was only echo in the newest step or shortly before it, so that the network remembers
 * windows without that band. */
bool va_echo_is_recent(const va_echo *echo);

/* The power of the echo to expect in the newest step, full scale 1. It takes some 300 instructions. */
float va_echo_power(const va_echo *echo, const va_kernels *kernels);

/* Passes over a step that is not measured. */
void va_echo_pass(va_echo *echo);

#endif
