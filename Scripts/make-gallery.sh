#!/bin/sh
# Draws the pictures of docs/gallery.md that vadmon writes itself, and the report in headless Chromium.
#
#     Scripts/make-gallery.sh VADMON            draws every picture again
#     Scripts/make-gallery.sh --check VADMON    fails if a picture in SVG differs from what vadmon draws now
#
# Processors round differently, which may move a point by a tenth, so that a check leaves numbers out.
set -eu
cd "$(dirname "$0")/.."
checks=no
if [ "$1" = --check ]; then checks=yes && shift; fi
vadmon=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mkdir "$work/labels" "$work/drawn"
cp samples/*.txt "$work/labels"
cp -R samples "$work"
(
  cd "$work"
  "$vadmon" analyze --no-config samples/muted-talk.flac --mute-timeline 4-10 --plot drawn/recording.svg > found
  "$vadmon" analyze --no-config samples --frames frames --format file-jsonl > found
  "$vadmon" compare labels frames --plot drawn/comparison.svg > found
  "$vadmon" analyze --no-config samples/muted-talk.flac --mute-timeline 4-10 --report report.html > found
  "$vadmon" label --no-config samples/muted-talk.flac --report label.html > found
  "$vadmon" compare labels frames --report differences.html --recordings samples > found
)
if [ $checks = yes ]; then
  for picture in recording comparison; do
    for file in "docs/pictures/$picture.svg" "$work/drawn/$picture.svg"; do
      sed 's/[0-9.]*[0-9]/#/g' "$file" > "$work/$(basename "$(dirname "$file")")-$picture"
    done
    cmp -s "$work/pictures-$picture" "$work/drawn-$picture" || {
      echo "make-gallery: docs/pictures/$picture.svg is not what vadmon draws now: Scripts/make-gallery.sh $1 draws it" >&2
      exit 1
    }
  done
  echo "make-gallery: the pictures are what vadmon draws"
else
  cp "$work"/drawn/*.svg docs/pictures
  for picture in report:860 label:1260 differences:1180; do
    chromium --headless --no-sandbox --hide-scrollbars --window-size=1100,${picture#*:} --virtual-time-budget=3000 \
      --screenshot="$PWD/docs/pictures/${picture%:*}.png" "file://$work/${picture%:*}.html" 2> "$work/browser" ||
      { cat "$work/browser" >&2; exit 1; }
  done
fi
