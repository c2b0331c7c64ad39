"""`python -m tokaudit` and the command `tokaudit`; neither imports from the current folder.

The current folder may be the checkpoint that is to be audited.  `python -m` puts it first on the
path, and an empty entry of PYTHONPATH means it too.  Nothing but `sys` and `os`, which Python has
loaded before this module, is imported until it is dropped.
"""

import os
import sys


def main() -> int:
    """Run the command that the arguments name; returns its exit code."""
    drop_current_folder()
    from tokaudit.cli import main as run

    return run()


def drop_current_folder() -> None:
    """Take the current folder off the path, where `-m` or PYTHONPATH has put it.

    Those entries come before the standard library's.  What comes after was installed: a folder of
    packages remains importable for someone who works in it.
    """
    standard = os.path.dirname(os.__file__)  # noqa: PTH120 - pathlib would be imported
    end = sys.path.index(standard) if standard in sys.path else len(sys.path)
    sys.path[:end] = [entry for entry in sys.path[:end] if not _is_current(entry)]


def _is_current(entry: str) -> bool:
    """Whether an entry of the path means the current folder, by whatever name."""
    try:
        return not entry or os.path.samefile(entry, os.curdir)  # noqa: PTH121
    except OSError:  # one of the two is no longer there
        return False


if __name__ == "__main__":
    sys.exit(main())
