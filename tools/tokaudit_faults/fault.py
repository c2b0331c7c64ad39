"""A fault: one way to break something healthy, and what must be said of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeVar

Change = Callable[..., Any]
C = TypeVar("C", bound=Change)
DRAFTS, FOLDERS, TEMPLATES = "drafts", "folders", "templates"


class Inapplicable(Exception):
    """The family has nothing that the fault could change."""


class Healthy(Protocol):
    """A checkpoint that faults are put into; what is said of it is known by its hash."""

    def __hash__(self) -> int: ...

    @property
    def name(self) -> str:
        """Its name among those that a fault is put into."""

    def write(self, folder: Path, change: Change | None = None, seed: str = "") -> None:
        """Write it into a folder, changed if a change is given; raises `Inapplicable`."""


@dataclass(frozen=True, kw_only=True)
class Fault:
    """One way to break something healthy.

    `checks` are those that may name it, `severity` is the least that its harm deserves, and
    `blamed` are the components one of which the finding must blame, if any are named.  Where `base`
    is set the healthy folder is the base, as nothing in the folder alone shows the change;
    `against` names an encoder, `use` the use that is stated then.  `shows` is what the finding must
    say, `entry` the documented defect of which this is an instance, `thread` where it was reported.
    A neutral one changes nothing that anybody could notice, and no check may say anything.
    `unseen` says why files may not show it.
    """

    kind: str
    component: str
    name: str
    change: Change
    healthy: tuple[Healthy, ...]
    checks: tuple[str, ...]
    severity: str = "warning"
    blamed: tuple[str, ...] = ()
    base: bool = False
    against: str = ""
    use: str = ""
    shows: str = ""
    entry: str = ""
    thread: str = ""
    neutral: bool = False
    unseen: str = ""

    @property
    def id(self) -> str:
        """The name by which the fault is found among all."""
        return f"{self.kind}/{self.component}/{self.name}"

    @property
    def words(self) -> str:
        """The name as tables write it."""
        return self.name.replace("_", " ")

    @property
    def breaks_nothing(self) -> bool:
        """Whether the healthy folder itself has the fault."""
        return (self.change.__doc__ or "").startswith("Nothing is broken")


FAULTS: dict[str, Fault] = {}
"""Every fault that was registered, by its id; `case.all_faults` imports those that register."""


def register(fault: Fault) -> None:
    """Put a fault next to the others; its name must be new."""
    if fault.id in FAULTS:
        raise ValueError(f"there are two faults {fault.id}")
    FAULTS[fault.id] = fault


def registering(
    kind: str, component: str, healthy: tuple[Healthy, ...], checks: tuple[str, ...], **stated: Any
) -> Callable[[C], C]:
    """What makes a change a fault of its own name."""

    def registered(change: C) -> C:
        name = getattr(change, "__name__", "")
        given: dict[str, Any] = {"healthy": healthy, "checks": checks, **stated}
        register(Fault(kind=kind, component=component, name=name, change=change, **given))
        return change

    return registered
