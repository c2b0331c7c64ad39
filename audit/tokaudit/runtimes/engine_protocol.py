"""Engine protocol `tokaudit.engine/1`: questions and answers.

One question is one object, and so is its answer: `docs/engines.md` is the page.  A program reads
and writes a line of JSON for each, and a Python object has a method for each `op`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from tokaudit.runtimes.protocol import DecodeOptions, EncodeOptions, Encoding, TokenizerInfo

PROTOCOL = "tokaudit.engine/1"
ABILITIES = {
    "special": "special",
    "parses_special": "parses",
    "adds": "adds",
    "decode": "decode",
    "offsets": "offsets",
    "batch": "batch",
    "threads": "threads",
    "stream": "stream",
    "template": "template",
}
"""What an engine says that it can do, and the capability that this is."""
AT_ONCE = 64  # texts of one question
MOST_WORDS = 200  # characters of an engine's own words
MOST_IDS = 5  # of a list that is refused

Ask = Callable[[Mapping[str, Any]], Mapping[str, Any]]


def hello_of(threads: int) -> dict[str, Any]:
    """Build the first question: abilities of an engine, and its limit of threads."""
    return {"op": "hello", "protocol": PROTOCOL, "threads": threads}


def speaks(hello: object) -> bool:
    """Return whether an answer to `hello` follows this protocol.

    >>> speaks({"protocol": PROTOCOL, "can": []}), speaks({"ids": []})
    (True, False)
    """
    return isinstance(hello, Mapping) and hello.get("protocol") == PROTOCOL


class ProtocolEngine:
    """The `Tokenizer` protocol over an engine that answers questions."""

    def __init__(
        self,
        adapter: str,
        ask: Ask,
        hello: Mapping[str, Any],
        close: Callable[[], None] = lambda: None,
    ) -> None:
        self._ask, self.close = ask, close
        able = hello.get("can") or []
        known = [ABILITIES[each] for each in able if isinstance(each, str) and each in ABILITIES]
        self.capabilities = frozenset({"encode", *known})
        name, version = (str(hello.get(key) or "")[:MOST_WORDS] for key in ("name", "version"))
        self.info = TokenizerInfo(adapter, name, version)

    def vocab(self) -> dict[int, bytes | str]:
        """Return nothing: an engine does not name its ids."""
        return {}

    def encode(
        self, texts: Sequence[str], options: EncodeOptions = EncodeOptions()
    ) -> list[Encoding]:
        """Encode each text; an error instead of ids concerns only that text."""
        size = 1 if options.alone else AT_ONCE
        found: list[Encoding] = []
        for start in range(0, len(texts), size):
            some = list(texts[start : start + size])
            found += _encodings(self._ask(_encode(some, options)), len(some))
        return found

    def decode(
        self, ids: Sequence[Sequence[int]], options: DecodeOptions = DecodeOptions()
    ) -> list[bytes | str]:
        """Decode each list of ids."""
        found: list[bytes | str] = []
        rest = {"stream": True} if options.streamed else {}
        for start in range(0, len(ids), AT_ONCE):
            some = [list(each) for each in ids[start : start + AT_ONCE]]
            found += self._decoded(some, rest)
        return found

    def render(self, conversations: Sequence[Mapping[str, Any]]) -> list[dict[str, str]]:
        """Render each conversation, or return the engine's error."""
        found: list[dict[str, str]] = []
        for one in conversations:
            try:
                asked = {"op": "render", "conversations": [dict(one)]}
                [text] = _texts(_list(self._ask(asked), "texts", 1))
                found.append({"text": text})
            except RuntimeError as error:
                found.append({"error": str(error)})
        return found

    def _decoded(self, ids: Sequence[list[int]], rest: Mapping[str, Any]) -> list[str]:
        """Decode lists of ids; raise `RuntimeError` that names the first refused one."""
        asked = {"op": "decode", "ids": ids, **rest}
        try:
            return list(_texts(_list(self._ask(asked), "texts", len(ids))))
        except RuntimeError as error:
            if len(ids) == 1:
                shown = ", ".join(map(str, ids[0][:MOST_IDS]))
                raise RuntimeError(f"{error}, for {len(ids[0]):,} ids from {shown} on") from None
            return [text for each in ids for text in self._decoded([each], rest)]


def _encode(texts: list[str], options: EncodeOptions) -> dict[str, Any]:
    return {
        "op": "encode",
        "texts": texts,
        "special": options.parse_special,
        "add": options.add_special_tokens,
        "offsets": options.offsets,
    }


def _encodings(answer: Mapping[str, Any], count: int) -> Iterator[Encoding]:
    offsets = answer.get("offsets") or [None] * count
    for ids, places in zip(_list(answer, "ids", count), offsets, strict=True):
        if isinstance(ids, Mapping):
            yield Encoding(error=str(ids.get("error"))[:MOST_WORDS])
        else:
            spans = None if places is None else tuple((int(a), int(b)) for a, b in places)
            yield Encoding(ids=tuple(map(int, ids)), offsets=spans)


def _texts(found: Sequence[object]) -> Iterator[str]:
    """Yield each text; raise `RuntimeError` for an error or a value that is no text."""
    for one in found:
        if isinstance(one, Mapping):
            raise RuntimeError(str(one.get("error"))[:MOST_WORDS])
        if not isinstance(one, str):
            raise RuntimeError("the engine answered with something that is not text")
        yield one


def _list(answer: Mapping[str, Any], key: str, count: int) -> list[Any]:
    """Return `count` answers under a key; raise `RuntimeError` for anything else."""
    if "error" in answer:
        raise RuntimeError(str(answer["error"])[:MOST_WORDS])
    found = answer.get(key)
    if not isinstance(found, list) or len(found) != count:
        raise RuntimeError(f"the engine answered no list of {count:,} under {key!r}")
    return found
