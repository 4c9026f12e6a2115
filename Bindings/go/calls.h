/* calls.h — the library's calls as Go makes them: the results are in memory without pointers, which Go may own and lend
 * to C for the time of a call. */
#ifndef VA_GO_CALLS_H
#define VA_GO_CALLS_H

#if defined(__has_include)
#if !__has_include(<voice_activity.h>)
#error "no library: make go in the repository writes the module to build/go/module; -tags system uses an installed one"
#endif
#endif
#include <voice_activity.h>

enum { RESULT_EVENTS = 32, RESULT_HOPS = 32 };

typedef struct results {
  size_t consumed, event_count, hop_count;
  bool wants_hops, more;
  va_event events[RESULT_EVENTS];
  va_hop hops[RESULT_HOPS];
} results;

static inline va_output output_of(results *r) {
  return (va_output){.events = r->events,
                     .event_capacity = RESULT_EVENTS,
                     .hops = r->wants_hops ? r->hops : NULL,
                     .hop_capacity = r->wants_hops ? RESULT_HOPS : 0};
}

static inline va_status_code returned(results *r, const va_output *output, va_status_code code) {
  r->event_count = output->event_count;
  r->hop_count = output->hop_count;
  r->more = output->more;
  return code;
}

static inline va_status_code call_process(void *detector, void *echo, const float *samples, size_t count, results *r) {
  va_output output = output_of(r);
  return returned(r, &output, va_detector_process(detector, echo, samples, count, &r->consumed, &output));
}

static inline va_status_code call_process_s16(void *detector, void *echo, const int16_t *samples, size_t count,
                                              results *r) {
  va_output output = output_of(r);
  return returned(r, &output, va_detector_process_s16(detector, echo, samples, count, &r->consumed, &output));
}

static inline va_status_code call_push_gap(void *detector, void *echo, uint64_t count, results *r) {
  va_output output = output_of(r);
  return returned(r, &output, va_detector_push_gap(detector, echo, count, &output));
}

static inline va_status_code call_push_level(void *detector, uint64_t count, uint8_t rfc6464, results *r) {
  va_output output = output_of(r);
  return returned(r, &output, va_detector_push_level(detector, count, va_rfc6464_level(rfc6464),
                                                     va_rfc6464_voice(rfc6464), &output));
}

static inline va_status_code call_flush(void *detector, void *echo, results *r) {
  va_output output = output_of(r);
  return returned(r, &output, va_detector_flush(detector, echo, &output));
}

/* On success an initialised object is where its memory is. */
static inline va_status_code call_init(void *memory, size_t size, const va_config *config) {
  va_detector *detector;
  return va_detector_init(memory, size, config, &detector);
}

static inline va_status_code call_restore(void *memory, size_t size, const void *bytes, size_t count) {
  va_detector *detector;
  return va_detector_restore(memory, size, bytes, count, &detector);
}

static inline va_status_code call_cutter_init(void *memory, size_t size, const va_cut_rules *rules,
                                              const va_config *config) {
  va_cutter *cutter;
  return va_cutter_init(memory, size, rules, config, &cutter);
}

static inline bool call_cutter_next(void *cutter, va_event *events, size_t event_count, va_hop *hops, size_t hop_count,
                                    va_cut *cut) {
  const va_output results = {.events = events, .event_count = event_count, .hops = hops, .hop_count = hop_count};
  return va_cutter_next(cutter, &results, cut);
}

static inline va_status_code call_echo_init(void *memory, size_t size, uint32_t rate_hz) {
  va_echo *echo;
  return va_echo_init(memory, size, rate_hz, &echo);
}

static inline va_status_code call_echo_restore(void *memory, size_t size, const void *bytes, size_t count) {
  va_echo *echo;
  return va_echo_restore(memory, size, bytes, count, &echo);
}

#endif
