#!/usr/bin/env python3
"""Cuts by the formats of `vadmon analyze` for programs that cut, as these programs do.

  Tests/Program/cuts.py VADMON

`clips` is read as the decoders of openai-whisper and faster-whisper read clip_timestamps, and `ffconcat` by FFmpeg. The
cases are those of exports.py. FFmpeg also cuts a video in which flashes and beeps come together.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from exports import SAMPLES, VADMON, Case, Spans, cases, vadmon


def stretches(spans: Spans) -> list[tuple[int, int]]:
    """Returns the speech of all channels as stretches that neither overlap nor touch, in ms."""
    speech = {time for label, _, start, end in spans if label == "speech" for time in range(start, end)}
    starts = sorted(time for time in speech if time - 1 not in speech)
    return list(zip(starts, sorted(time + 1 for time in speech if time + 1 not in speech), strict=True))


def whisper_clips(text: str, frame_count: int) -> list[tuple[int, int]]:
    """Returns what Whisper decodes, in its frames of 10 ms."""
    points = [round(float(time) * 100) for time in text.split(",")]
    if len(points) % 2 == 1:
        points.append(frame_count)
    seek, read = 0, []
    for start, end in zip(points[::2], points[1::2], strict=True):
        seek, end = max(seek, start), min(end, frame_count)
        if seek < end:
            read.append((seek, end))
            seek = end
    return read


def check_clips(case: Case, truth: dict[str, Spans]) -> int:
    count = 0
    for recording in case.recordings:
        spans = stretches(truth[str(recording)])
        read = whisper_clips(case.write("clips", recording), case.duration(recording) // 10)
        assert read == [(round(start / 10), round(end / 10)) for start, end in spans], (recording, read)
        count += len(read)
    return count


# The filters drop what is decoded from a key frame to the cut, so that it may be at any frame.
CONCAT = ["ffmpeg", "-loglevel", "error", "-y", "-copyts", "-safe", "0", "-f", "concat", "-segment_time_metadata", "1", "-i"]
SELECT = "aselect=concatdec_select,aresample=async=1"


def sound_length(script: Path) -> float:
    """Returns how many seconds of sound FFmpeg plays of a script."""
    raw = ["-map", "0:a", "-af", SELECT, "-ar", "16000", "-ac", "1", "-f", "s16le", "-"]
    return len(subprocess.run([*CONCAT, script, *raw], capture_output=True, check=True).stdout) / 32000


def check_sound(case: Case, truth: dict[str, Spans], work: Path) -> int:
    played = [path for path in case.recordings if "\n" not in path.name]
    if played != case.recordings:
        refused = subprocess.run([VADMON, "analyze", "--format", "ffconcat", "--", *case.recordings], capture_output=True)
        assert refused.returncode == 64 and b"new\\nline.wav" in refused.stderr, refused.stderr
    count = 0
    for path in played:
        if spans := stretches(truth[str(path)]):
            script = work / "one.ffconcat"
            script.write_text(case.write("ffconcat", path), encoding="utf-8")
            length, expected = sound_length(script), sum(end - start for start, end in spans) / 1000
            # Sound is cut at the packets of its format. Those of FLAC last 4096 samples.
            assert abs(length - expected) < 0.256 * len(spans), (script.read_text(), length, expected)
            count += len(spans)
    return count


def make_video(path: Path, begin: int, interval: int) -> None:
    """Speech in the first channel, beeps in the second, and flashes with them every half second.

    `interval` is that of the key frames. The container's clock shows `begin` seconds at the beginning, and a transport
    stream adds its own delay.
    """
    flash = "color=black:s=64x64:r=25:d=10,drawbox=c=white:t=fill:enable='lt(mod(t,0.5),0.099)'"
    beep = "sine=f=1000:r=48000:d=10,volume='lt(mod(t,0.5),0.1)':eval=frame"
    subprocess.run([
        "ffmpeg", "-loglevel", "error", "-y", "-f", "lavfi", "-i", flash, "-i", SAMPLES / "speech.flac", "-f", "lavfi", "-i", beep,
        "-filter_complex", "[1:a]aresample=48000[speech];[speech][2:a]join=inputs=2:channel_layout=stereo[sound]",
        "-map", "0:v", "-map", "[sound]",
        "-c:v", "mpeg4", "-g", str(interval), "-c:a", "aac", "-output_ts_offset", str(begin), path,
    ], check=True)


def rises(values: list[bool], step: float) -> list[float]:
    return [index * step for index, value in enumerate(values) if value and (index == 0 or not values[index - 1])]


def flashes_and_beeps(video: Path, work: Path) -> tuple[list[float], list[float], float]:
    """Returns when flashes and beeps begin in a video, and its length, all in seconds."""
    picture, sound = work / "picture.y", work / "sound.s16"
    subprocess.run([
        "ffmpeg", "-loglevel", "error", "-y", "-i", video, "-map", "0:v", "-r", "25", "-pix_fmt", "gray", "-f", "rawvideo", picture,
        "-map", "0:a", "-af", "pan=mono|c0=c1", "-f", "s16le", sound,
    ], check=True)
    frames = picture.read_bytes()
    samples = memoryview(sound.read_bytes()).cast("h")
    steps = [max(map(abs, samples[start:start + 480])) > 1000 for start in range(0, len(samples), 480)]
    # A pixel in the middle of each frame.
    return rises([value > 128 for value in frames[2080::4096]], 0.04), rises(steps, 0.01), len(frames) / 4096 / 25


def check_video(work: Path, name: str, begin: int, interval: int) -> int:
    """FFmpeg cuts a video by our script: each flash is where it should be, and its beep with it. Returns their number."""
    video, script, cut = work / name, work / "talk.ffconcat", work / "cut.mkv"
    make_video(video, begin, interval)
    case = Case([video], ["--channel", "1"])
    script.write_text(case.write("ffconcat"))
    speech = stretches(case.truth()[str(video)])
    subprocess.run([*CONCAT, script, "-vf", "select=concatdec_select", "-af", SELECT, "-c:v", "mpeg4", "-c:a", "pcm_s16le", cut],
                   check=True)
    flashes, beeps, length = flashes_and_beeps(cut, work)
    assert abs(length - sum(end - start for start, end in speech) / 1000) < 0.04 * len(speech), length
    expected, position = [], 0
    for start, end in speech:
        # One that a cut shortens to less than two frames may be missing.
        expected += [(position + time - start) / 1000 for time in range(0, 10_000, 500) if start < time < end - 80]
        position += end - start
    for time in expected:
        assert any(abs(flash - time) < 0.07 for flash in flashes), (time, flashes)
        assert any(abs(beep - time) < 0.07 for beep in beeps), (time, beeps)
    assert len(speech) > 2 and len(expected) > 5, speech
    return len(expected)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        clips = sounds = 0
        for case in cases(work):
            truth = case.truth()
            clips += check_clips(case, truth)
            sounds += check_sound(case, truth, work)
        print(f"clips: Whisper's decoder reads the same {clips} stretches of speech")
        # In a transport stream, FFmpeg seeks to any frame, and shows what comes after the next key frame.
        videos = [("it's a talk.mkv", 0, 100), ("later.mkv", 5, 100), ("talk.ts", 0, 1)]
        flashes = sum(check_video(work, *video) for video in videos)
        print(f"ffconcat: FFmpeg plays {sounds} stretches in their length, and {flashes} flashes of three videos with their beeps")


if __name__ == "__main__":
    main()
