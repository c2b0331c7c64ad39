"""Start the worker in another interpreter, which need not have tokaudit.

`python -P elsewhere.py HOMES IN OUT MEMORY [FOLDER]`: HOMES is a JSON object of what of ours may be
imported, and from which folder.  Whatever that interpreter has itself comes first, and nothing else
of our environment is seen there: libraries do other things where they find more packages.
"""

import json
import sys
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType


class Homes:
    """Finds a few packages by name, each in one folder."""

    def __init__(self, homes: dict[str, str]) -> None:
        self.homes = homes

    def find_spec(
        self, name: str, path: object = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Find a package of ours; its modules are then found as usual."""
        home = self.homes.get(name)
        return PathFinder.find_spec(name, [home], target) if home and path is None else None


def main() -> None:
    """Make the missing packages importable, then run the worker."""
    sys.meta_path.append(Homes(json.loads(sys.argv.pop(1))))
    try:
        import msgspec  # noqa: F401 - what is compiled for another Python fails here
    except ImportError as error:
        version = ".".join(map(str, sys.version_info[:2]))
        sys.exit(
            f"{sys.executable} is Python {version}: run its pip install msgspec regex; {error}"
        )
    from tokaudit.foundation.plugins.entry_points import only_ours
    from tokaudit.runtimes.worker.__main__ import main as work

    only_ours()
    work()


if __name__ == "__main__":
    main()
