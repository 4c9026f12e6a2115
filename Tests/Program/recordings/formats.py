"""The formats that recordings come in, each with an encoder that shares nothing with vadmon."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import NamedTuple

from . import mpeg, programs
from .sound import Sound


class Format(NamedTuple):
    ending: str
    encode: Callable[[Sound], bytes]


def by_ffmpeg(ending: str, *options: str) -> Format:
    return Format(ending, lambda sound: programs.ffmpeg(sound.wav(), *options, ending=f".{ending}"))


def by_sox(ending: str, *options: str) -> Format:
    return Format(
        ending, lambda sound: programs.converted(["sox", "-D", "{in}", *options, "{out}"], sound.wav(), f".{ending}")
    )


def by_program(ending: str, *command: str) -> Format:
    return Format(ending, lambda sound: programs.converted(list(command), sound.wav(), f".{ending}"))


# Those that are joined in every pair, cut, and tagged.
FORMATS = {
    "wav": Format("wav", Sound.wav),
    "w64": by_ffmpeg("w64"),
    "aiff": by_sox("aiff"),
    "au": by_sox("au"),
    "caf": by_ffmpeg("caf"),
    "flac": by_program("flac", "flac", "--silent", "--no-padding", "{in}", "-o", "{out}"),
    "ogg": by_program("ogg", "oggenc", "--quiet", "--serial", "1", "{in}", "-o", "{out}"),
    "opus": by_program("opus", "opusenc", "--quiet", "--serial", "2", "{in}", "{out}"),
    "ogg-flac": by_program("oga", "flac", "--silent", "--ogg", "--serial-number=3", "{in}", "-o", "{out}"),
    "mp3": Format("mp3", lambda sound: mpeg.lame(sound, "-V", "5")),
    "mp2": Format("mp2", mpeg.layer2),
    "aac": by_ffmpeg("aac", "-c:a", "aac"),
    "m4a": by_ffmpeg("m4a", "-c:a", "aac"),
    "mka": by_ffmpeg("mka", "-c:a", "aac"),
    "webm": by_ffmpeg("webm", "-c:a", "libopus"),
    "wma": by_ffmpeg("wma", "-c:a", "wmav2"),
    "avi": by_ffmpeg("avi", "-c:a", "pcm_s16le"),
    "ac3": by_ffmpeg("ac3", "-ar", "48000"),
    "tta": by_ffmpeg("tta"),
    "wv": by_ffmpeg("wv"),
    "voc": by_sox("voc"),
    "sph": by_sox("sph"),
    "ts": by_ffmpeg("ts", "-c:a", "aac"),
}
# Those that have one rate, whatever the sound's.
FIXED_RATES = ("ac3", "opus", "webm")


def codecs(ending: str, names: str) -> dict[str, Format]:
    """A container with each of these codecs in it."""
    return {f"{ending} {codec}": by_ffmpeg(ending, "-c:a", codec) for codec in names.split()}


def without_brand(sound: Sound, name: str) -> bytes:
    """QuickTime's early MOV begins with another box than `ftyp`, and has the index behind the sound."""
    return PLAIN["mov pcm_s16be"].encode(sound).replace(b"ftyp", name.encode(), 1)


def with_checksums(sound: Sound) -> bytes:
    """MPEG-TS as receivers store it: 16 bytes behind each packet."""
    data = FORMATS["ts"].encode(sound)
    return b"".join(data[at : at + 188] + bytes(16) for at in range(0, len(data), 188))


def amr(sound: Sound) -> bytes:
    """Frames of 12.2 kbit/s and 20 ms that are noise: no encoder is at hand."""
    noise = random.Random(sound.frames)
    return b"#!AMR\n" + b"".join(b"\x3c" + noise.randbytes(31) for _ in range(round(50 * sound.seconds)))


VIDEO = ("-f", "lavfi", "-i", "testsrc=size=720x576:rate=25:duration=6")
# More of them, which are only read.
PLAIN = {
    **codecs("wav", "pcm_u8 pcm_s24le pcm_s32le pcm_f32le pcm_f64le pcm_alaw pcm_mulaw"),
    **codecs("wav", "adpcm_ms adpcm_ima_wav libmp3lame libgsm_ms"),
    **codecs("aiff", "pcm_s8 pcm_s24be pcm_s32be pcm_f32be pcm_f64be pcm_s16le pcm_alaw pcm_mulaw adpcm_ima_qt"),
    **codecs("caf", "pcm_s16be pcm_s24le pcm_f32le pcm_mulaw alac libopus adpcm_ima_qt"),
    **codecs("au", "pcm_s8 pcm_s24be pcm_f32be pcm_mulaw pcm_alaw"),
    **codecs("w64", "pcm_u8 pcm_s24le pcm_f32le pcm_mulaw adpcm_ms adpcm_ima_wav"),
    **codecs("mov", "alac pcm_s16be pcm_s24le libmp3lame"),
    **codecs("mkv", "flac libvorbis libopus libmp3lame ac3 pcm_s16le eac3 tta wavpack"),
    **codecs("avi", "libmp3lame ac3 aac libvorbis"),
    **codecs("nut", "flac libvorbis"),
    **codecs("voc", "pcm_s16le pcm_alaw pcm_mulaw"),
    **codecs("ts", "libmp3lame ac3 mp2"),
    **{
        f"flac -{level}": by_program("flac", "flac", "--silent", f"-{level}", "{in}", "-o", "{out}") for level in (0, 8)
    },
    **{
        f"lame {' '.join(mode)}": Format("mp3", lambda sound, mode=mode: mpeg.lame(sound, *mode))
        for mode in (("--abr", "64"), ("-V", "9"), ("--cbr", "-b", "160"), ("-p",), ("--freeformat", "-b", "160"))
    },
    "rf64": by_ffmpeg("wav", "-rf64", "always"),
    "shine": by_ffmpeg("mp3", "-c:a", "libshine", "-ar", "44100"),
    "mp3 ffmpeg": by_ffmpeg("mp3"),
    "fragmented mp4": by_ffmpeg(
        "mp4", "-c:a", "aac", "-movflags", "frag_keyframe+empty_moov", "-frag_duration", "500000"
    ),
    "mp4 index first": by_ffmpeg("mp4", "-c:a", "aac", "-movflags", "faststart"),
    "3gp": by_ffmpeg("3gp", "-c:a", "aac"),
    "flv": by_ffmpeg("flv", "-c:a", "aac"),
    "flv mp3": by_ffmpeg("flv", "-c:a", "libmp3lame", "-ar", "44100"),
    "wma v1": by_ffmpeg("wma", "-c:a", "wmav1"),
    "vob": by_ffmpeg("vob", "-c:a", "mp2"),
    "speex": by_ffmpeg("spx", "-c:a", "libspeex"),
    "eac3": by_ffmpeg("eac3", "-ar", "48000"),
    "dts": by_ffmpeg("dts", "-c:a", "dca", "-ar", "48000", "-strict", "-2"),
    "mxf": by_ffmpeg("mxf", "-f", "mxf_opatom", "-c:a", "pcm_s16le", "-ar", "48000"),
    "swf": by_ffmpeg("swf", "-c:a", "libmp3lame", "-ar", "44100"),
    "thd": by_ffmpeg("thd", "-c:a", "truehd", "-strict", "-2", "-ar", "48000"),
    "mlp": by_ffmpeg("mlp", "-c:a", "mlp", "-strict", "-2", "-ar", "48000"),
    "gxf": by_ffmpeg("gxf", *VIDEO, "-c:v", "mpeg2video", "-ar", "48000"),
    "ts of 204": Format("ts", with_checksums),
    "ircam big": by_sox("sf", "-B", "-c", "1"),
    "latm": by_ffmpeg("latm", "-c:a", "aac"),
    **{f"mov {name}": Format("mov", lambda sound, name=name: without_brand(sound, name)) for name in ("free", "wide")},
    "amr": Format("amr", lambda sound: amr(sound)),
    "rm": by_ffmpeg("rm", "-c:a", "ac3", "-ar", "48000"),
    "rm 14.4": by_ffmpeg("rm", "-c:a", "real_144", "-ar", "8000"),  # all of its times are 0
    **{
        f"sox {ending}": by_sox(ending, "-c", "1")
        for ending in ("sf", "paf", "pvf", "8svx", "avr", "htk", "mat5", "sds")
    },
}
