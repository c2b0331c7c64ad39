"""The modules that a sentence encoder is built of, as modules.json lists them."""

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
    """A module: its class, the folder that it is loaded from, and the place that says so."""

    type: str
    folder: str
    path: str
    place: Place

    @property
    def known(self) -> EncoderModule | None:
        """The record of its kind, by the name of the class alone."""
        return encoder_modules().get(self.type.rpartition(".")[2])

    @property
    def own_code(self) -> bool:
        """True where the class is not one of sentence-transformers."""
        return not self.type.startswith(OURS)

    def file(self, name: str) -> str:
        """The name of a file in its folder."""
        return "/".join(filter(None, (self.folder, name)))


@dataclass(frozen=True)
class ListedModules:
    """The modules of each list that is here, by the name of its file and in their order."""

    by_file: Mapping[str, tuple[ListedModule, ...]]


@need
def listed_modules(subject: Subject, contents: Contents) -> ListedModules:
    """Reads every list; one that is none has no modules."""
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
    """The JSON of a file where it is of a kind; an empty one where it is not."""
    try:
        found: Any = parse(contents.whole(file), file.name)
    except UnreadableError:
        return kind()  # files/parse says so
    return found if isinstance(found, kind) else kind()
