"""Modules of a sentence encoder, as modules.json lists them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tokaudit.plugin import Contents, Place, SourceFile, Subject, UnreadableError, need
from tokaudit.subject.safe_json import parse
from tokaudit.subject.upstream.sentence_encoders import EncoderModule, encoder_modules

LISTED, OURS = "modules.json", "sentence_transformers."


@dataclass(frozen=True, slots=True)
class ListedModule:
    """A module: its class, its folder, and the place that states them."""

    type: str
    folder: str
    path: str
    place: Place

    @property
    def known(self) -> EncoderModule | None:
        """Return the record of its class, found by name alone."""
        return encoder_modules().get(self.type.rpartition(".")[2])

    @property
    def own_code(self) -> bool:
        """Return whether the class is not from sentence-transformers."""
        return not self.type.startswith(OURS)

    def file(self, name: str) -> str:
        """Return the name of a file in its folder."""
        return "/".join(filter(None, (self.folder, name)))


@dataclass(frozen=True)
class ListedModules:
    """Modules of each list, by file name and in order."""

    by_file: Mapping[str, tuple[ListedModule, ...]]


@need
def listed_modules(subject: Subject, contents: Contents) -> ListedModules:
    """Read every module list; an invalid one has no modules."""
    files = [file for file in subject.files if file.base == LISTED and not file.impostor]
    return ListedModules({file.name: tuple(_modules(contents, file)) for file in files})


def _modules(contents: Contents, file: SourceFile) -> Iterator[ListedModule]:
    above = file.name.rpartition("/")[0]
    for at, module in enumerate(parsed(contents, file, list)):
        stated = module if isinstance(module, dict) else {}
        path, kind = stated.get("path"), stated.get("type")
        inner = path.strip("/") if isinstance(path, str) else ""
        place = Place("config", file.name, f"/{at}/path", path)
        folder = "/".join(filter(None, (above, inner)))
        yield ListedModule(kind if isinstance(kind, str) else "", folder, inner, place)


def parsed(contents: Contents, file: SourceFile, kind: type) -> Any:
    """Parse a JSON file of the expected type; return an empty value if it is not."""
    try:
        found: Any = parse(contents.whole(file), file.name)
    except UnreadableError:
        return kind()  # files/parse says so
    return found if isinstance(found, kind) else kind()
