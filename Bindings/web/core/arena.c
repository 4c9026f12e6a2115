#include "arena.h"

_Alignas(VA_DETECTOR_ALIGNMENT) unsigned char arena_detector[VA_DETECTOR_SIZE_MAX], arena_echo[VA_ECHO_SIZE_MAX];
_Alignas(VA_DETECTOR_ALIGNMENT) unsigned char arena_cutter[ARENA_CUTTER];
va_cut_rules arena_cut_rules = {.struct_size = sizeof arena_cut_rules};
va_cut arena_cut;
va_config arena_config = {.struct_size = sizeof arena_config};
va_status arena_status = {.struct_size = sizeof arena_status};
va_echo_status arena_echo_status = {.struct_size = sizeof arena_echo_status};
float arena_samples[ARENA_SAMPLES];
unsigned char arena_saved[VA_DETECTOR_SAVED_SIZE_MAX];
union arena_result arena_result;

static va_event events[ARENA_EVENTS];
static va_hop hops[ARENA_HOPS];
va_output arena_output = {
    .events = events, .event_capacity = ARENA_EVENTS, .hops = hops, .hop_capacity = ARENA_HOPS};
