"""`python -m lathe` is the program `lathe`."""

import os
import sys

from .program import program


def main() -> None:
    path = str(program())
    os.execv(path, [path, *sys.argv[1:]])


if __name__ == "__main__":
    main()
