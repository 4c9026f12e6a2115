/* virtual_device.h — the interface between a test and the virtual capture device.
 *
 * The device is a microphone in a world whose clock never stops. Frame n of the world's sound is made at exactly
 * start + n / rate on CLOCK_MONOTONIC, whether or not anything listens. A fault hides frames, but never moves them.
 * A test can therefore check exactly that frames captured + frames lost = frames made.
 *
 * The device file is a text with one setting a line, in any order; `#` begins a comment:
 *
 *     rate 16000 [48000]         offered rates in Hz, from and to              (16000)
 *     channels 1 [8]             offered channel counts, from and to           (1)
 *     format S16_LE              an offered format; repeat the line for more   (S16_LE)
 *     sound ramp                 a count of frames, or the path of an audio file (ramp)
 *     loop PATH                  an audio file, repeated endlessly
 *     refuse EBUSY [3]           opening fails with this error, 3 times or always
 *     refuse-parameters EIO      hw_params fails with this error
 *     keep [1]                   what does not fit into the buffer waits outside it, as with a sound server; 1 frame of
 *                                the buffer is never filled, as with PulseAudio's plugin. Without this line, it
 *                                overwrites the oldest frames, as with a sound card
 *     no-delay                   asked how long its frames are on their way, it fails with EIO
 *     at FRAME FAULT [L] [abrupt]
 *
 * List faults in the order of their frames. L is a number of frames; a time is given as its number of frames:
 *
 *     overrun          the device stops (XRUN) and loses L frames from FRAME
 *     suspend          SUSPENDED; resume or prepare ends it; L frames are lost
 *     suspend-prepare  SUSPENDED; only prepare ends it
 *     broken           XRUN after this and every further start, until the device is opened anew
 *     gone             DISCONNECTED, and opening fails with ENODEV, until L frames later (0: forever)
 *     stall            shows no frame from FRAME on until L frames later, then all of them
 *     stand            shows no frame from FRAME on until L frames later; those are lost, and the counter skips them
 *     idle             as `stand`, but the descriptor stays readable throughout, as with PulseAudio's plugin
 *     short            shows no frame from FRAME on until the reader has those before it
 *     error            the next L transfers (at least 1) fail with EIO; nothing is lost
 *     sleep            the transfer of FRAME takes L frames' time, as if the reader had been kept from running
 *     end              the last frame of the world is the one before FRAME
 *
 * A fault strikes once the reader has every frame before it, so that the loss does not depend on the reader's speed.
 * Until then, no frame behind the fault is shown. Leave the reader enough time between two faults: a reader that is
 * later than that sees a device that stands still. With `abrupt`, for faults that change the state, the fault strikes
 * at its time, and decides what happens to the frames that the reader has not fetched by then.
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

/* The step of the ramp from one channel to the next. A sample of the ramp is its frame number + this × its channel
 * (from 0), in the upper 16 bits of an S16 sample or the upper 24 of any other. A float holds all these values
 * exactly. */
enum { VIRTUAL_CHANNEL_STEP = 4099 };

/* The file NAME.state beside the device file NAME. It outlives the device, as the world does. Both sides map it; the
 * test reads it after the capture has ended. */
typedef struct {
  int64_t start_ns;    /* CLOCK_MONOTONIC when the world began, at the first start; 0 before */
  uint64_t restart_at; /* the frame at which the next start begins; if 0, the frame of that moment */
  uint64_t position;   /* the frame after the last one that was handed over */
  uint64_t made;       /* the frames made when the device was last stopped or closed */
  uint32_t rate;       /* the world's rate in frames per second, as negotiated at the first start */
  uint32_t next_fault; /* the number of faults that have struck */
  uint32_t is_away;    /* whether the device is gone until `restart_at` (0: forever) */
  uint32_t opens, refusals, starts, prepares, resumes, closes;
} virtual_device_state;

#endif
