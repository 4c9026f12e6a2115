"""The measured numbers that pages repeat: puts those of Benchmarks/figures.toml into the pages, for generate_tables.py."""
import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PLACE = re.compile(r'\{([\w.:]+)(?:\|(,|00|k|kB))?\}')
NUMBER = r'([-–]?[\d.,]*\d(?: kB| k)?)'


def number(figures, name, form):
    """Returns a number as pages show it. A name leads through tables by keys and through lists by positions."""
    value = figures
    for key in name.split('.'):
        value = value[int(key)] if isinstance(value, list) else value[key]
    if form in ('k', 'kB'):
        return f'{value / 1000:.1f} {form}'
    if form:
        return f'{round(value, -2) if form == "00" else value:,}'
    return str(value)


def with_phrase(page, text, figures, phrase):
    """Returns the text with the numbers of a phrase, which has to be in it once, with any numbers and any line breaks."""
    parts = PLACE.split(phrase)
    spaced = lambda words: r'\s+'.join(map(re.escape, re.split(r'\s+', words)))
    found = list(re.finditer(NUMBER.join(map(spaced, parts[::3])), text))
    if len(found) != 1:
        raise SystemExit(f'{page}: this phrase of Benchmarks/figures.toml is there {len(found)} times, not once: {phrase}')
    for place in range(len(parts) // 3, 0, -1):
        begin, end = found[0].span(place)
        text = text[:begin] + number(figures, *parts[3 * place - 2:3 * place]) + text[end:]
    return text


def pages():
    """Returns what the pages have to be, by their paths."""
    figures = tomllib.loads((ROOT / 'Benchmarks/figures.toml').read_text('utf-8'))
    wanted = {}
    for page, phrases in figures.pop('phrases').items():
        text = (ROOT / page).read_text('utf-8')
        for phrase in phrases:
            text = with_phrase(page, text, figures, phrase)
        wanted[ROOT / page] = text
    return wanted
