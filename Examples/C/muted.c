/* muted.c — "You are muted" in a calling client: a capture thread that only listens, and a user interface that looks
 * ten times a second, shows the notice for two seconds, and mutes and unmutes from its own thread.
 *
 *     ./muted [--fast] [--mute SECONDS] [--react SECONDS] [--reference WAV] WAV
 *
 * A WAV stands in for the microphone and the clock for the sound card. The user mutes at 4 s (--mute), forgets it, and
 * unmutes 1.5 s after the notice has come (--react). --fast does not wait for the clock; what it prints is then the
 * same every time. --reference is what a loudspeaker beside the microphone plays: the far end, which is not the user.
 * Exit codes: 0, 64 wrong usage, 65 bad WAV, 66 no such file, 71 no thread, 74 reading or writing failed. */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <voice_activity.h>

#include "wav.h"

enum { USAGE = 64, NO_THREAD = 71, PERIOD_MS = 10, TIMER_MS = 100, PERIOD_SAMPLES_MAX = 192000 / 1000 * PERIOD_MS };

typedef struct client {
  wav_reader microphone;
  wav_reader loudspeaker; /* what the client plays; no file: nothing */
  va_detector *detector;
  va_echo *echo; /* NULL: no loudspeaker */
  unsigned silent_periods; /* after the end of what the loudspeaker plays */
  bool is_fast;
  atomic_bool is_over;
  _Atomic uint64_t captured;      /* samples */
  _Atomic uint64_t spoken_since;  /* where the newest muted speech was decided, samples */
  sem_t timer, timer_done;        /* --fast: the capture thread is the user interface's clock */
} client;

/* ---- the capture thread: reads, processes, and neither locks nor allocates nor prints ---- */

static void listen_to(client *client, const float *samples, size_t count) {
  va_event events[8]; /* 10 ms: at most two hops, four events each */
  va_output output = {.events = events, .event_capacity = 8};
  size_t consumed;
  va_detector_process(client->detector, client->echo, samples, count, &consumed, &output);
  for (size_t i = 0; i < output.event_count; i++)
    if (events[i].type == VA_EVENT_MUTED_SPEECH_BEGIN) atomic_store(&client->spoken_since, events[i].position);
}

/* What plays in a period comes before what is heard in it. In a client it comes from the playback thread, through a
 * ring. */
static void push_played(client *client) {
  float samples[PERIOD_SAMPLES_MAX];
  if (client->echo == NULL) return;
  const size_t period = (size_t)client->loudspeaker.rate_hz * PERIOD_MS / 1000;
  const size_t count = wav_read(&client->loudspeaker, samples, period);
  va_echo_push(client->echo, samples, count);
  va_echo_push_silence(client->echo, period - count); /* after its end nothing plays */
  client->silent_periods += count == 0;
}

/* Until the next period is there. A sound card's read blocks by itself. */
static void wait_for_period(client *client, struct timespec *next, unsigned period) {
  if (client->is_fast) {
    if (period % (TIMER_MS / PERIOD_MS) != 0) return;
    sem_post(&client->timer);
    sem_wait(&client->timer_done);
    return;
  }
  next->tv_nsec += PERIOD_MS * 1000000L;
  if (next->tv_nsec >= 1000000000L) next->tv_sec++, next->tv_nsec -= 1000000000L;
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, next, NULL);
}

static void *capture(void *context) {
  client *client = context;
  float samples[PERIOD_SAMPLES_MAX];
  const size_t period_samples = (size_t)client->microphone.rate_hz * PERIOD_MS / 1000;
  struct timespec next;
  clock_gettime(CLOCK_MONOTONIC, &next);
  size_t count;
  for (unsigned period = 1; (count = wav_read(&client->microphone, samples, period_samples)) > 0; period++) {
    push_played(client);
    listen_to(client, samples, count);
    atomic_fetch_add(&client->captured, count);
    wait_for_period(client, &next, period);
  }
  atomic_store(&client->is_over, true);
  sem_post(&client->timer);
  return NULL;
}

/* ---- the user interface's thread ---- */

typedef struct user {
  double mute_at_s, react_s;
  bool has_muted;
  bool hears_speech; /* what the gate was told */
  va_speaking_gate gate; /* a call that is joined and may send audio: only the mute changes */
  va_muted_notice notice;
} user;

static double seconds(const client *client, uint64_t samples) {
  return (double)samples / client->microphone.rate_hz;
}

static void show_notice(const client *client, const user *user, double now_s) {
  if (user->notice.shown == 0) printf("%6.1f  the notice goes\n", now_s);
  else
    printf("%6.1f  " VA_NOTICE_TEXT " (speaking since %.2f)\n", now_s,
           seconds(client, atomic_load(&client->spoken_since)));
}

static void set_muted(client *client, user *user, bool is_muted, double now_s) {
  va_detector_set_muted(client->detector, is_muted); /* any thread, at once */
  va_speaking_gate_set(&user->gate, VA_REQUIREMENT_MICROPHONE_MUTED, is_muted);
  if (!is_muted) va_muted_notice_unmuted(&user->notice);
  printf("%6.1f  %s\n", now_s, is_muted ? "the user mutes" : "the user unmutes");
}

/* Whether muted speech goes on is in the status: false at once when unmuted, and no queue that could fill up. */
static void look(client *client, user *user) {
  va_status status = {.struct_size = sizeof status};
  va_detector_status(client->detector, &status); /* any thread, without waiting */
  const double now_s = seconds(client, atomic_load(&client->captured));
  if (status.is_muted_speech != user->hears_speech)
    va_speaking_gate_set_speech(&user->gate, user->hears_speech = status.is_muted_speech);
  if (va_muted_notice_update(&user->notice, user->gate.is_speaking, (int64_t)(now_s * 1000)))
    show_notice(client, user, now_s);
  if (!user->has_muted && now_s >= user->mute_at_s) set_muted(client, user, user->has_muted = true, now_s);
  if (user->notice.count > 0 && status.is_muted &&
      now_s * 1000 >= (double)user->notice.shown_at_ms + user->react_s * 1000)
    set_muted(client, user, false, now_s);
}

static void run_interface(client *client, user *user) {
  const struct timespec timer = {.tv_nsec = TIMER_MS * 1000000L};
  for (;;) {
    if (client->is_fast) sem_wait(&client->timer);
    else nanosleep(&timer, NULL);
    if (atomic_load(&client->is_over)) return;
    look(client, user);
    fflush(stdout);
    if (client->is_fast) sem_post(&client->timer_done);
  }
}

static int failed(int exit_code, const char *sentence) {
  fprintf(stderr, "muted: %s\n", sentence);
  return exit_code;
}

/* A file that is shorter than it should be is used as far as it goes; the user should know. */
static void warn(const client *client) {
  const double silent_s = client->silent_periods * (PERIOD_MS / 1000.0);
  if (client->microphone.torn) failed(0, "the WAV ends before its header says; what is there was heard.");
  if (client->loudspeaker.torn) failed(0, "the reference ends before its header says; what is there was used.");
  if (silent_s > 0.5) /* no echo comes later */
    fprintf(stderr, "muted: the reference ends %.1f s before the WAV; from there on nothing plays.\n", silent_s);
}

static int run(client *client, user *user) {
  va_config config;
  va_config_preset(&config, client->microphone.rate_hz, VA_PRESET_NOTICE); /* rather late than wrong */
  va_status_code code = va_detector_create(&config, &client->detector);
  if (code == VA_OK && client->loudspeaker.file) code = va_echo_create(client->loudspeaker.rate_hz, &client->echo);
  if (code != VA_OK) return failed(WAV_BAD_DATA, va_status_text(code));
  sem_init(&client->timer, 0, 0);
  sem_init(&client->timer_done, 0, 0);
  pthread_t thread;
  if (pthread_create(&thread, NULL, capture, client) != 0)
    return failed(NO_THREAD, "the capture thread cannot be started.");
  run_interface(client, user);
  pthread_join(thread, NULL); /* before the detector goes: nobody may use it then */
  va_echo_destroy(client->echo);
  va_detector_destroy(client->detector);
  sem_destroy(&client->timer);
  sem_destroy(&client->timer_done);
  if (client->microphone.exit_code != 0) return failed(client->microphone.exit_code, client->microphone.problem);
  if (client->loudspeaker.exit_code != 0) return failed(client->loudspeaker.exit_code, client->loudspeaker.problem);
  warn(client);
  if (fflush(stdout) != 0 || ferror(stdout)) return failed(WAV_IO, "what is said cannot be written.");
  return 0;
}

static bool seconds_of(const char *text, double *value) {
  char *end;
  if (text == NULL) return false;
  *value = strtod(text, &end);
  return end != text && *end == '\0' && *value >= 0;
}

int main(int argc, char **argv) {
  static client client;
  user user = {.mute_at_s = 4, .react_s = 1.5};
  va_speaking_gate_init(&user.gate);
  va_muted_notice_init(&user.notice);
  const char *path = NULL, *played = NULL;
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--fast") == 0) client.is_fast = true;
    else if (strcmp(argv[i], "--mute") == 0 && seconds_of(argv[i + 1], &user.mute_at_s)) i++;
    else if (strcmp(argv[i], "--react") == 0 && seconds_of(argv[i + 1], &user.react_s)) i++;
    else if (strcmp(argv[i], "--reference") == 0 && argv[i + 1] != NULL) played = argv[++i];
    else if (path == NULL && strncmp(argv[i], "--", 2) != 0) path = argv[i];
    else return failed(USAGE, "usage: muted [--fast] [--mute SECONDS] [--react SECONDS] [--reference WAV] WAV");
  }
  if (path == NULL) return failed(USAGE, "give one WAV file, or - for standard input.");
  if (!wav_open(&client.microphone, path)) return failed(client.microphone.exit_code, client.microphone.problem);
  if (played != NULL && !wav_open(&client.loudspeaker, played))
    return failed(client.loudspeaker.exit_code, client.loudspeaker.problem);
  const int exit_code = run(&client, &user);
  wav_close(&client.microphone);
  if (played != NULL) wav_close(&client.loudspeaker);
  return exit_code;
}
