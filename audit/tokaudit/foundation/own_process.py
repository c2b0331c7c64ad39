"""How Python itself runs in a process that is ours alone.

Only such processes call these: in a program that uses tokaudit, it is not ours to decide.
"""

import gc
import sys

NEW_OBJECTS = 1_000_000  # Python's own 700 makes reading a vocabulary a third slower
TURN = 0.001  # seconds; Python's own are five times as many


def collect_seldom() -> None:
    """Look for garbage less often: what is read of a vocabulary has no cycles, and is kept.

    130,000 entries and as many merges are less than a million objects.  Python would walk over all
    that there are so far again and again while they are read.
    """
    gc.set_threshold(NEW_OBJECTS, 50, 100)


def take_short_turns() -> None:
    """Let a thread that has heard from a worker go on soon, whatever another one computes.

    It needs Python several times for each answer, and waits a turn of the other thread each time;
    meanwhile the worker has nothing to do.
    """
    sys.setswitchinterval(TURN)
