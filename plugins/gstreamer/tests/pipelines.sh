#!/bin/sh
# Runs the element in pipelines of gst-launch-1.0, as a user would, on the recordings of samples/: as fast as possible
# and in real time. `meson test pipelines` calls it with SAMPLES_DIR, GST_PLUGIN_PATH, GST_REGISTRY and WORK set.
#
# What is found is held against the labels beside the recordings; the audio that comes out against what went in.
set -eu
mkdir -p "$WORK"
here=$(cd "$(dirname "$0")" && pwd)
export GST_DEBUG_NO_COLOR=1

fail() {
  echo "pipelines: $*" >&2
  exit 1
}

decoded() { # FILE: the beginning of a pipeline
  case $1 in
    *.flac) echo "filesrc location=$SAMPLES_DIR/$1 ! flacparse ! flacdec" ;;
    *.wav) echo "filesrc location=$SAMPLES_DIR/$1 ! decodebin" ;;
  esac
}

# PIPELINE…: what the element says, as lines of "type stream-time-in-seconds".
reported() {
  # shellcheck disable=SC2068 # a pipeline is words
  gst-launch-1.0 -m $@ > "$WORK/output" 2>&1 || { tail -n 3 "$WORK/output" >&2; fail "$* failed"; }
  lines < "$WORK/output"
}

# The messages among the output of gst-launch-1.0.
lines() {
  sed -n 's/.* voiceactivity, type=(string)\([a-z-]*\).* stream-time=(guint64)\([0-9]*\).*/\1 \2/p' |
    awk '{ printf "%s %.3f\n", $1, $2 / 1e9 }'
}

# FILE: what $WORK/reported calls speech is labelled so and the other way round, for 90 of 100 cells of 10 ms. The
# labels bridge pauses that the detector does not: that is the rest.
agrees_with_labels() {
  awk -v name="$1" '
    function mark(from, to, who) { for (cell = int(from * 100); cell < to * 100; cell++) speech[who, cell] = 1 }
    FILENAME == ARGV[1] { mark($1, $2, "label"); if ($2 > end) end = $2; next }
    $1 == "onset" { from = $2 }
    $1 == "offset" { mark(from, $2, "reported"); if ($2 > end) end = $2 }
    END {
      for (cell = 0; cell < end * 100; cell++) differ += (("label", cell) in speech) != (("reported", cell) in speech)
      printf "  %s: %.1f %% of %.1f s agree\n", name, end ? 100 - differ / end : 100, end
      exit differ > 10 * end
    }
  ' "$SAMPLES_DIR/${1%.*}.txt" "$WORK/reported" || fail "$1 is not heard as it is labelled"
}

echo "As fast as possible"
for file in speech.flac muted-talk.flac telephone-8k.wav keyboard.flac music.flac; do
  reported "$(decoded $file) ! voiceactivity ! fakesink" > "$WORK/reported"
  agrees_with_labels $file
done
reported "$(decoded stereo-48k.flac) ! voiceactivity channel=1 ! fakesink" > "$WORK/reported"
agrees_with_labels stereo-48k.flac

echo "In real time, the same"
began=$(date +%s)
reported "$(decoded stereo-48k.flac) ! voiceactivity channel=1 ! fakesink sync=true" > "$WORK/real-time"
[ $(($(date +%s) - began)) -ge 4 ] || fail "five seconds of audio took less than four"
cmp "$WORK/reported" "$WORK/real-time"

echo "Behind every converter"
for caps in format=F64BE,rate=192000,channels=6 format=U8,rate=8000 format=S24LE,rate=44100,layout=non-interleaved,channels=2; do
  reported "$(decoded speech.flac) ! audioconvert ! audioresample ! audioconvert ! audio/x-raw,$caps ! voiceactivity ! fakesink" > "$WORK/reported"
  [ "$(grep -c onset "$WORK/reported")" -eq 4 ] || fail "$caps: other onsets"
done

echo "The audio is untouched"
for through in identity voiceactivity "voiceactivity audio-level-meta=true messages=speech+level interval=10000000"; do
  gst-launch-1.0 -q $(decoded stereo-48k.flac) ! $through ! filesink location="$WORK/$(echo "$through" | wc -w).raw" > /dev/null
done
gst-launch-1.0 -q $(decoded stereo-48k.flac) ! filesink location="$WORK/0.raw"
for words in 1 4; do cmp "$WORK/0.raw" "$WORK/$words.raw"; done

echo "One recording after another"
reported "concat name=c ! voiceactivity ! fakesink $(decoded speech.flac) ! c. $(decoded speech.flac) ! c." > "$WORK/twice"
reported "$(decoded speech.flac) ! voiceactivity ! fakesink" > "$WORK/reported"
cat "$WORK/reported" "$WORK/reported" | cmp - "$WORK/twice" # the stream time begins anew with each

echo "Muted speech"
reported "$(decoded muted-talk.flac) ! voiceactivity muted=true preset=notice ! fakesink" > "$WORK/reported"
[ "$(grep -c muted-speech-begin "$WORK/reported")" -eq 3 ] || fail "muted speech was not reported three times"
[ "$(grep -c muted-speech-end "$WORK/reported")" -eq 3 ] || fail "muted speech did not end three times"

# The example of README.md, and the same without its probe.
echo "A far end in the loudspeaker is not muted speech"
example=$(sed -n '/^# The far end, and a microphone/,/^```/p' "$here/../README.md" | sed '1d;$d')
far_end() { # PIPELINE
  (cd "$SAMPLES_DIR/.." && eval "$1") > "$WORK/messages" 2>&1 ||
    { cat "$WORK/messages" >&2; fail "the example failed"; }
}
far_end "$example"
! grep -q muted-speech-begin "$WORK/messages" || fail "the far end counts as the user"
far_end "$(echo "$example" | sed 's/voiceactivityprobe/identity/')"
[ "$(grep -c muted-speech-begin "$WORK/messages")" -ge 3 ] || fail "without the probe, the far end is not muted speech"

echo "Live, with nothing but silence"
reported "audiotestsrc is-live=true wave=silence num-buffers=50 ! voiceactivity messages=speech+level ! fakesink" > "$WORK/reported"
grep -q '^level' "$WORK/reported" && ! grep -q onset "$WORK/reported" || fail "silence was not reported as such"

# A PulseAudio of its own, without a sound card, whose microphone hears what is played into its null sink. Its socket is
# in a folder with a short name, for those of sockets are limited to 107 bytes.
echo "A microphone of PulseAudio hears what the file says"
pulse=$(mktemp -d)
export PULSE_SERVER=unix:$pulse/native
HOME=$pulse XDG_RUNTIME_DIR=$pulse pulseaudio -n --daemonize=no --exit-idle-time=-1 --use-pid-file=no --disable-shm=yes \
  -L "module-native-protocol-unix socket=$pulse/native auth-anonymous=1" \
  -L "module-null-sink sink_name=loudspeaker rate=48000 channels=1 format=s16le" > "$WORK/pulse" 2>&1 &
server=$!
trap 'kill $server 2> /dev/null || true; rm -rf "$pulse"' EXIT
wait_for() { # SECONDS, COMMAND…
  left=$(($1 * 10))
  shift
  until "$@" > /dev/null 2>&1; do
    left=$((left - 1))
    [ $left -gt 0 ] || { cat "$WORK/pulse" "$WORK/messages" >&2; fail "$* takes too long"; }
    sleep 0.1
  done
}
wait_for 20 pactl info
# Two seconds of buffers on both sides, so that a busy machine loses nothing. The recording begins in a quiet room:
# where noise sets in out of digital silence, as it does in telephone-8k.wav, the first moment may well pass for an
# onset.
gst-launch-1.0 -e -m pulsesrc device=loudspeaker.monitor buffer-time=2000000 ! voiceactivity messages=speech+level ! fakesink \
  > "$WORK/messages" 2>&1 &
listener=$!
wait_for 20 grep -q 'type=(string)level' "$WORK/messages" # it hears
paplay --device=loudspeaker --latency-msec=2000 "$SAMPLES_DIR/speech.flac"
reported "$(decoded speech.flac) ! voiceactivity ! fakesink" > "$WORK/expected"
heard_all() { [ "$(grep -c 'type=(string)offset' "$WORK/messages")" -ge "$(grep -c offset "$WORK/expected")" ]; }
wait_for 60 heard_all
kill -INT $listener
wait $listener || fail "the pipeline of the microphone did not end well"
lines < "$WORK/messages" | grep -v '^level' > "$WORK/reported"
# Times count from the first onset: when the file began to play nobody knows.
awk '
  NR == FNR { type[NR] = $1; time[NR] = $2; count = NR; next }
  { off = $2 - time[FNR] - (shift += FNR == 1 ? $2 - time[1] : 0); found = FNR
    if ($1 != type[FNR] || off > 0.1 || off < -0.1) differs = 1 }
  END { exit differs || count < 4 || found != count }
' "$WORK/expected" "$WORK/reported" || { cat "$WORK/reported" >&2; fail "the microphone does not hear what the file says"; }
kill $server
unset PULSE_SERVER

echo "README.md's RTP caps put the level into each packet"
extension=$(sed -n "s/^  '\(application.x-rtp, .*\)' ! .*/\1/p" "$here/../README.md")
gst-launch-1.0 -q $(decoded speech.flac) ! voiceactivity audio-level-meta=true ! audioconvert ! rtpL16pay ! "$extension" ! \
  filesink location="$WORK/packets"
# The first packet: twelve bytes of RTP header with the extension bit, then RFC 8285's one-byte form, id 1, one byte.
# The sample begins with silence of a quiet room: no voice (bit 7), and far below full scale.
set -- $(od -A n -t u1 -N 18 "$WORK/packets")
[ $(($1 & 16)) -ne 0 ] && shift 12
[ "$1 $2 $3 $4 $5" = "190 222 0 1 16" ] || fail "no header extension: $*"
[ "$6" -gt 40 ] && [ "$6" -lt 128 ] || fail "a level of $6 in a quiet room"

# Where the sink gets the end of the stream instead of sound, gst-launch-1.0 (1.22) now and then reports the error and
# waits for ever.
echo "Wrong settings are reported"
! timeout 20 gst-launch-1.0 audiotestsrc num-buffers=1 ! voiceactivity onset-threshold=0.2 offset-threshold=0.3 ! fakesink > "$WORK/messages" 2>&1 ||
  fail "contradicting thresholds were taken"
grep -q 'thresholds are not 0 < offset <= onset < 1' "$WORK/messages" || fail "nothing says what is wrong with the thresholds"
! timeout 20 gst-launch-1.0 audiotestsrc num-buffers=1 ! voiceactivity channel=2 ! fakesink > "$WORK/messages" 2>&1 ||
  fail "a channel that is not there was taken"
grep -q 'no channel 2' "$WORK/messages" || fail "nothing says that the channel is not there"

echo "Nothing is left behind"
GST_TRACERS=leaks GST_DEBUG=GST_TRACER:7 gst-launch-1.0 -m $(decoded speech.flac) ! voiceactivity audio-level-meta=true \
  messages=15 ! tee name=t ! queue ! fakesink t. ! queue ! fakesink > "$WORK/messages" 2> "$WORK/leaks"
grep -q object-alive.class "$WORK/leaks" || fail "the leaks tracer did not run"
! grep 'object-alive, type-name=(string)[A-Z]' "$WORK/leaks" || fail "objects were leaked"

echo "inspect.txt is what gst-inspect-1.0 prints"
gst-inspect-1.0 --no-colors voiceactivity | sed -n '/^Element Properties:/,$p' | diff "$here/inspect.txt" - ||
  fail "inspect.txt (<) is behind the element (>)"

echo "pipelines: all passed"
