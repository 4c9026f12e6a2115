#!/usr/bin/env python3
"""Draws what a command prints on a terminal as an SVG: the picture in the README.

    Scripts/make-picture.py docs/analyze.svg vadmon analyze --color always samples/…

Knows the colours and weights (SGR 0, 1, 2, 30 … 37, 90 … 97) that vadmon uses; refuses others.
"""
import html
import re
import subprocess
import sys

CHARACTER, LINE, MARGIN = 8.4, 19, 16   # pixels, at 14 px monospace
COLOURS = dict(zip(range(30, 38), ['#555', '#e06c75', '#98c379', '#e5c07b', '#61afef', '#c678dd', '#56b6c2', '#abb2bf']))
COLOURS.update({code + 60: colour for code, colour in list(COLOURS.items())})


def spans(line):
    """(style, text) pieces of a line with escape sequences."""
    style = ''
    for piece in re.split(r'(\x1b\[[0-9;]*m)', line):
        if not piece.startswith('\x1b'):
            if piece:
                yield style, piece
            continue
        for code in (int(c or 0) for c in piece[2:-1].split(';')):
            if code == 0:
                style = ''
            elif code == 1:
                style += 'font-weight:bold;'
            elif code == 2:
                style += 'opacity:.6;'
            elif code in COLOURS:
                style += f'fill:{COLOURS[code]};'
            else:
                sys.exit(f'make-picture: no drawing for SGR {code}')


def draw(prompt, text):
    lines = [f'\x1b[90m$\x1b[0m {prompt}'] + text.rstrip('\n').split('\n')
    width = max(len(re.sub(r'\x1b\[[0-9;]*m', '', line)) for line in lines) * CHARACTER + 2 * MARGIN
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{len(lines) * LINE + 2 * MARGIN}">',
           '<rect width="100%" height="100%" rx="8" fill="#21252b"/>',
           '<g font-family="DejaVu Sans Mono,Menlo,Consolas,monospace" font-size="14" fill="#dcdfe4" xml:space="preserve">']
    for row, line in enumerate(lines):
        column = 0
        for style, piece in spans(line):
            x, y = MARGIN + column * CHARACTER, MARGIN + (row + 0.75) * LINE
            length = len(piece) * CHARACTER
            out.append(f'<text x="{x:.1f}" y="{y:.1f}" textLength="{length:.1f}" style="{style}">{html.escape(piece)}</text>')
            column += len(piece)
    return '\n'.join(out + ['</g>', '</svg>', ''])


def main():
    target, command = sys.argv[1], sys.argv[2:]
    text = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    shown = [c for c in command if c not in ('--color', 'always')]
    shown[0] = shown[0].rsplit('/', 1)[-1]
    with open(target, 'w', encoding='utf-8') as file:
        file.write(draw(' '.join(shown), text))


if __name__ == '__main__':
    main()
