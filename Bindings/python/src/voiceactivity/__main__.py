"""`python -m voiceactivity FILE…`: the segments of speech in recordings."""

import argparse
import io
import os
import re
import sys
import warnings
from typing import NoReturn

from . import RecordingError, __version__, segments
from .shaping import Rules


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.exit(64, f"{message}; try --help\n")


def _arguments() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="python -m voiceactivity",
        description="Prints the segments of speech in recordings, in seconds: start, end and file, with tabs between.",
        epilog="Exit codes: 0 done, 1 interrupted, 64 a wrong option, 65 not a recording that can be analysed, "
        "66 no such file, 74 the output cannot be written.",
    )
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--preset", choices=["conversation", "notice", "transcription"], default="conversation")
    parser.add_argument("--pad", type=float, default=0, metavar="MS", help="extend each segment at both ends")
    parser.add_argument("--min-speech", type=float, default=0, metavar="MS", help="omit shorter segments")
    parser.add_argument("--min-silence", type=float, default=200, metavar="MS", help="join over shorter silences (200)")
    parser.add_argument("--max-speech", type=float, metavar="MS", help="cut longer segments at their best pause")
    parser.add_argument("--version", action="version", version=__version__)
    return parser


def _line(message: Warning | str, *_: object, **__: object) -> str:
    return f"{message}\n"


def main() -> int:
    arguments = _arguments().parse_args()
    for stream in sys.stdout, sys.stderr:
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="surrogateescape")  # names of files need not be Unicode
    try:
        Rules.checked(arguments.pad, arguments.min_speech, arguments.min_silence, arguments.max_speech)
    except ValueError as error:
        print(re.sub(r"\b(\w+)_ms\b", lambda name: "--" + name[1].replace("_", "-"), str(error)), file=sys.stderr)
        return 64
    warnings.formatwarning = _line
    code = 0
    for file in arguments.files:
        try:
            found = segments(
                file,
                preset=arguments.preset,
                pad_ms=arguments.pad,
                min_speech_ms=arguments.min_speech,
                min_silence_ms=arguments.min_silence,
                max_speech_ms=arguments.max_speech,
            )
        except RecordingError as error:
            print(error, file=sys.stderr)
            code = code or 65
        except ValueError as error:
            print(f"{file}: {error}", file=sys.stderr)
            code = code or 65
        except OSError as error:
            print(f"{file} cannot be opened: {error.strerror}.", file=sys.stderr)
            code = code or 66
        else:
            for segment in found:
                print(f"{segment.start:.3f}\t{segment.end:.3f}\t{file}", flush=True)
    return code


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (BrokenPipeError, KeyboardInterrupt):  # the reader has gone, or the user has had enough
        code = 1
    except OSError as error:  # recordings have theirs in main
        print(f"The output cannot be written: {error.strerror}.", file=sys.stderr)
        code = 74
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # for what Python writes at its end
    sys.exit(code)
