/* timeline.c — sample positions and the pipeline's times. */
#include "timeline.h"

#include <math.h>

/* How far timestamps are off in containers that count in milliseconds, although nothing is missing. */
#define ROUNDING GST_MSECOND

/* Less than this missing at a flagged discontinuity is not a hole. */
#define HALF_A_HOP (5 * GST_MSECOND)

static GstClockTimeDiff to_time(const Timeline *timeline, gint64 samples) {
  guint64 time = gst_util_uint64_scale_round((guint64)ABS(samples), GST_SECOND, timeline->rate_hz);
  return samples < 0 ? -(GstClockTimeDiff)time : (GstClockTimeDiff)time;
}

void timeline_restart(Timeline *timeline, guint rate_hz) {
  timeline->rate_hz = rate_hz;
  timeline->end = timeline->made = 0;
  timeline->guessed = FALSE;
}

void timeline_advance(Timeline *timeline, guint64 samples) { timeline->end += samples; }

static const TimelineAnchor *newest(const Timeline *timeline) {
  return &timeline->anchors[(timeline->made - 1) % TIMELINE_ANCHORS];
}

static void drop_anchor(Timeline *timeline, const GstSegment *segment, GstClockTime timestamp) {
  TimelineAnchor *anchor = &timeline->anchors[timeline->made++ % TIMELINE_ANCHORS];
  *anchor = (TimelineAnchor){.position = timeline->end, .timestamp = timestamp, .segment = *segment};
}

/* MARK: times */

/* There is no time before a segment's beginning; a sample lies there only because of rounding. */
static GstClockTime not_negative(gint sign, guint64 time) {
  return sign < 0 ? 0 : sign > 0 ? time : GST_CLOCK_TIME_NONE;
}

static TimelineTimes times_in(const GstSegment *segment, GstClockTime timestamp) {
  if (segment->format != GST_FORMAT_TIME) return (TimelineTimes){timestamp, GST_CLOCK_TIME_NONE, GST_CLOCK_TIME_NONE};
  guint64 stream_time = 0, running_time = 0;
  gint stream_sign = gst_segment_to_stream_time_full(segment, GST_FORMAT_TIME, timestamp, &stream_time);
  gint running_sign = gst_segment_to_running_time_full(segment, GST_FORMAT_TIME, timestamp, &running_time);
  return (TimelineTimes){timestamp, not_negative(stream_sign, stream_time), not_negative(running_sign, running_time)};
}

static GstClockTime timestamp_of(const Timeline *timeline, const TimelineAnchor *anchor, guint64 position) {
  GstClockTimeDiff since = to_time(timeline, (gint64)(position - anchor->position));
  return since < 0 && (GstClockTime)-since > anchor->timestamp ? 0 : anchor->timestamp + (GstClockTime)since;
}

TimelineTimes timeline_at(const Timeline *timeline, guint64 position) {
  if (timeline->made == 0) return (TimelineTimes){GST_CLOCK_TIME_NONE, GST_CLOCK_TIME_NONE, GST_CLOCK_TIME_NONE};
  guint64 oldest = timeline->made > TIMELINE_ANCHORS ? timeline->made - TIMELINE_ANCHORS : 0;
  guint64 i = timeline->made - 1;
  while (i > oldest && timeline->anchors[i % TIMELINE_ANCHORS].position > position) i--;
  const TimelineAnchor *anchor = &timeline->anchors[i % TIMELINE_ANCHORS];
  return times_in(&anchor->segment, timestamp_of(timeline, anchor, position));
}

/* MARK: continuity */

/* A segment is also sent again when only its end has changed, which moves no time. */
static gboolean maps_alike(const GstSegment *a, const GstSegment *b) {
  return a->format == b->format && a->rate == b->rate && a->applied_rate == b->applied_rate && a->base == b->base &&
         a->offset == b->offset && a->start == b->start && a->time == b->time;
}

/* How much later than expected the timestamp is, in the time of the audio itself; FALSE if that has no meaning.
 * Another segment continues where the last one ended if both its running time (when it is heard) and its stream time
 * (what it is called) do. */
static gboolean lateness(const GstSegment *segment, GstClockTime timestamp, const TimelineAnchor *last,
                         GstClockTime expected, GstClockTimeDiff *late) {
  *late = GST_CLOCK_DIFF(expected, timestamp);
  if (maps_alike(segment, &last->segment)) return TRUE;
  if (segment->format != GST_FORMAT_TIME || last->segment.format != GST_FORMAT_TIME) return FALSE;
  if (segment->rate != last->segment.rate || segment->applied_rate != last->segment.applied_rate) return FALSE;
  TimelineTimes then = times_in(&last->segment, expected), now = times_in(segment, timestamp);
  if (!GST_CLOCK_TIME_IS_VALID(now.running_time) || !GST_CLOCK_TIME_IS_VALID(now.stream_time)) return FALSE;
  gdouble heard = (gdouble)GST_CLOCK_DIFF(then.running_time, now.running_time) * fabs(segment->rate);
  gdouble called = (gdouble)GST_CLOCK_DIFF(then.stream_time, now.stream_time) / segment->applied_rate;
  *late = (GstClockTimeDiff)called;
  return fabs(heard - called) <= HALF_A_HOP;
}

static TimelineStep begin(Timeline *timeline, const GstSegment *segment, GstClockTime timestamp) {
  GstClockTime start = segment->format == GST_FORMAT_TIME ? segment->start : 0;
  timeline->guessed = !GST_CLOCK_TIME_IS_VALID(timestamp);
  drop_anchor(timeline, segment, timeline->guessed ? start : timestamp);
  return TIMELINE_CONTINUES;
}

/* How much later than expected the timestamp is; FALSE if it does not follow at all. */
static gboolean follows(const Timeline *timeline, const GstSegment *segment, GstClockTime timestamp,
                        GstClockTimeDiff *late) {
  const TimelineAnchor *last = newest(timeline);
  if (!lateness(segment, timestamp, last, timestamp_of(timeline, last, timeline->end), late)) return FALSE;
  return *late >= -(GstClockTimeDiff)TIMELINE_LONGEST_STEP_BACK && *late <= (GstClockTimeDiff)TIMELINE_LONGEST_HOLE;
}

void timeline_trim_gap(const Timeline *timeline, const GstSegment *segment, GstClockTime *timestamp,
                       GstClockTime *duration) {
  GstClockTimeDiff late;
  if (timeline->made == 0 || !GST_CLOCK_TIME_IS_VALID(*timestamp)) return;
  if (!follows(timeline, segment, *timestamp, &late) || late >= 0) return;
  GstClockTime known = (GstClockTime)-late;
  *timestamp += known;
  if (GST_CLOCK_TIME_IS_VALID(*duration)) *duration -= MIN(*duration, known);
}

TimelineStep timeline_step(Timeline *timeline, const GstSegment *segment, GstClockTime timestamp, gboolean discont,
                           GstClockTime tolerance, guint64 *missing) {
  *missing = 0;
  if (timeline->made == 0) return begin(timeline, segment, timestamp);
  const TimelineAnchor *last = newest(timeline);
  gboolean same = maps_alike(segment, &last->segment);
  if (!GST_CLOCK_TIME_IS_VALID(timestamp)) return same ? TIMELINE_CONTINUES : TIMELINE_BREAKS;
  if (timeline->guessed && same) {
    timeline->made = 0; /* what came without timestamps came just before this */
    return begin(timeline, segment, timestamp);
  }
  GstClockTimeDiff late, allowed = (GstClockTimeDiff)MAX(ROUNDING, discont ? MIN(tolerance, HALF_A_HOP) : tolerance);
  if (!follows(timeline, segment, timestamp, &late)) return TIMELINE_BREAKS;
  if (late > allowed) *missing = gst_util_uint64_scale_round((guint64)late, timeline->rate_hz, GST_SECOND);
  timeline->end += *missing;
  if (!same || ABS(late) > (GstClockTimeDiff)ROUNDING) drop_anchor(timeline, segment, timestamp);
  return TIMELINE_CONTINUES;
}
