"""How findings are worded: places, quoted tokens and short lists of examples."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from tokaudit.report.model import Evidence, Place
from tokaudit.subject.formats.vocab_merges import FORMAT as PAIR
from tokaudit_reference.spec import TokenizerSpec

EXAMPLES = 5  # how many tokens a message names before it only counts


def quote(value: bytes | str) -> str:
    """A token as a reader can tell it apart: text in quotes, other bytes escaped.

    >>> quote(b"caf\\xc3\\xa9"), quote(b"\\xff"), quote("a\\n")
    ("'café'", "b'\\\\xff'", "'a\\\\n'")
    """
    if isinstance(value, bytes):
        try:
            value = value.decode("utf-8")
        except UnicodeDecodeError:
            return repr(value)
    return repr(value)


def some(items: Sequence[str], limit: int = EXAMPLES) -> str:
    """The first few items of a list, and how many more there are.

    >>> some(["a", "b", "c"], 2)
    'a, b and 1 more'
    """
    shown = ", ".join(items[:limit])
    rest = len(items) - limit
    return f"{shown} and {rest:,} more" if rest > 0 else shown


def plural(count: int, noun: str) -> str:
    """A count with its noun.

    >>> plural(1, "token"), plural(1200, "entry")
    ('1 token', '1,200 entries')
    """
    if count == 1:
        return f"1 {noun}"
    return f"{count:,} {noun[:-1]}ies" if noun.endswith("y") else f"{count:,} {noun}s"


VERBS = {"is": "are", "has": "have", "was": "were", "begins": "begin"}


def does(count: int, noun: str, verb: str) -> str:
    """A count with its noun and the verb that fits.

    >>> does(1, "token", "has"), does(2, "token", "has")
    ('1 token has', '2 tokens have')
    """
    return f"{plural(count, noun)} {verb if count == 1 else VERBS[verb]}"


def escape(key: str) -> str:
    """A key as one step of a JSON pointer."""
    return key.replace("~", "~0").replace("/", "~1")


def main_file(spec: TokenizerSpec) -> str:
    """The file that the spec was read from, as reports name it."""
    return spec.files[0] if spec.files else ""


def file_like(spec: TokenizerSpec, *names: str) -> str:
    """The first of the spec's files whose name holds one of `names`, else its main file."""
    found = (file for file in spec.files for name in names if name in file)
    return next(found, main_file(spec))


def in_vocab(spec: TokenizerSpec, value: Any = None) -> Place:
    """The vocabulary of a spec as a place."""
    file = file_like(spec, "encoder.json", "vocab")
    inside = file.endswith(".json") and not (spec.format == PAIR.name or file != main_file(spec))
    return Place("vocab", file, "/model/vocab" if inside else "", value)


def in_merges(spec: TokenizerSpec, index: int | None = None, value: Any = None) -> Place:
    """The list of merges, or one of them, as a place."""
    pair = spec.format == PAIR.name and len(spec.files) > 1
    file = spec.files[1] if pair else file_like(spec, "merges", "vocab.bpe")
    if not file.endswith(".json"):
        return Place("merges", file, "" if index is None else f"merge {index}", value)
    return Place("merges", file, "/model/merges" + ("" if index is None else f"/{index}"), value)


def in_added(spec: TokenizerSpec, content: str | None = None, value: Any = None) -> Place:
    """The list of added tokens, or the entry with that content, as a place."""
    at = next((i for i, t in enumerate(spec.added_tokens) if t.content == content), None)
    return Place("added_tokens", *_added_pointer(spec, at), value if value is not None else content)


def _added_pointer(spec: TokenizerSpec, at: int | None) -> tuple[str, str]:
    file = main_file(spec)
    if not file.endswith(".json"):
        return file, ""
    return file, "/added_tokens" + ("" if at is None else f"/{at}")


def stage(spec: TokenizerSpec, name: str, value: Any = None) -> Place:
    """A component such as the normalizer as a place."""
    file = main_file(spec)
    return Place(name, file, f"/{name}" if file.endswith(".json") else "", value)


def ids_evidence(ids: Iterable[int], note: str = "") -> Evidence:
    """Evidence that lists ids, at most a hundred of them."""
    return Evidence("ids", ids=tuple(ids)[:100], note=note)
