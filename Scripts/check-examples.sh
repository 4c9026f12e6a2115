#!/bin/sh
# Builds Examples/C, JVM and janus and the bindings for C++, Rust and Go against the installed libraries, as a user
# would, and runs them.
#
# C and C++ are built with gcc and with clang, with AddressSanitizer, UndefinedBehaviorSanitizer and ThreadSanitizer,
# and run under valgrind's memcheck and helgrind. Rust, Go and Java are checked if their toolchains are installed
# (`Scripts/install-dependencies.sh go jvm`). VADMON is the program whose segments they must find:
# build/program/bin/vadmon.
. "$(dirname "$0")/checks.sh"
PATH=$PATH:$HOME/.cargo/bin
find_vadmon "${VADMON-}"

# The inputs: every sample as a mono 16-bit WAV at its own rate, and its first 1.6 s for programs that run a hundred
# times slower.
Scripts/labelled-recordings.sh "$vadmon" "$work/wav"
mkdir "$work/short"
for wav in "$work"/wav/*.wav; do sox "$wav" "$work/short/$(basename "$wav")" trim 0 1.6; done
short="$work/short/speech.wav $work/short/telephone-8k.wav $work/short/stereo-48k.wav"

# libvideopause does not depend on the C compiler, so that one build serves all: that of `make videopause`.
quietly make -s install-videopause PREFIX="$work/pause"

build() { # name, C compiler, C++ compiler or -, flags
  prefix=$work/$1/installed
  quietly make -s install-lib CC="$2" CFLAGS="$4" BUILD="$work/$1/lib" PREFIX="$prefix"
  export PKG_CONFIG_PATH="$prefix/lib/pkgconfig:$work/pause/lib/pkgconfig" LD_LIBRARY_PATH="$prefix/lib:$work/pause/lib"
  bin=$work/$1/bin
  make -s -C Examples/C CC="$2" CFLAGS="$4" BUILD="$bin"
  [ "$3" = - ] || for program in segments:voiceactivity pause:videopause; do
    "$3" $4 -std=c++17 -Wall -Wextra -Wpedantic -Wshadow -Werror "Bindings/cpp/${program%:*}.cpp" -o "$bin/${program%:*}-cpp" \
      $(pkg-config --cflags --libs "${program#*:}")
  done
}

# The output of every `pause` is that in Examples/README.md.
sed -n '/^[0-9.]* s: participant 1 is paused/,/^```/p' Examples/README.md | sed '$d' > "$work/pause.txt"
[ "$(wc -l < "$work/pause.txt")" -eq 8 ] || fail "Examples/README.md does not show what pause prints"
pauses() { # what, command
  what=$1; shift
  "$@" > "$work/found" 2> "$work/said" || { cat "$work/said" >&2; fail "$what fails"; }
  same "$what does not print (>) what Examples/README.md shows (<)" "$work/pause.txt" "$work/found"
}

same_as_vadmon() { # what, wav, found
  same "$1 does not find vadmon's segments (<) in $(basename "$2")" "${2%.wav}.txt" "$3"
}

finds_segments() { # what, command that reads raw PCM and takes the rate
  what=$1; shift
  for wav in "$work"/wav/*.wav; do
    sox "$wav" -t s16 - | "$@" "$(soxi -r "$wav")" > "$work/found"
    same_as_vadmon "$what" "$wav" "$work/found"
  done
}

exits() { # code, command…
  expected=$1; shift
  code=0
  "$@" > /dev/null 2> "$work/said" || code=$?
  [ $code -eq "$expected" ] || fail "exit code $code instead of $expected: $*"
  [ "$expected" -eq 0 ] || [ "$(wc -l < "$work/said")" -eq 1 ] || fail "not one sentence: $*"
}

check_segments() {
  for wav in "$work"/wav/*.wav; do
    "$bin/segments" "$wav" > "$work/found"
    same_as_vadmon "segments" "$wav" "$work/found"
    sox "$wav" -t wav - 2> /dev/null | "$bin/segments" - > "$work/found" # a header without the length
    same_as_vadmon "segments -" "$wav" "$work/found"
  done
  "$bin/segments" samples/stereo-48k.flac > /dev/null 2>&1 && fail "segments takes a FLAC for a WAV"
  sox -G samples/stereo-48k.flac -e float -b 32 "$work/float.wav"
  "$bin/segments" "$work/float.wav" > "$work/found" # stereo floats, mixed to their mean as in vadmon
  "$vadmon" analyze --no-config "$work/float.wav" --live --format audacity --min-silence 0 | diff - "$work/found" || fail "segments mixes otherwise than vadmon"
  head -c 100001 "$work/wav/speech.wav" > "$work/torn.wav"
  exits 64 "$bin/segments"
  exits 65 "$bin/segments" README.md
  exits 65 "$bin/segments" samples/telephone-8k.wav # µ-law, as its header states
  exits 66 "$bin/segments" "$work/none.wav"
  [ ! -c /dev/full ] || { code=0; "$bin/segments" "$work/wav/speech.wav" > /dev/full 2> /dev/null || code=$?; [ $code -eq 74 ]; } ||
    fail "segments does not notice a full disk"
  "$bin/segments" "$work/torn.wav" 2> "$work/said" | grep -q speech && grep -q 'ends before' "$work/said" ||
    fail "segments does not analyse a torn file as far as it goes"
}

check_muted() {
  "$bin/muted" --fast "$work/wav/muted-talk.wav" > "$work/said"
  since=$("$vadmon" analyze --no-config "$work/wav/muted-talk.wav" --preset notice --mute-timeline 4-10 --format jsonl |
    sed -n 's/^{"type": "muted_speech".*"start": \([0-9]*\.[0-9][0-9]\).*/\1/p')
  grep -q "You are muted. Unmute to speak. (speaking since $since)" "$work/said" ||
    fail "muted does not report the muted speech that vadmon finds at $since s: $(cat "$work/said")"
  [ "$(wc -l < "$work/said")" -eq 4 ] || fail "muted says more than it should: $(cat "$work/said")"
  # A microphone that hears only the loudspeaker.
  "$bin/muted" --fast --reference "$work/wav/muted-talk.wav" "$work/wav/muted-talk.wav" > "$work/said"
  ! grep -q "You are muted" "$work/said" || fail "muted takes the far end for the user: $(cat "$work/said")"
  "$bin/muted" --fast --reference "$work/torn.wav" "$work/wav/muted-talk.wav" 2> "$work/said" > /dev/null
  grep -q 'reference ends before its header' "$work/said" && grep -q 'reference ends [0-9.]* s before the WAV' "$work/said" ||
    fail "muted does not say that its reference is torn: $(cat "$work/said")"
}

check_server() { # a thousand streams; the first 200 alone, on one thread, must give the same segments
  "$bin/server" --threads 4 --segments "$work/thousand" "$work"/wav/*.wav
  "$bin/server" --threads 1 --streams 200 --segments "$work/alone" "$work"/wav/*.wav > /dev/null 2>&1
  sed '/^200	/,$d' "$work/thousand" | cmp -s - "$work/alone" || fail "a stream's segments depend on its neighbours or its thread"
  python3 Examples/C/check-server.py "$work/thousand" "$work/wav" samples
  exits 64 "$bin/server" --streams 0 "$work/wav/speech.wav"
  exits 64 "$bin/server"
  exits 66 "$bin/server" "$work/none.wav"
  exits 65 "$bin/server" README.md
}

build gcc gcc g++ '-O2 -g'
pauses Examples/C/pause.c "$bin/pause"
pauses Bindings/cpp/pause.cpp "$bin/pause-cpp"
check_segments
check_muted
check_server
finds_segments "Bindings/cpp" "$bin/segments-cpp"
g++ -O1 -std=c++17 -Wall -Wextra -Wpedantic -Wshadow -Werror -IBindings/cpp Bindings/cpp/tests/rules.cpp -o "$bin/rules" \
  $(pkg-config --cflags --libs voiceactivity) -pthread
"$bin/rules" "$work/wav" || fail "Bindings/cpp"
say "gcc: segments, muted, server and C++ agree with vadmon"

# valgrind 3.19 cannot read clang's debug information, and helgrind does not support C11 atomics, so `muted` is left to
# ThreadSanitizer.
valgrind -q --error-exitcode=9 --leak-check=full "$bin/segments" "$work/short/stereo-48k.wav" > /dev/null
pauses "memcheck of pause" valgrind -q --error-exitcode=9 --leak-check=full "$bin/pause"
quietly valgrind -q --error-exitcode=9 --leak-check=full "$bin/server" --streams 8 --threads 3 $short
quietly valgrind -q --tool=helgrind --error-exitcode=9 "$bin/server" --streams 6 --threads 3 $short
say "valgrind: memcheck and helgrind find nothing"
gcc_prefix=$prefix

# Sanitizers use gcc, whose run-time libraries need nothing else.
build clang "$clang" "$clang++" '-O2 -g'
check_segments
check_muted
pauses "pause, clang" "$bin/pause"
finds_segments "Bindings/cpp" "$bin/segments-cpp"
quietly "$bin/server" --streams 40 "$work"/wav/*.wav
say "clang: the same"

check_shortly() {
  quietly "$bin/server" --streams 24 --threads 4 $short
  check_muted
}
build address gcc g++ '-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all'
check_shortly
check_segments
finds_segments "Bindings/cpp" "$bin/segments-cpp"
build thread gcc - '-O1 -g -fsanitize=thread'
check_shortly
say "AddressSanitizer, UndefinedBehaviorSanitizer and ThreadSanitizer find nothing"

export PKG_CONFIG_PATH="$gcc_prefix/lib/pkgconfig:$work/pause/lib/pkgconfig" LD_LIBRARY_PATH="$gcc_prefix/lib:$work/pause/lib"
in_folder() { # folder, command
  (cd "$1" && shift && quietly "$@")
}
if command -v cargo > /dev/null; then
  export CARGO_TARGET_DIR="$work/rust"
  Packaging/package-crate.sh "$vadmon" "$work/crate"
  cp "$work"/wav/* "$work/crate/package/tests/data"
  in_folder "$work/crate/package" cargo test --quiet --release --locked --offline --features system
  in_folder Bindings/rust/videopause cargo test --quiet --release --locked --offline
  in_folder Bindings/rust/videopause cargo build --quiet --release --locked --offline
  finds_segments "Bindings/rust" "$work/rust/release/examples/segments"
  pauses "Bindings/rust/videopause" "$work/rust/release/pause"
  say "Rust: layouts are the headers'; segments agree with vadmon; pause with C"
else
  say "Rust skipped: there is no cargo"
fi
go_tests() { # folder, programs to build
  [ -z "$(gofmt -l "$1")" ] || fail "gofmt would change $(gofmt -l "$1")"
  in_folder "$1" go vet ./...
  in_folder "$1" go test ./...
  folder=$1
  shift
  in_folder "$folder" go build -o "$work/go/" "$@"
}
if command -v go > /dev/null; then
  # Go's cache does not notice that pkg-config returns a different folder from last time.
  export GOFLAGS="-mod=mod -tags=system" GOPROXY=off GOCACHE="$work/go-cache"
  Packaging/package-go.sh "$vadmon" "$work/go"
  cp "$work"/wav/* "$work/go/module/testdata"
  go_tests "$work/go/module" ./segments ./pause
  finds_segments "Bindings/go" "$work/go/segments"
  pauses "Bindings/go/pause" "$work/go/pause"
  go_tests Examples/janus ./driver
  exits 64 "$work/go/driver" -heights 0
  say "Go: segments agree with vadmon; pause with C; the driver for Janus passes its tests"
  if [ -d /usr/share/gocode/src/github.com/pion/webrtc ]; then
    [ -z "$(gofmt -l Examples/sfu)" ] || fail "gofmt would change $(gofmt -l Examples/sfu)"
    quietly Examples/sfu/build.sh "$work/sfu"
    exits 64 "$work/sfu/server" -policy none
    say "Pion: Examples/sfu builds"
  else
    say "Examples/sfu skipped: there is no Pion; Scripts/install-dependencies.sh sfu installs it"
  fi
else
  say "Go skipped: there is no go; Scripts/install-dependencies.sh go installs it"
fi
if command -v javac > /dev/null && java --list-modules | grep -q jdk.incubator.foreign; then
  incubator="--add-modules jdk.incubator.foreign"
  quietly javac $incubator -d "$work/java" Examples/JVM/*.java
  pauses "Examples/JVM" java $incubator --enable-native-access=ALL-UNNAMED -cp "$work/java" \
    -Dvideopause.library="$work/pause/lib/libvideopause.so" Pause
  say "Java: pause agrees with C"
else
  say "Java skipped: there is no JDK 17; Scripts/install-dependencies.sh jvm installs it"
fi
