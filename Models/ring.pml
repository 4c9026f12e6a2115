/* The index protocol of SampleRing (Sources/RealTime/Ring), for spin: one writer, one reader, CAPACITY slots,
 * MARKS gap marks, blocks of 1 … CAPACITY + 1 samples, nondeterministic order, lengths and read limits.
 *
 * Proved for every interleaving:
 *   - no slot is read before it is written, none is overwritten before it is read;
 *   - every sample read is the one of the reader's position, so each gap is met at its exact place;
 *   - at the end, samples read + samples missing = samples produced;
 *   - both halves come to their end (no invalid end state).
 *
 * Not proved: anything about memory ordering. spin interleaves whole steps in one order that all processes
 * see (sequential consistency), while the program uses acquire and release. That those suffice is argued in
 * RingMemory.swift and exercised by ThreadSanitizer.
 *
 * Numbers are bytes and start at START = 253, so that indices and positions wrap within a few samples, as
 * the program's 64 bits do after 2^64. Names are those of the program. `check.sh` runs this file for several
 * sizes, and once for each seeded BUG, which spin must find.
 */
#ifndef CAPACITY
#define CAPACITY 2
#endif
#ifndef MARKS
#define MARKS 1
#endif
#ifndef BLOCKS
#define BLOCKS 4
#endif
#define START 253
/* Difference of two wrapping indices. */
#define DISTANCE(to, from) (((to) - (from)) & 255)
#ifndef BUG_GAP_TOO_EARLY
/* The mark is newer than the cached index: it may belong behind samples that are not known yet. */
#define AT_GAP marks != cachedMarks && markIndex[marks % MARKS] == index
#else
#define AT_GAP marks != cachedMarks
#endif
#define ADVANCE(slot) slot = (slot + 1 == CAPACITY -> 0 : slot + 1)

/* Shared: the samples, each of which is its own position, and whether a slot is in the reader's hands. */
byte sample[CAPACITY];
bool isFull[CAPACITY];
/* Shared: the marks. */
byte markIndex[MARKS];
byte markMissing[MARKS];
/* The writer's line. */
byte writtenIndex = START, writtenMarks, lost;
bool isWriterGone;
/* The reader's line. */
byte readIndex = START, readMarks;

/* What the reader has got: for the assertion at the end. */
byte produced, received, missing;

proctype Writer() {
  byte index = START, slot, cachedRead = START, marks, openGap, blocks, count, n;
  do
  :: blocks == BLOCKS -> break
  :: blocks < BLOCKS ->
     blocks++;
     select(count: 1 .. (CAPACITY + 1));
     produced = produced + count;
     if /* makeRoom: look again only when the cached index is not enough, or a gap needs a mark */
     :: CAPACITY - DISTANCE(index, cachedRead) < count || openGap > 0 -> cachedRead = readIndex
     :: else
     fi;
     if
#ifdef BUG_ONE_TOO_MANY
     :: CAPACITY + 1 - DISTANCE(index, cachedRead) >= count &&
#else
     :: CAPACITY - DISTANCE(index, cachedRead) >= count &&
#endif
#ifdef BUG_NO_MARK_CHECK
        true ->
#else
        (openGap == 0 || DISTANCE(marks, readMarks) < MARKS) ->
#endif
#ifndef BUG_MARK_AFTER_SAMPLES
        if /* closeGap: before the samples behind it */
        :: openGap > 0 ->
           markIndex[marks % MARKS] = index;
           markMissing[marks % MARKS] = openGap;
           openGap = 0;
           marks++;
           writtenMarks = marks
        :: else
        fi;
#endif
#ifdef BUG_PUBLISH_FIRST
        writtenIndex = index + count;
#endif
        n = 0;
        do
        :: n < count ->
           assert(!isFull[slot]); /* none is overwritten before it is read */
           sample[slot] = index + lost;
           isFull[slot] = true;
           ADVANCE(slot);
           index++;
           n++
        :: else -> break
        od;
        writtenIndex = index; /* commit */
#ifdef BUG_MARK_AFTER_SAMPLES
        if
        :: openGap > 0 ->
           markIndex[marks % MARKS] = index - count;
           markMissing[marks % MARKS] = openGap;
           openGap = 0;
           marks++;
           writtenMarks = marks
        :: else
        fi
#endif
     :: else -> /* the block joins the gap */
#ifndef BUG_LOSS_FORGOTTEN
        openGap = openGap + count;
#else
        openGap = count;
#endif
        lost = lost + count
     fi
  od;
  isWriterGone = true
}

proctype Reader() {
  byte index = START, slot, cachedWritten = START, marks, cachedMarks, limit, count, n;
  bool isGone;
  do
  :: select(limit: 1 .. CAPACITY);
     isGone = false;
     /* Is what the reader knows of enough? */
     count = DISTANCE(cachedWritten, index);
     if
     :: marks != cachedMarks && DISTANCE(markIndex[marks % MARKS], index) < count ->
        count = DISTANCE(markIndex[marks % MARKS], index)
     :: else
     fi;
     if
     :: count < limit -> /* lookAgain: the flag, the index, the marks, in this order */
#ifndef BUG_FLAG_LAST
        isGone = isWriterGone;
#endif
#ifdef BUG_MARKS_BEFORE_INDEX
        cachedMarks = writtenMarks;
#endif
        cachedWritten = writtenIndex;
#ifndef BUG_MARKS_BEFORE_INDEX
        cachedMarks = writtenMarks;
#endif
#ifdef BUG_FLAG_LAST
        isGone = isWriterGone;
#endif
        count = DISTANCE(cachedWritten, index);
        if
        :: marks != cachedMarks && DISTANCE(markIndex[marks % MARKS], index) < count ->
           count = DISTANCE(markIndex[marks % MARKS], index)
        :: else
        fi
     :: else
     fi;
     if
     :: count > 0 ->
        count = (count < limit -> count : limit);
#ifdef BUG_GIVE_BACK_FIRST
        readIndex = index + count;
#endif
        n = 0;
        do
        :: n < count ->
           assert(isFull[slot]); /* none is read before it is written */
           assert(sample[slot] == ((index + missing) & 255)); /* and it is at its place */
           isFull[slot] = false;
           ADVANCE(slot);
           index++;
           received++;
           n++
        :: else -> break
        od;
        readIndex = index /* commit */
     :: count == 0 && AT_GAP -> /* takeMark */
        missing = missing + markMissing[marks % MARKS];
        marks++;
        readMarks = marks
     :: count == 0 && !(AT_GAP) && isGone -> /* endOfStream */
#ifndef BUG_LAST_GAP_FORGOTTEN
        missing = lost;
#endif
        break
     :: count == 0 && !(AT_GAP) && !isGone ->
        /* Empty: the real reader sleeps (wake.pml). Here it waits for news, so that searching ends. */
        (writtenIndex != index || writtenMarks != marks || isWriterGone)
     fi
  od;
  assert(((received + missing) & 255) == produced)
}

init {
  atomic {
    run Writer();
    run Reader()
  }
}
