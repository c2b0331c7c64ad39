"""How often a process of ours looks for garbage."""

import gc

NEW_OBJECTS = 100_000  # Python's own 700 makes reading a vocabulary a third slower


def collect_seldom() -> None:
    """Look for garbage less often: what is read of a vocabulary has no cycles, and is kept.

    Reading 130,000 entries and as many merges makes a million objects, and each of Python's usual
    collections walks over all that there are so far.  Only our own processes call this: in a
    program that uses tokaudit, it is not ours to decide.
    """
    gc.set_threshold(NEW_OBJECTS, 50, 100)
