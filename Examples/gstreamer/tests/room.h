/* room.h — a room for the tests: a loudspeaker behind a probe, and a microphone that hears it. Both are in one
 * pipeline, and the test's thread drives both, so that nothing depends on the time. */
#ifndef ROOM_H
#define ROOM_H

#include "support.h"

typedef struct {
  GstElement *pipeline, *probe;
  GstHarness *loudspeaker; /* NULL: there is none */
  Rig microphone;
  guint played_rate, played_channels;
  GstClockTime shift; /* added to the timestamps of what is played; GST_CLOCK_TIME_NONE: it has none */
  GstBufferFlags flags; /* of what is played */
} Room;

/* A room with a loudspeaker at that rate, or without one if it is 0, and a microphone at 16 kHz, which is muted. */
Room room_new(guint played_rate, guint played_channels);
void room_free(Room *room);

/* A probe named `name` in the pipeline, whose caps are not set yet; replaces the one before. */
void room_add_loudspeaker(Room *room, const gchar *name);
/* Takes it out of the pipeline. */
void room_remove_loudspeaker(Room *room);
void room_played_caps(Room *room, const gchar *format, const gchar *layout, guint rate, guint channels);

/* Plays frames `from` to `to` of `far`, at 16 kHz, as the caps want them, and checks that they come out unchanged. */
void room_play(Room *room, const Pcm *far, gsize from, gsize to);
/* In turns of 10 ms: plays `far`, and lets the microphone hear `heard`. */
void room_run(Room *room, const Pcm *far, const Pcm *heard, gsize from, gsize to);

void room_run_to_the_end(Room *room, const Pcm *far, const Pcm *heard);

/* What a microphone hears of `far` after a delay, 10 dB quieter, with a whisper of noise, and on top of it `near`,
 * which may be NULL. Free its samples. */
Pcm room_echo(const Pcm *far, guint delay_ms, const Pcm *near);

/* The messages so far; they must be as those of the C library, which gets both by the sample. */
void room_assert_as_library(Room *room, const Pcm *far, const Pcm *heard);

/* A field of `stats`: the delay in milliseconds, or -1 if there is no echo. */
gint room_delay_ms(const Rig *microphone);
/* Another: for how many milliseconds the probe had nothing. */
gint room_missing_ms(const Rig *microphone);

/* How often muted speech began. */
guint room_notices(const Rig *microphone);

#endif
