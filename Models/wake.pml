/* The sleep and wake-up protocol of SampleRing (RingLine.wake, prepareToSleep), for spin.
 *
 * One producer publishes ITEMS things, one at a time; a consumer takes them and sleeps on a sticky signal
 * when there are none. With ROOM below ITEMS the producer waits for room in the same way, so both
 * directions run at once. A consumer may wait for WANTED things at a time, and is woken for fewer only at
 * the end or if the producer finds them urgent. Proved for every interleaving: nobody sleeps for ever (a lost wake-up is an
 * invalid end state) and everything arrives.
 *
 * The model is sequentially consistent, as spin is, and so are the program's four accesses: here the model
 * and the memory order agree.
 */
#ifndef ITEMS
#define ITEMS 4
#endif
#ifndef ROOM
#define ROOM 1
#endif
#ifndef WANTED
#define WANTED 1
#endif

byte written, read, wanted;
bool isReaderAsleep, isWriterAsleep, isWriterGone;
/* Sticky signals, such as an eventfd: waiting ends at once if the signal came before. */
bool readerSignal, writerSignal;

/* RingLine.wake: look at the flag, take it down with an exchange, and signal if it was still up. */
inline wake(isAsleep, signal) {
#ifdef BUG_NEVER_WAKE
  skip
#else
  if
  :: isAsleep ->
     atomic { wasAsleep = isAsleep; isAsleep = false };
     if
     :: wasAsleep -> signal = true
     :: else
     fi
  :: else
  fi
#endif
}

inline sleepOn(signal) { atomic { signal -> signal = false } }

proctype Writer() {
  byte index;
  bool wasAsleep, mustSleep;
  do
  :: index == ITEMS -> break
  :: index < ITEMS ->
     do /* prepareToSleep(untilRoomFor: 1): the flag first, then a look */
#ifdef BUG_LOOK_FIRST
     :: mustSleep = (index - read == ROOM);
        isWriterAsleep = true;
#else
     :: isWriterAsleep = true;
        mustSleep = (index - read == ROOM);
#endif
        if
        :: mustSleep -> sleepOn(writerSignal)
        :: else -> isWriterAsleep = false; break
        fi
     od;
     index++;
#ifdef BUG_WAKE_FIRST
     wake(isReaderAsleep, readerSignal);
     written = index
#else
     written = index;
     /* RingLine.wake(at:): the flag, then the index. */
     if
     :: isReaderAsleep ->
        if
        :: index >= wanted -> wake(isReaderAsleep, readerSignal)
        :: index < wanted -> skip
        :: index < wanted -> wake(isReaderAsleep, readerSignal) /* Writer.wake: something urgent */
        fi
     :: else
     fi
#endif
  od;
  isWriterGone = true;
#ifdef BUG_PATIENT_END
  if
  :: index >= wanted -> wake(isReaderAsleep, readerSignal)
  :: else
  fi
#else
#ifndef BUG_SILENT_END
  wake(isReaderAsleep, readerSignal)
#endif
#endif
}

proctype Reader() {
  byte index, known, count;
  bool wasAsleep, isGone;
  do
  :: isGone = isWriterGone;
     known = written;
     if
     :: known != index ->
        index++;
        read = index;
        wake(isWriterAsleep, writerSignal)
     :: known == index && isGone -> break
     :: known == index && !isGone ->
        /* prepareToSleep(for:) */
        if
        :: count = 1
        :: count = WANTED
        fi;
#ifdef BUG_LOOK_FIRST_READER
        isGone = isWriterGone;
        known = written;
        wanted = index + count;
        isReaderAsleep = true;
#else
        wanted = index + count;
        isReaderAsleep = true;
        isGone = isWriterGone;
        known = written;
#endif
        if
        :: known - index < count && !isGone -> sleepOn(readerSignal)
        :: else -> isReaderAsleep = false
        fi
     fi
  od;
  assert(index == ITEMS)
}

init {
  atomic {
    run Writer();
    run Reader()
  }
}
