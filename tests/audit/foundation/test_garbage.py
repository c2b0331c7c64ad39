"""Our own processes look for garbage seldom; a program that uses tokaudit keeps its own habit."""

from __future__ import annotations

import gc
import subprocess
import sys

from tokaudit.cli import main

SAYS = "import atexit, gc; atexit.register(lambda: print(gc.get_threshold()))"


def test_a_command_called_from_a_program_leaves_the_thresholds_alone() -> None:
    before = gc.get_threshold()
    assert main(["checks"]) == 0
    assert gc.get_threshold() == before


def test_the_process_of_a_command_collects_after_a_million_new_objects(processes: None) -> None:
    run = f"{SAYS}; import sys; sys.argv = ['tokaudit', 'help', 'audit']; from tokaudit.cli import main"
    found = subprocess.run([sys.executable, "-c", f"{run}; main()"], capture_output=True, text=True)
    assert found.stdout.splitlines()[-1] == "(1000000, 50, 100)"
