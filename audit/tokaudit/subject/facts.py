"""Collect the facts in configuration files, each with its file and JSON pointer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tokaudit.foundation.errors import UnreadableError
from tokaudit.subject.configs import LARGEST_CONFIG, LARGEST_CONFIGS, stated
from tokaudit.subject.formats import all_formats
from tokaudit.subject.material import Fact, SourceFile, read_bytes
from tokaudit.subject.safe_json import parse_object
from tokaudit.subject.upstream.checkpoints import nested_parts

READ = ("config", "template")
MODEL, OF_A_PART = "config.json", "_tokenizer"


def collect(files: Iterable[SourceFile]) -> tuple[Fact, ...]:
    """Collect every fact of configuration files and templates, then those of models."""
    listed = tuple(files)
    size = sum(file.size for file in listed if file.role in READ)
    if size > LARGEST_CONFIGS:
        what = f"the configuration files have {size:,} bytes together"
        raise UnreadableError(f"{what}; at most {LARGEST_CONFIGS:,} are read")
    found = [fact for file in listed for fact in _facts(file)]
    return (*found, *(fact for file in listed for fact in _of_model(file)))


def of_a_part(folder: str, files: Iterable[SourceFile]) -> Iterator[Fact]:
    """Yield a whole model's statements about the part that a folder's tokenizer serves.

    The folder `qformer_tokenizer` is for the object `qformer_config`, or `qformer`, of the
    `config.json` next to it; so processors and models of several parts save theirs.
    """
    above, _, base = folder.rpartition("/")
    part = base.removesuffix(OF_A_PART)
    whole = f"{above}/{MODEL}" if above else MODEL
    config = next((file for file in files if file.known == whole and file.role == "config"), None)
    if part == base or config is None:
        return
    data = parse_object(read_bytes(config, LARGEST_CONFIG), config.name)
    for key in (part, f"{part}_config"):
        if isinstance(data.get(key), dict):
            yield from stated(data[key], config.name, (key,))


def _of_model(file: SourceFile) -> Iterable[Fact]:
    """Return a model file's facts other than its vocabulary."""
    readers = {format.name: format.facts for format in all_formats()}
    read = readers.get(file.role)
    return read(file) if read else ()


def _facts(file: SourceFile) -> Iterator[Fact]:
    base = file.base
    if file.role == "template" and base.endswith(".jinja"):
        text = read_bytes(file, LARGEST_CONFIG).decode("utf-8", "replace")
        yield Fact("chat_template", text, file.name, "")
    elif file.role in READ:
        data = parse_object(read_bytes(file, LARGEST_CONFIG), file.name)
        if base == "added_tokens.json":
            yield Fact("added_tokens", data, file.name, "")
        else:
            yield from stated(data, file.name)
            for key in nested_parts():
                if isinstance(data.get(key), dict):
                    yield from stated(data[key], file.name, (key,))
