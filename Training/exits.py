"""How the scripts of this folder end: one sentence on the standard error, and an exit code as in sysexits.h."""

import argparse
import pathlib
import sys

USAGE, DATA, NO_INPUT, UNAVAILABLE, IO = 64, 65, 66, 69, 74


def fail(code, message):
    print(f'{pathlib.Path(sys.argv[0]).stem}: {message}', file=sys.stderr)
    sys.exit(code)


class Parser(argparse.ArgumentParser):
    """A parser whose help is the docstring of its script."""

    def __init__(self, doc):
        super().__init__(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)

    def error(self, message):
        fail(USAGE, f'{message}; try --help')
