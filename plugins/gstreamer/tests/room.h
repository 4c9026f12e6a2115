/* room.h — a room for the tests: a loudspeaker with a probe, and a microphone that hears it. Both are in one pipeline.
 * The test's thread drives both, so that nothing depends on timing. */
#ifndef ROOM_H
#define ROOM_H

#include "support.h"

typedef struct {
  GstElement *pipeline, *probe;
  GstHarness *loudspeaker; /* NULL if there is none */
  Rig microphone;
  guint played_rate, played_channels;
  gboolean is_opposite; /* odd-numbered channels, counted from 0, play the opposite of the others */
  GstClockTime shift; /* added to the timestamps of what is played; GST_CLOCK_TIME_NONE: without timestamps */
  GstBufferFlags flags; /* of what is played */
} Room;

/* Returns a room with a muted microphone at 16 kHz, and with a loudspeaker unless `played_rate` is 0. */
Room room_new(guint played_rate, guint played_channels);
void room_free(Room *room);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Room, room_free)

/* Adds a probe named `name` to the pipeline, without caps, in place of the one before. */
void room_add_loudspeaker(Room *room, const gchar *name);
void room_remove_loudspeaker(Room *room);
void room_played_caps(Room *room, const gchar *format, const gchar *layout, guint rate, guint channels);

/* Plays frames `from` to `to` of `far`, at 16 kHz, converted to the caps. Checks that they come out unchanged. */
void room_play(Room *room, const Pcm *far, gsize from, gsize to);
/* In turns of 10 ms, plays `far` and pushes `heard` to the microphone. */
void room_run(Room *room, const Pcm *far, const Pcm *heard, gsize from, gsize to);

void room_run_to_the_end(Room *room, const Pcm *far, const Pcm *heard);

/* Returns what a microphone hears: `far` after a delay and 10 dB quieter, some noise, and `near` unless it is NULL. */
Pcm room_echo(const Pcm *far, guint delay_ms, const Pcm *near);

/* Checks that the messages so far are those of the C library, given the same reference sample for sample. */
void room_assert_as_library(Room *room, const Pcm *far, const Pcm *heard);

/* `echo-delay` in milliseconds, or -1 if there is no reference. */
gint room_delay_ms(const Rig *microphone);
/* `reference-missing` in milliseconds. */
gint room_missing_ms(const Rig *microphone);

/* How often muted speech began. */
guint room_notices(const Rig *microphone);

/* Checks that what was played gave no notice, and was found `delay_ms` before it was heard. */
void room_assert_followed(const Room *room, gint delay_ms);

#endif
