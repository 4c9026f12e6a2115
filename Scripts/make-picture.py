#!/usr/bin/env python3
"""Draws what a command prints on a terminal as an SVG: the pictures in the README.

    Scripts/make-picture.py docs/analyze.svg vadmon analyze --color always samples/…
    Scripts/make-picture.py --at 2.4 docs/live.svg vadmon live --input samples/muted-talk.flac --muted

With --at SECONDS the command runs on a terminal of 80 columns and is interrupted after that time; what is drawn is what
it drew last in place. Knows the colours and weights (SGR 0, 1, 2, 7, 30 … 37, 90 … 97) that vadmon uses; refuses others.
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

CHARACTER, LINE, MARGIN = 8.4, 19, 16   # pixels, at 14 px monospace
BACKGROUND = '#21252b'
COLOURS = dict(zip(range(30, 38), ['#555', '#e06c75', '#98c379', '#e5c07b', '#61afef', '#c678dd', '#56b6c2', '#abb2bf']))
COLOURS.update({code + 60: colour for code, colour in list(COLOURS.items())})


def spans(line):
    """(style, background, text) pieces of a line with escape sequences."""
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


def frame(command, seconds):
    """What a command on a terminal has drawn in place after so many seconds, without a shorter drawing's rests."""
    child, terminal = pty.fork()
    if child == 0:
        os.execvpe(command[0], command, dict(os.environ, TERM='xterm'))
    seen, end = b'', time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        if select.select([terminal], [], [], left)[0]:
            seen += os.read(terminal, 65536)
    os.kill(child, signal.SIGINT)
    os.waitpid(child, 0)
    # Each drawing begins with the way up; the last one may not be complete.
    last = re.split(r'\r\x1b\[[0-9]+A', seen.decode('utf-8', 'replace'))[-2]
    return re.sub(r'\x1b\[[KJ]|\r', '', last)


def main():
    arguments = sys.argv[1:]
    seconds = float(arguments[1]) if arguments[0] == '--at' else None
    target, *command = arguments[2:] if seconds else arguments
    if seconds:
        text = frame(command, seconds)
    else:
        text = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    shown = [c for c in command if c not in ('--color', 'always')]
    shown[0] = shown[0].rsplit('/', 1)[-1]
    with open(target, 'w', encoding='utf-8') as file:
        file.write(draw(' '.join(shown), text))


if __name__ == '__main__':
    main()
