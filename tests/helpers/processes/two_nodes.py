"""Ray on two nodes of this machine, whose processes can import the pieces that wait for a kill."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from processes import starts_processes
from waiting_pieces import NODE, reached

os.environ["RAY_USAGE_STATS_ENABLED"] = "0"


@pytest.fixture(scope="module")
@starts_processes
def nodes() -> Iterator[Any]:
    """A cluster and its second node, of one processor each; a test that takes it is the last."""
    ray = pytest.importorskip("ray")
    from ray.cluster_utils import Cluster

    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("PYTHONPATH", str(Path(__file__).parent))
        cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
        second = cluster.add_node(num_cpus=1)
        ray.init(address=cluster.address, log_to_driver=False)
        yield cluster, second
        ray.shutdown()
        cluster.shutdown()


def killing_the_process(folder: Path) -> threading.Thread:
    """What kills the process whose piece waits in a folder."""
    return _begun(lambda: os.kill(reached(folder), signal.SIGKILL))


def killing_the_second(nodes: Any, folder: Path) -> threading.Thread:
    """What kills the second node when a piece of a folder waits on it."""
    cluster, second = nodes
    (folder / NODE).write_text(second.node_id)

    def kill() -> None:
        reached(folder)
        cluster.remove_node(second, allow_graceful=False)

    return _begun(kill)


def _begun(kill: Any) -> threading.Thread:
    killer = threading.Thread(target=kill, daemon=True)
    killer.start()
    return killer
