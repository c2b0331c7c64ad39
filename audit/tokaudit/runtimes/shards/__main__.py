"""`python -m tokaudit.runtimes.shards`: measures the tasks that come in, a line each."""

from __future__ import annotations

import sys

from tokaudit.runtimes.shards.tasks import job_of, measurer, packed, task_of


def main() -> None:
    """Read a job, then tasks, and write a tally for each."""
    lines, out = sys.stdin.buffer, sys.stdout.buffer
    with measurer(job_of(lines.readline())) as worker:
        for line in lines:
            out.write(packed(worker.measure(task_of(line))) + b"\n")
            out.flush()


if __name__ == "__main__":
    main()
