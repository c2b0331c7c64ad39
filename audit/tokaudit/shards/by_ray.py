"""Run tasks by Ray, whose scheduling and retries do not affect the result.

The paths of files must mean the same on every node, as on a shared file system.  Usage statistics
and dashboard are off, and a node with another version of tokaudit is refused before any work.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from functools import lru_cache
from typing import Any

from tokaudit.foundation.errors import TokauditError, UnreadableError, UsageError
from tokaudit.foundation.extras import imported
from tokaudit.foundation.installed_version import own_version
from tokaudit.shards.work import J, R, Task, Work, packed, task_of, work_of

HERE = "local"  # in place of an address: start Ray on this machine
RETRIES = 3  # by Ray, of a task whose process or node dies
AT_ONCE = 4  # tasks handed out for each processor


def library() -> Any:
    """Return Ray; raise `UsageError` with the command that installs it."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    return imported("ray", "ray")


def in_ray(
    work: Work[J, R], job: J, tasks: Sequence[Task], address: str, jobs: int
) -> Iterator[tuple[Task, R]]:
    """Yield the result of each task, as it is ready."""
    ray = library()
    with ExitStack() as ended:
        if not ray.is_initialized():
            _started(ray, address, jobs)
            ended.callback(ray.shutdown)
        _refuse_other_versions(ray)
        run = ray.remote(num_cpus=1, max_retries=RETRIES)(measured)
        shared = ray.put(packed(job))
        waiting: dict[Any, Task] = {}
        left = iter(tasks)
        room = AT_ONCE * max(1, int(ray.cluster_resources().get("CPU", 1)))
        while True:
            for task in left:
                waiting[run.remote(work.module, shared, packed(task))] = task
                if len(waiting) >= room:
                    break
            if not waiting:
                return
            done, _ = ray.wait(list(waiting), num_returns=1)
            for one in done:
                yield waiting.pop(one), _result(ray, work, one)


def measured(module: str, job: bytes, task: bytes) -> bytes:
    """Run a Ray task for one piece, reusing what its process has open."""
    return packed(_opened(module, job)(task_of(task)))


@lru_cache(maxsize=1)
def _opened(module: str, job: bytes) -> Callable[[Task], Any]:
    _KEPT.close()  # what was open for another job
    work = work_of(module)
    return _KEPT.enter_context(work.opened(work.job_of(job)))


_KEPT = ExitStack()  # for as long as the process of Ray lives


def _started(ray: Any, address: str, jobs: int) -> None:
    quiet = {"log_to_driver": False, "logging_level": "error"}
    try:
        if address == HERE:
            ray.init(num_cpus=jobs, include_dashboard=False, **quiet)
        else:
            ray.init(address=address, **quiet)
    except (ConnectionError, ValueError, RuntimeError, OSError) as error:
        raise UnreadableError(
            f"--ray {address!r}: no Ray cluster can be reached: {error}"
        ) from error


def _refuse_other_versions(ray: Any) -> None:
    """Raise `UsageError` where a node runs another version than this process."""
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    ask = ray.remote(num_cpus=0)(_version)
    alive = [node["NodeID"] for node in ray.nodes() if node["Alive"]]
    asked = [
        ask.options(scheduling_strategy=NodeAffinitySchedulingStrategy(id, soft=False)).remote()
        for id in alive
    ]
    for node, found in zip(alive, ray.get(asked), strict=True):
        if found != _version():
            raise UsageError(
                f"the Ray node {node[:12]} has tokaudit {found}, but this process has "
                f"{_version()}; install the same version on both"
            )


def _version() -> str:
    return own_version()


def _result(ray: Any, work: Work[J, R], one: Any) -> R:
    try:
        return work.result_of(ray.get(one))
    except ray.exceptions.RayError as error:
        last = str(error).strip().rpartition("\n")[2]  # what comes before is a traceback
        raise TokauditError(f"a task of Ray failed: {last}") from error
