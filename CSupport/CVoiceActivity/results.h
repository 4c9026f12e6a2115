/* results.h — from decisions to the caller's arrays. */
#ifndef VA_RESULTS_H
#define VA_RESULTS_H

#include "detector_state.h"

/* Empties the caller's arrays, and checks them. */
va_status_code va_open_output(va_output *output);

/* True if all that one hop can bring still fits; sets output->more. */
bool va_has_room(va_output *output);

/* First input sample of a hop: hop · rate / 100, rounded up, without overflow. */
uint64_t va_hop_start(const va_detector *d, uint64_t hop);

/* The events of a transition, of a change of muted speech decided at `hop`, and of the gap that has ended. There
 * is room: va_has_room said so. */
void va_emit_transition(const va_detector *d, va_output *output, va_transition transition);
void va_emit_mute_change(const va_detector *d, va_output *output, va_mute_change change, uint64_t hop);
void va_close_gap(va_detector *d, va_output *output);

/* The record of a hop that was just decided. */
va_hop va_hop_record(const va_detector *d, uint64_t hop, float posterior);

#endif
