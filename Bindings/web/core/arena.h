/* arena.h — all memory of a module: one detector, its echo, its cutter, and what goes in and out.
 *
 * JavaScript makes an instance of the module for each detector. The instance then owns the memory, and the garbage
 * collector frees both. JavaScript reads and writes the arena at the addresses that the module exports under these
 * names; layout.c fixes the places of the fields.
 */
#ifndef WEB_ARENA_H
#define WEB_ARENA_H

#include <voice_activity.h>

/* Samples that one call takes, and room for the results of that many at 8 kHz, and of a call that catches up. */
#define ARENA_SAMPLES 4096
#define ARENA_EVENTS 64
#define ARENA_HOPS 64

/* Bytes of a cutter: enough for a longest segment of a minute. */
#define ARENA_CUTTER 4096

extern _Alignas(VA_DETECTOR_ALIGNMENT) unsigned char arena_detector[VA_DETECTOR_SIZE_MAX], arena_echo[VA_ECHO_SIZE_MAX];
extern _Alignas(VA_DETECTOR_ALIGNMENT) unsigned char arena_cutter[ARENA_CUTTER];
extern va_cut_rules arena_cut_rules;
extern va_cut arena_cut;
extern va_config arena_config;
extern va_status arena_status;
extern va_echo_status arena_echo_status;
extern va_output arena_output;
extern float arena_samples[ARENA_SAMPLES];
extern unsigned char arena_saved[VA_DETECTOR_SAVED_SIZE_MAX];

/* What a call returns through a pointer: consumed samples, a size, a pointer, or a level and how much it was learned
 * from. */
extern union arena_result {
  size_t size;
  struct {
    float level_dbfs;
    uint32_t learned_ms;
  } speaker;
} arena_result;

#endif
