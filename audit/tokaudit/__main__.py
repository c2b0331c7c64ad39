"""`python -m tokaudit` and the command `tokaudit`; neither imports from the current folder.

The current folder may be the checkpoint that is to be audited.  `python -m` puts it first on the
path, and an empty entry of PYTHONPATH means it too.  Nothing but `sys` and `os`, which Python has
loaded before this module, is imported until it is dropped.
"""

import os
import sys


def main() -> int:
    """Run the command that the arguments name; returns its exit code."""
    try:
        drop_current_folder()
        from tokaudit.cli import main as run

        return run()
    except (OSError, MemoryError, ImportError) as error:
        if isinstance(error, ImportError) and not _refused(error):
            raise
        return _refusal(error)


def drop_current_folder() -> None:
    """Take the current folder off the path, where `-m` or PYTHONPATH has put it.

    Those entries come before the standard library's.  What comes after was installed: a folder of
    packages remains importable for someone who works in it.
    """
    standard = os.path.dirname(os.__file__)  # noqa: PTH120 - pathlib would be imported
    end = sys.path.index(standard) if standard in sys.path else len(sys.path)
    sys.path[:end] = [entry for entry in sys.path[:end] if not _is_current(entry)]


def _is_current(entry: str) -> bool:
    """Return whether an entry of the path means the current folder, by whatever name."""
    try:
        return not entry or os.path.samefile(entry, os.curdir)  # noqa: PTH121
    except OSError:  # one of the two is no longer there
        return False


def _refused(error: ImportError) -> bool:
    """Return whether a library failed to load because the system refused it memory or a file."""
    words = str(error).lower()
    return any(each in words for each in ("cannot open shared", "failed to map", "cannot allocate"))


def _refusal(error: Exception) -> int:
    """One line where nothing of ours may be loaded any more, and the exit code for that."""
    words = " ".join(str(error).split()) or "out of memory"
    try:  # noqa: SIM105 - contextlib would be imported
        os.write(
            2, f"tokaudit: the system refused a call: {words[:300]}\n".encode("utf-8", "replace")
        )
    except OSError:
        pass
    return 3


if __name__ == "__main__":
    sys.exit(main())
