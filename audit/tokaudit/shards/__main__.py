"""`python -m tokaudit.shards WORK`: run the tasks on standard input, one per line."""

from __future__ import annotations

import sys

from tokaudit.shards.work import packed, task_of, work_of


def main() -> None:
    """Read a job, then tasks, and write a result for each."""
    work = work_of(sys.argv[1])
    lines, out = sys.stdin.buffer, sys.stdout.buffer
    with work.opened(work.job_of(lines.readline())) as done:
        for line in lines:
            out.write(packed(done(task_of(line))) + b"\n")
            out.flush()


if __name__ == "__main__":
    main()
