#!/usr/bin/env python3
"""Draws vadmon's terminal output as SVG: the pictures in the README.

    Scripts/make-picture.py VADMON            draws every picture again
    Scripts/make-picture.py --check VADMON    fails if a picture differs from the present output

A command that listens runs on a terminal of 80 columns and is interrupted after some time; its picture is its last
drawing. No two runs draw at the same moments, so such a picture is checked without its numbers and bars: one of the
drawings must have the same words. The script supports the colours and weights that vadmon uses (SGR 0, 1, 2, 7,
30 … 37, 90 … 97) and refuses others.
"""
import html
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

CHARACTER, LINE, MARGIN = 8.4, 19, 16   # pixels, at 14 px monospace
BACKGROUND = '#21252b'
COLOURS = dict(zip(range(30, 38), ['#555', '#e06c75', '#98c379', '#e5c07b', '#61afef', '#c678dd', '#56b6c2', '#abb2bf']))
ROOT = Path(__file__).resolve().parents[1]
# The file, the command, and the seconds after which a listening command is interrupted.
PICTURES = [
    ('docs/analyze.svg', 'analyze samples/muted-talk.flac --mute-timeline 4-10 --waveform always', None),
    ('docs/live.svg', 'live --input samples/muted-talk.flac --muted', 2.6),
]
COLOURS.update({code + 60: colour for code, colour in list(COLOURS.items())})


def spans(line):
    """Yields the pieces of a line with escape sequences as (style, background, text)."""
    style, colour, inverse = '', '#dcdfe4', False
    for piece in re.split(r'(\x1b\[[0-9;]*m)', line):
        if not piece.startswith('\x1b'):
            if piece:
                yield (style + f'fill:{BACKGROUND};', colour, piece) if inverse else (style, None, piece)
            continue
        for code in (int(c or 0) for c in piece[2:-1].split(';')):
            if code == 0:
                style, colour, inverse = '', '#dcdfe4', False
            elif code == 1:
                style += 'font-weight:bold;'
            elif code == 2:
                style += 'opacity:.6;'
            elif code == 7:
                inverse = True
            elif code in COLOURS:
                colour = COLOURS[code]
                style += f'fill:{colour};'
            else:
                sys.exit(f'make-picture: no drawing for SGR {code}')


def draw(prompt, text):
    lines = [f'\x1b[90m$\x1b[0m {prompt}'] + text.rstrip('\n').split('\n')
    width = max(len(re.sub(r'\x1b\[[0-9;]*m', '', line)) for line in lines) * CHARACTER + 2 * MARGIN
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{len(lines) * LINE + 2 * MARGIN}">',
           '<rect width="100%" height="100%" rx="8" fill="' + BACKGROUND + '"/>',
           '<g font-family="DejaVu Sans Mono,Menlo,Consolas,monospace" font-size="14" fill="#dcdfe4" xml:space="preserve">']
    for row, line in enumerate(lines):
        column = 0
        for style, background, piece in spans(line):
            x, y = MARGIN + column * CHARACTER, MARGIN + (row + 0.75) * LINE
            length = len(piece) * CHARACTER
            if background:
                out.append(f'<rect x="{x:.1f}" y="{MARGIN + row * LINE}" width="{length:.1f}" height="{LINE}" fill="{background}"/>')
            out.append(f'<text x="{x:.1f}" y="{y:.1f}" textLength="{length:.1f}" style="{style}">{html.escape(piece)}</text>')
            column += len(piece)
    return '\n'.join(out + ['</g>', '</svg>', ''])


def frames(command, seconds):
    """Returns the drawings of a command that runs on a terminal for this many seconds, with no sequences but colours."""
    child, terminal = pty.fork()
    if child == 0:
        os.execvpe(command[0], command, dict(os.environ, TERM='xterm', LC_ALL='C.UTF-8', XDG_CONFIG_HOME='/nonexistent'))
    seen, end = b'', time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        if select.select([terminal], [], [], left)[0]:
            seen += os.read(terminal, 65536)
    os.kill(child, signal.SIGINT)
    os.waitpid(child, 0)
    # Each drawing begins at the top of the screen. The last one may be incomplete.
    drawn = re.split(r'\x1b\[H', seen.decode('utf-8', 'replace'))[1:-1]
    return [re.sub(r'\x1b\[([KJ]|\?2026[hl])|\r', '', text) for text in drawn]


def words(picture):
    """Returns the words of a picture, row by row, with `#` for numbers and without bars and marks."""
    rows = {}
    for y, text in re.findall(r'<text [^>]*y="([0-9.]+)"[^>]*>(.*?)</text>', picture, re.DOTALL):
        rows[float(y)] = rows.get(float(y), '') + ' ' + html.unescape(text)
    masked = (re.sub(r'-?[0-9]+([.:][0-9]+)*', '#', rows[y]) for y in sorted(rows))
    return [' '.join(re.findall(r'[^\s\u2500-\u259f·]+', row)) for row in masked]


def pictures(vadmon, arguments, seconds):
    """Returns the picture of a command, or the pictures of all its drawings if it listens."""
    shown = 'vadmon ' + arguments
    if seconds is None:
        command = [vadmon, *arguments.split(), '--color', 'always']
        result = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
        return [draw(shown, result.stdout)]
    return [draw(shown, text) for text in frames([vadmon, *arguments.split()], seconds)]


def main():
    arguments = sys.argv[1:]
    checks = arguments[:1] == ['--check']
    vadmon = str(Path(arguments[-1]).resolve())
    os.chdir(ROOT)
    for name, command, seconds in PICTURES:
        drawn = pictures(vadmon, command, seconds)
        if not checks:
            Path(name).write_text(drawn[-1], encoding='utf-8')
            continue
        picture = Path(name).read_text(encoding='utf-8')
        if not (picture in drawn or seconds and words(picture) in map(words, drawn)):
            now = '\n'.join(words(drawn[-1]))
            sys.exit(f'make-picture: {name} is not what vadmon {command} prints now:\n{now}\n'
                     f'Draw it anew with Scripts/make-picture.py {arguments[-1]}')
    if checks:
        print(f'make-picture: {len(PICTURES)} pictures are what the program prints')


if __name__ == '__main__':
    main()
