/* realtime.c — proves that the library's calls neither allocate, nor enter the kernel, nor block.
 *
 *   realtime malloc    counts calls of malloc and its relatives while the detector runs (Tests/AllocationCounter): none
 *   realtime kernel    runs it under seccomp's strict mode, in which any system call but read, write, exit kills
 *   realtime blocking  runs it in a context that RealtimeSanitizer watches (clang -fsanitize=realtime)
 *
 * Each proof first shows that it can fail: the same net is cast over a call that must be caught.
 * Built and run by Scripts/check-library.sh.
 */
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "allocation_counter.h"
#include "voice_activity.h"

#if defined(__has_feature)
#if __has_feature(realtime_sanitizer)
#define WATCHED __attribute__((nonblocking))
#define SANITIZED 1
#endif
#endif
#ifndef WATCHED
#define WATCHED
#define SANITIZED 0
#endif

/* MARK: the work */

enum { RATES = 5, SECONDS = 4, MADE = 8 /* what make_in_place counts */ };
static const uint32_t rates[RATES] = {8000, 16000, 44100, 48000, 192000};
static va_detector *detectors[RATES];
static va_cutter *cutters[RATES];
static va_echo *echoes[RATES]; /* beside them, each at another rate */
static va_smoother *smoothers[RATES];
static float f32[192000 * SECONDS];
static int16_t s16[192000 * SECONDS];
static unsigned char saved[8192];
static _Alignas(VA_DETECTOR_ALIGNMENT) unsigned char memory[65536]; /* for what is made in place */
static volatile unsigned long hops_seen, events_seen, cuts_seen, smoothed_seen, made;

/* Bursts of a buzzing sound over noise: onsets, hangovers, offsets, muted speech all happen. */
static void make_signal(uint32_t rate) {
  uint32_t noise = 1;
  for (uint32_t n = 0; n < rate * SECONDS; n++) {
    double t = (double)n / rate, buzz = 0;
    for (int h = 1; h < 20; h++) buzz += sin(6.283185307 * 150 * h * t) / h;
    noise = noise * 1664525u + 1013904223u;
    double burst = fmod(t, 1.5) > 0.5 ? 0.1 * fmax(0, sin(6.283185307 * 4 * t)) : 0;
    f32[n] = (float)(burst * buzz + 1e-4 * ((double)noise / 4294967296.0 - 0.5));
    s16[n] = (int16_t)(f32[n] * 32767);
  }
  f32[rate] = NAN, f32[rate + 1] = INFINITY, f32[rate + 2] = 1e30f;
}

static void work(va_detector *d, va_cutter *cutter, uint32_t rate) WATCHED {
  va_event events[8];
  va_hop hops[16];
  va_output out = {.events = events, .event_capacity = 8, .hops = hops, .hop_capacity = 16};
  va_status status = {.struct_size = sizeof status};
  va_cut cut;
  size_t consumed, chunk = 1, total = (size_t)rate * SECONDS;
  for (size_t n = 0; n < total; n += consumed, chunk = chunk * 7 % 1009) {
    size_t count = chunk < total - n ? chunk : total - n;
    if (chunk % 2) va_detector_process(d, NULL, f32 + n, count, &consumed, &out);
    else va_detector_process_s16(d, NULL, s16 + n, count, &consumed, &out);
    hops_seen += out.hop_count, events_seen += out.event_count;
    va_detector_set_muted(d, n > total / 3);
    va_detector_status(d, &status);
    while (va_cutter_next(cutter, &out, &cut)) cuts_seen++;
    va_cutter_needed(cutter, NULL);
  }
  while (va_cutter_finish(cutter, total, &cut)) {
    cuts_seen++;
    va_cut_fade(f32 + total / 2, 100, 1, cut.start, &cut, false, 100);
  }
  va_cutter_reset(cutter);
  va_detector_push_gap(d, NULL, rate / 3, &out);
  va_detector_push_level(d, rate / 3, va_rfc6464_level(0x9e), va_rfc6464_voice(0x9e), &out);
  va_batch_item item = {.detector = d, .samples = f32, .count = rate / 50, .missing = rate / 50, .output = &out};
  va_process_batch(&item, 1);
  va_detector_save(d, saved, sizeof saved, &consumed);
  va_detector_restore(d, va_detector_size(), saved, consumed, &d);
  do va_detector_flush(d, NULL, &out);
  while (out.more);
  va_detector_reset(d);
}

/* Hears through a microphone what plays at another rate, with samples that are missing, late and too early. */
static void work_beside(va_detector *d, uint32_t rate, va_echo *echo, uint32_t reference_rate) WATCHED {
  va_event events[8];
  va_hop hops[16];
  va_output out = {.events = events, .event_capacity = 8, .hops = hops, .hop_capacity = 16};
  va_echo_status status = {.struct_size = sizeof status};
  size_t consumed;
  for (int n = 0; n < 100 * SECONDS; n++) {
    const size_t played = reference_rate / 100, heard = rate / 100;
    if (n % 50 < 10) va_echo_push_interleaved(echo, f32 + played * (size_t)n, played, 2);
    else if (n % 50 < 20) va_echo_push_interleaved_s16(echo, s16 + played * (size_t)n, played, 8);
    else if (n % 50 < 40) va_echo_push(echo, f32 + played * (size_t)n, played);
    else if (n % 50 < 45) va_echo_push_s16(echo, s16 + played * (size_t)n, played);
    if (n == 70) va_echo_push_silence(echo, reference_rate);
    if (n == 90) va_detector_push_gap(d, echo, rate / 3, &out);
    va_detector_process(d, echo, f32 + heard * (size_t)n, heard, &consumed, &out);
    va_detector_process_s16(d, echo, s16 + heard * (size_t)n, 7, &consumed, &out);
    hops_seen += out.hop_count, events_seen += out.event_count;
  }
  va_batch_item item = {.detector = d, .echo = echo, .samples = f32, .count = rate / 50, .output = &out};
  va_process_batch(&item, 1);
  va_echo_state(echo, &status);
  va_echo_save(echo, saved, sizeof saved, &consumed);
  va_echo_restore(echo, va_echo_size(), saved, consumed, &echo);
  do va_detector_flush(d, echo, &out);
  while (out.more);
  va_detector_reset(d);
  va_echo_reset(echo);
}

/* What follows the detector's results: a smoother, the gate, the notice. */
static void follow(va_detector *d, va_smoother *smoother, uint32_t rate) WATCHED {
  va_event events[8], smooth_events[8];
  va_hop hops[16], smooth_hops[16];
  va_output out = {.events = events, .event_capacity = 8, .hops = hops, .hop_capacity = 16};
  va_output smooth = {.events = smooth_events, .event_capacity = 8, .hops = smooth_hops, .hop_capacity = 16};
  va_speaking_gate gate;
  va_muted_notice notice;
  size_t consumed, count = rate / 100;
  va_speaking_gate_init(&gate);
  va_speaking_gate_set(&gate, VA_REQUIREMENT_MICROPHONE_MUTED, true);
  va_muted_notice_init(&notice);
  for (int n = 0; n < 100 * SECONDS; n++) {
    va_detector_process(d, NULL, f32 + count * (size_t)n, count, &consumed, &out);
    for (size_t i = 0; i < out.event_count; i++) va_speaking_gate_handle(&gate, out.events[i].type);
    va_muted_notice_update(&notice, gate.is_speaking, 10 * n);
    do va_smoother_process(smoother, &out, &smooth);
    while (smooth.more);
    smoothed_seen += smooth.hop_count;
  }
  do va_smoother_process(smoother, NULL, &smooth);
  while (smooth.more);
  va_smoother_reset(smoother);
  va_detector_reset(d);
  va_speaking_gate_set_speech(&gate, true);
  va_muted_notice_update(&notice, true, 10000 * SECONDS);
  va_muted_notice_dismiss(&notice, 1);
  va_muted_notice_unmuted(&notice);
  va_speaking_gate_end(&gate);
}

/* Settings, sizes, and objects made in the caller's memory. */
static void make_in_place(uint32_t rate) WATCHED {
  va_config config;
  va_detector *d;
  va_echo *echo;
  va_cutter *cutter;
  float level;
  uint32_t learned_ms;
  const va_cut_rules rules = {.struct_size = sizeof rules, .min_silence_ms = 900, .max_length_ms = 1100};
  va_config_default(&config, rate);
  va_config_preset(&config, rate, VA_PRESET_NOTICE);
  va_config_move_thresholds(&config, 0.5f);
  made += va_config_check(&config) == VA_OK;
  made += va_detector_size_for(rate) <= sizeof memory && va_detector_saved_size() <= sizeof saved;
  made += va_detector_init(memory, sizeof memory, &config, &d) == VA_OK;
  va_detector_config(d, &config);
  va_detector_set_speaker_margin(d, 10);
  va_detector_set_speaker_level(d, -30, 5000);
  va_detector_change_input_gain(d, 6);
  made += va_detector_speaker_level(d, &level, &learned_ms) == VA_OK && learned_ms == 5000;
  made += va_echo_saved_size() <= sizeof saved && va_echo_init(memory, sizeof memory, rate, &echo) == VA_OK;
  made += va_cutter_size(&rules, &config) <= sizeof memory;
  made += va_cutter_init(memory, sizeof memory, &rules, &config, &cutter) == VA_OK;
  va_rfc6464_byte(30, true);
  made += va_abi_version() == VA_ABI_VERSION && va_version() && va_simd_name() && va_status_text(VA_OK);
  va_detector_lookahead_ms();
}

static void work_at_all_rates(void) {
  for (int i = 0; i < RATES; i++) {
    work(detectors[i], cutters[i], rates[i]);
    work_beside(detectors[i], rates[i], echoes[i], rates[RATES - 1 - i]);
    follow(detectors[i], smoothers[i], rates[i]);
    make_in_place(rates[i]);
  }
}

static void prepare(void) {
  for (int i = 0; i < RATES; i++) {
    va_config config;
    va_config_default(&config, rates[i]);
    /* The network doubts that a buzz is speech: thresholds that its doubt crosses again and again. */
    config.onset_threshold = 0.015f, config.offset_threshold = 0.01f;
    config.onset_debounce_ms = 10, config.hangover_ms = 30;
    if (va_detector_create(&config, &detectors[i]) != VA_OK) exit(1);
    const va_cut_rules rules = {.struct_size = sizeof rules, .min_silence_ms = 900, .max_length_ms = 1100};
    if (va_cutter_create(&rules, &config, &cutters[i]) != VA_OK) exit(1);
    if (va_echo_create(rates[RATES - 1 - i], &echoes[i]) != VA_OK) exit(1);
    if (va_smoother_create(&config, &smoothers[i]) != VA_OK) exit(1);
  }
  make_signal(48000); /* at other rates the same samples are another pitch: as good for this purpose */
}

static int fail(const char *what) {
  fprintf(stderr, "realtime: %s\n", what);
  return 1;
}

/* MARK: the proofs */

static int prove_no_malloc(void) {
  long before = allocation_counter_here();
  void *volatile p = malloc(1);
  free(p);
  if (allocation_counter_here() - before != 2) return fail("the malloc counter does not count");
  before = allocation_counter_here();
  work_at_all_rates();
  if (allocation_counter_here() != before) return fail("the detector allocated or freed memory");
  printf("realtime: %lu hops, %lu events, %lu cuts, 0 allocations\n", hops_seen, events_seen, cuts_seen);
  const int is_enough = events_seen > 4 && cuts_seen > 4 && smoothed_seen > 400 && made == RATES * MADE;
  return is_enough ? 0 : fail("too little happened to prove anything");
}

/* Runs `body` in a child in which every system call but read, write and exit is deadly; true if it lived. */
static int survives(void (*body)(void)) {
  int status;
  pid_t child = fork();
  if (child == 0) {
    if (prctl(PR_SET_SECCOMP, 1 /* SECCOMP_MODE_STRICT */)) _exit(2);
    body();
    syscall(SYS_exit, 0); /* _exit would call exit_group, which is deadly too */
  }
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void enter_the_kernel(void) { syscall(SYS_getppid); }

static int prove_no_system_call(void) {
  if (survives(enter_the_kernel)) return fail("seccomp does not kill");
  if (!survives(work_at_all_rates)) return fail("the detector entered the kernel");
  printf("realtime: no system call\n");
  return 0;
}

static void allocate(void) WATCHED {
  void *volatile p = malloc(1);
  free(p);
}

static int prove_no_blocking(void) {
  if (!SANITIZED) return fail("not built with -fsanitize=realtime");
  int status;
  pid_t child = fork();
  if (child == 0) {
    fclose(stderr); /* its report is expected, not news */
    allocate();
    _exit(0);
  }
  waitpid(child, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return fail("RealtimeSanitizer does not report");
  work_at_all_rates();
  printf("realtime: RealtimeSanitizer has nothing to report\n");
  return 0;
}

int main(int argc, char **argv) {
  const char *proof = argc > 1 ? argv[1] : "";
  prepare();
  if (strcmp(proof, "malloc") == 0) return prove_no_malloc();
  if (strcmp(proof, "kernel") == 0) return prove_no_system_call();
  if (strcmp(proof, "blocking") == 0) return prove_no_blocking();
  return fail("usage: realtime malloc|kernel|blocking");
}
