#!/bin/sh
# Makes the network's weights: material, mixtures, training, C table. Three hours on two cores.
#
#     Training/train.sh                                        of synthesised sounds alone
#     Training/train.sh --speech DIR --noise DIR --music DIR   of your recordings
#     Training/train.sh --small                                everything once on tiny material, to see that it runs
#
# --speech, --noise, --music: folders of recordings, any number of each. What is not given is synthesised (synthesise.py
#   says which Debian packages that needs). Speech should be near-clean.
# --speechless DIR   noise that surely holds no speech: --teachers does not judge it
# --add-synthetic    synthesise as well what is given
# --teachers         let Silero VAD say where speech is in the clean recordings; without it their energy tells. Of the
#   scenes, learn what the detector in place, Silero VAD and MarbleNet say, too
# --continue         begin with the weights in place
# --hours N, --steps N   of mixtures (55) and of training (6000)
# --seed N           of everything (1)
# --work DIR         where everything goes (.build-training/work); 35 MB an hour of mixtures, 115 MB an hour of sound
# --install          put the weights in place: Training/weights*.npz, the core's table and the tests' vectors
#
# The smoother learns behind the network that is in place: with --install the new one.
#
# The weights beside an echo lie seven tenths of the way from the plain ones to those that calls train further
# (fit.py --share 0.7; --unmixed keeps the latter). All recordings are used. To measure with recordings that were not,
# run calls.py --half 0 by hand, then Benchmarks/echo/compare.sh --half 1: a half has whole speakers, where the names
# tell them.
#
# Needs Python 3.11 or later, a C compiler, ffmpeg and sox. The first run fetches requirements.txt from PyPI into
# .build-training, and nothing else; PYTHON=PATH takes an environment that has it all. A run begins
# anew; to go on after one that was broken off, run mix.py or fit.py by hand.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/.." && pwd)
build=$root/.build-training

fail() { # code, sentence
  echo "train: $2" >&2
  exit "$1"
}

work=$build/work seed=1 hours=55 steps=6000 call_hours=32 call_steps=2000 small= install= add= teachers= continue=
smoother_hours=20 smoother_steps=2500
speech_files=1500 noise_files=1200 music_files=200
speech= noise= speechless= music=
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) exec sed -n '2,/^$/s/^# \{0,1\}//p' "$0" ;;
    --small)
      small=yes hours=0.4 steps=20 call_hours=0.4 call_steps=5 smoother_hours=0.4 smoother_steps=5
      speech_files=8 noise_files=23 music_files=3 ;;
    --install) install=yes ;;
    --add-synthetic) add=yes ;;
    --teachers) teachers=yes ;;
    --continue) continue=yes ;;
    --speech | --noise | --speechless | --music | --hours | --steps | --seed | --work)
      [ $# -gt 1 ] || fail 64 "$1 needs a value; try --help"
      option=$1
      shift
      case $option in
        --hours) hours=$1 ;;
        --steps) steps=$1 ;;
        --seed) seed=$1 ;;
        --work) mkdir -p "$1" || fail 74 "$1 cannot be made"; work=$(cd "$1" && pwd) ;;
        *) # one folder or several
          while :; do
            [ -d "$1" ] || fail 66 "$1: no such folder"
            folder=$(cd "$1" && pwd)
            case $folder in *[[:space:]]*) fail 64 "$folder: give it a name without spaces" ;; esac
            case $option in
              --speech) speech="$speech $folder" ;;
              --noise) noise="$noise $folder" ;;
              --speechless) speechless="$speechless $folder" ;;
              --music) music="$music $folder" ;;
            esac
            case ${2:---} in -*) break ;; esac
            shift
          done ;;
      esac ;;
    *) fail 64 "$1 is not an option; try --help" ;;
  esac
  shift
done
[ -z "$small" ] || [ -z "$install" ] || fail 64 "--small makes weights that nobody should install"
for program in ffmpeg sox; do
  command -v $program > /dev/null || fail 69 "$program is not on PATH: apt-get install $program"
done

if [ -z "${PYTHON:-}" ]; then
  "$root/Scripts/python-environment.sh" "$here/requirements.txt" "$build"
  PYTHON=$build/python/bin/python
fi
run() { # script, arguments…
  echo "train: $1" >&2
  script=$1
  shift
  "$PYTHON" "$here/$script" "$@"
}

# 1. Sounds of what is missing.
made=$work/synthetic
[ -n "$speech" ] && [ -z "$add" ] && speech_files=0
[ -n "$noise$speechless" ] && [ -z "$add" ] && noise_files=0
[ -n "$music" ] && [ -z "$add" ] && music_files=0
if [ $((speech_files + noise_files + music_files)) -gt 0 ]; then
  rm -rf "$made"
  run synthesise.py "$made" --seed "$seed" --speech $speech_files --noise $noise_files --music $music_files
  [ $speech_files -eq 0 ] || speech="$speech $made/speech"
  [ $noise_files -eq 0 ] || speechless="$speechless $made/noise"
  [ $music_files -eq 0 ] || music="$music $made/music"
fi

# 2. One form for all, and labels. 3. Mixtures. 4. Training. 5. The weights beside an echo.
run material.py "$work" --speech $speech ${noise:+--noise $noise} ${speechless:+--speechless $speechless} \
  --music $music ${teachers:+--teacher silero}
run mix.py "$work" --hours "$hours" --seed "$seed" ${teachers:+--teacher silero marblenet}
run fit.py "$work" --steps "$steps" --seed "$seed" ${continue:+--start "$here/weights.npz"}
rm -rf "$work/calls"
run calls.py "$work/calls" --speech $speech --noise $noise $speechless --music $music --hours $call_hours --seed "$seed"
run fit.py "$work/calls" --start "$work/weights.npz" --share 0.7 --steps $call_steps --seed "$seed"
cp "$work/calls/weights.npz" "$work/weights-beside-echo.npz"

# 6. The smoother learns from the core, which must have the new network before.
weights=$work
if [ -n "$install" ]; then
  cp "$work/weights.npz" "$work/weights-beside-echo.npz" "$here/"
  run export_weights.py
  weights=$here
fi
rm -rf "$work/smoother"
mkdir "$work/smoother"
for kind in speech noise music; do ln -f "$work/$kind.s16" "$work/$kind.npz" "$work/smoother/"; done
run mix.py "$work/smoother" --hours "$smoother_hours" --seed $((seed + 1)) ${teachers:+--teacher silero marblenet}
run smooth.py "$work/smoother" --steps "$smoother_steps" --seed "$seed" --out "$weights/smoother.npz"

# 7. The C tables, and what the tests hold the network to.
if [ -n "$install" ]; then
  run export_weights.py
  run make_vectors.py
  echo "The weights are in place. Next: make test, and the accuracy on recordings that were not trained on."
else
  run export_weights.py --weights "$work/weights.npz" --out "$work/weights_generated.c"
  run make_vectors.py --weights "$work/weights.npz" --out "$work/network-vectors.txt"
  echo "The weights and the C tables are in $work; --install would have put them in place. The smoother there follows the" \
    "network that is in place, not the new one."
fi
