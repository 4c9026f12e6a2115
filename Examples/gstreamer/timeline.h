/* timeline.h — what time is sample number n?
 *
 * The detector counts samples, a pipeline counts nanoseconds. The timeline remembers where timestamps were seen
 * (anchors), so that an event that is told late, an offset after its hangover for instance, gets the time of the
 * audio it lies in, also when the segment or the drift of the timestamps has changed since. It also says whether a
 * buffer continues what came before, leaves a hole, or begins something new. Streaming thread only; no allocation. */
#ifndef VOICE_ACTIVITY_TIMELINE_H
#define VOICE_ACTIVITY_TIMELINE_H

#include <gst/gst.h>

/* Anchors are kept this many re-alignments back. Only timestamps off by more than a millisecond make a new one, and
 * the oldest stands for all that is before it: with 10 ms buffers that all jitter, 64 reach 0.6 s back. */
#define TIMELINE_ANCHORS 64

/* A hole longer than this is no hole but the end of a stream: deciding its hops one by one takes 70 ms an hour. */
#define TIMELINE_LONGEST_HOLE (GST_SECOND * 3600)

/* Timestamps that go back by up to this go on from there: jitter buffers report one loss twice, and correct the times of
 * what follows. Further back is another recording. */
#define TIMELINE_LONGEST_STEP_BACK GST_SECOND

typedef struct {
  guint64 position;       /* sample */
  GstClockTime timestamp; /* of that sample, in the segment's own time */
  GstSegment segment;
} TimelineAnchor;

typedef struct {
  guint rate_hz;
  guint64 end;      /* samples so far, holes included: the position of the next one */
  gboolean guessed; /* no timestamp has come yet: counted from the segment's start */
  guint64 made;     /* anchors ever made; number i lies in anchors[i % TIMELINE_ANCHORS] */
  TimelineAnchor anchors[TIMELINE_ANCHORS];
} Timeline;

/* The three times of one sample, as in the messages of other elements. */
typedef struct {
  GstClockTime timestamp, stream_time, running_time;
} TimelineTimes;

typedef enum {
  TIMELINE_CONTINUES, /* follows what came before, after *missing samples (mostly none) */
  TIMELINE_BREAKS     /* does not: drain, restart, and ask again */
} TimelineStep;

/* Nothing has come yet, at this rate. */
void timeline_restart(Timeline *timeline, guint rate_hz);

/* What begins at `timestamp` (GST_CLOCK_TIME_NONE: unknown, counted on) in `segment` comes next. It may be later than
 * expected by `tolerance`, and by a millisecond, before that is a hole; where upstream flags a discontinuity, by half a
 * hop. */
TimelineStep timeline_step(Timeline *timeline, const GstSegment *segment, GstClockTime timestamp, gboolean discont,
                           GstClockTime tolerance, guint64 *missing);

/* Cuts off what a gap repeats of what has been counted already: `timestamp` moves on and `duration`, unless that is none,
 * shrinks to 0 at least. */
void timeline_trim_gap(const Timeline *timeline, const GstSegment *segment, GstClockTime *timestamp,
                       GstClockTime *duration);

/* So many samples have come. */
void timeline_advance(Timeline *timeline, guint64 samples);

/* The times of a sample; all GST_CLOCK_TIME_NONE if nothing has come yet. */
TimelineTimes timeline_at(const Timeline *timeline, guint64 position);

#endif
