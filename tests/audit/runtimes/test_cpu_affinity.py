"""What is timed stays on one processor, the same in every worker, and may use all again after."""

from __future__ import annotations

import os

import pytest

from tokaudit.runtimes.worker.resources.cpu_affinity import one_processor


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="Linux alone binds threads")
def test_a_thread_is_on_the_first_processor_while_it_is_timed() -> None:
    allowed = os.sched_getaffinity(0)
    with one_processor():
        assert os.sched_getaffinity(0) == {min(allowed)}
    assert os.sched_getaffinity(0) == allowed
