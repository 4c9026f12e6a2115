/* virtual_device.h — what a test and the virtual capture device share.
 *
 * The device is a microphone in a world whose clock never stops. Frame n of the world's sound is made at exactly
 * start + n / rate on CLOCK_MONOTONIC, whether somebody listens or not; a fault hides frames, it never moves them.
 * Frames captured + frames lost = frames made, then, is something a test can ask for to the frame.
 *
 * The device file is a text, one setting a line, in any order; `#` begins a comment:
 *
 *     rate 16000 [48000]         offered rates in Hz, from and to              (16000)
 *     channels 1 [8]             offered channel counts, from and to           (1)
 *     format S16_LE              an offered format; repeat the line for more   (S16_LE)
 *     sound ramp                 a count of frames, or the path of an audio file (ramp)
 *     loop PATH                  an audio file over and over
 *     refuse EBUSY [3]           opening fails so, 3 times or always
 *     refuse-parameters EIO      hw_params fails so
 *     keep                       what does not fit into the buffer waits outside it, as with a sound server; without
 *                                this line it overwrites the oldest frames, as with a sound card
 *     at FRAME FAULT [L] [abrupt]
 *
 * Faults, in the order of their frames. L counts frames, and time in frames at that:
 *
 *     overrun          the device stops (XRUN) and loses L frames from FRAME
 *     suspend          SUSPENDED; resume cures it, prepare as well; L frames are lost
 *     suspend-prepare  SUSPENDED; only prepare cures it
 *     broken           XRUN after this and every further start, until it is opened anew
 *     gone             DISCONNECTED, and opening fails with ENODEV, until L frames later (0: for ever)
 *     stall            shows no frame behind FRAME until L frames later; then all of them
 *     stand            shows no frame behind FRAME until L frames later; those are lost, and the counter goes on without them
 *     idle             the same, and the descriptor is readable all the while, as with PulseAudio's plugin
 *     short            shows no frame behind FRAME until the reader has those before it
 *     error            the next L transfers (at least 1) fail with EIO; nothing is lost
 *     sleep            the transfer of FRAME takes L frames' time, as if the reader had been kept from running
 *     end              the last frame of the world is the one before FRAME
 *
 * A fault strikes once the reader has every frame before it, so that what is lost is the same however fast the
 * reader is; until then no frame behind it is shown. So leave the reader time between two faults: one that is late by
 * more sees a device that stands. With `abrupt`, which is for faults that change the state, a fault strikes at its
 * time, and what the reader has not fetched by then is up to the fault.
 *
 * To try it by hand:
 *
 *     cc -fPIC -DPIC -shared -o /tmp/virtual.so Tests/VirtualDevice/[a-z]*.c -lasound -lsndfile
 *     echo 'pcm_type.virtual { lib "/tmp/virtual.so" } pcm.mic { type virtual file "/tmp/mic" }' > /tmp/asound.conf
 *     echo 'at 8000 overrun 160' > /tmp/mic
 *     ALSA_CONFIG_PATH=/tmp/asound.conf arecord -D mic -f S16_LE -r 16000 -d 2 /tmp/mic.wav
 */
#ifndef VIRTUAL_DEVICE_H
#define VIRTUAL_DEVICE_H

#include <stdint.h>

/* A sample of the ramp is its frame's number + this × its channel (from 0), in the upper 16 bits of an S16 sample or
 * the upper 24 of any other: all values that a float holds exactly. */
enum { VIRTUAL_CHANNEL_STEP = 4099 };

/* The file NAME.state beside the device file NAME: it outlives the device, as the world does. Mapped by both; the test
 * looks at it when capture has ended. */
typedef struct {
  int64_t start_ns;    /* CLOCK_MONOTONIC when the world began: the first start; 0: not yet */
  uint64_t restart_at; /* frame with which the next start begins if not 0; otherwise the one of that time */
  uint64_t position;   /* frame behind the last one that was handed over */
  uint64_t made;       /* frames made when the device was last stopped or closed */
  uint32_t rate;       /* frames per second of the world: what the first start found negotiated */
  uint32_t next_fault; /* faults that have struck */
  uint32_t is_away;    /* gone until `restart_at` (0: for ever) */
  uint32_t opens, refusals, starts, prepares, resumes, closes;
} virtual_device_state;

#endif
