/* timeline.h — the time of a sample.
 *
 * The detector counts samples, and a pipeline counts nanoseconds. The timeline remembers timestamps that it has seen
 * (anchors). An event that is reported late, such as an offset after its hangover, therefore gets the time of the audio
 * it lies in, even when the segment or the drift of the timestamps has changed since. The timeline also decides whether
 * a buffer continues what came before, leaves a hole, or begins something new. Streaming thread only; no allocation. */
#ifndef VOICE_ACTIVITY_TIMELINE_H
#define VOICE_ACTIVITY_TIMELINE_H

#include <gst/gst.h>

/* The number of anchors kept. Only timestamps off by more than a millisecond make a new one, and the oldest stands for
 * everything before it. With 10 ms buffers that all jitter, 64 anchors reach 0.6 s back. */
#define TIMELINE_ANCHORS 64

/* A longer hole is not a hole but the end of a stream. Deciding its hops one by one would take 70 ms an hour. */
#define TIMELINE_LONGEST_HOLE (GST_SECOND * 3600)

/* The furthest that timestamps may go back and still continue the audio: jitter buffers report one loss twice, and
 * correct the times of what follows. Further back begins another recording. */
#define TIMELINE_LONGEST_STEP_BACK GST_SECOND

typedef struct {
  guint64 position;       /* the sample */
  GstClockTime timestamp; /* that sample's time within the segment */
  GstSegment segment;
} TimelineAnchor;

typedef struct {
  guint rate_hz;
  guint64 end;      /* samples so far, holes included: the position of the next one */
  gboolean guessed; /* no timestamp has come yet: times are counted from the segment's start */
  guint64 made;     /* anchors ever made; number i lies in anchors[i % TIMELINE_ANCHORS] */
  TimelineAnchor anchors[TIMELINE_ANCHORS];
} Timeline;

/* The three times of one sample, as in the messages of other elements. */
typedef struct {
  GstClockTime timestamp, stream_time, running_time;
} TimelineTimes;

typedef enum {
  TIMELINE_CONTINUES, /* follows what came before, after *missing samples (usually none) */
  TIMELINE_BREAKS     /* does not follow: drain, restart, and call again */
} TimelineStep;

/* Forgets everything; counts at `rate_hz` from now on. */
void timeline_restart(Timeline *timeline, guint rate_hz);

/* Places what comes next, which begins at `timestamp` (GST_CLOCK_TIME_NONE: unknown, count on) in `segment`. A hole
 * lies before it if it is later than expected by more than `tolerance` and by more than a millisecond; where upstream
 * flags a discontinuity, half a hop is enough. */
TimelineStep timeline_step(Timeline *timeline, const GstSegment *segment, GstClockTime timestamp, gboolean discont,
                           GstClockTime tolerance, guint64 *missing);

/* Removes from a gap what was counted already: `timestamp` moves forward, and `duration`, unless it is unknown,
 * shrinks, at most to 0. */
void timeline_trim_gap(const Timeline *timeline, const GstSegment *segment, GstClockTime *timestamp,
                       GstClockTime *duration);

/* Counts samples that have come. */
void timeline_advance(Timeline *timeline, guint64 samples);

/* The times of a sample; all GST_CLOCK_TIME_NONE if nothing has come yet. */
TimelineTimes timeline_at(const Timeline *timeline, guint64 position);

#endif
