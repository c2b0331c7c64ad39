"""What a class of characters matches: by tiktoken, by tokenizers, and by the reference."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import version

from tokaudit_reference.spec import SpecError
from tokaudit_reference.text.patterns import compiled

BYTES = {bytes([byte]): byte for byte in range(256)}
Matched = str | None  # the characters of a text in order, or None where the engine refuses


def of_tiktoken(pattern: str, text: str) -> Matched:
    """By tiktoken, which leaves out what does not match."""
    from tiktoken import Encoding

    try:
        library = Encoding("class", pat_str=pattern, mergeable_ranks=BYTES, special_tokens={})
    except ValueError:
        return None
    return bytes(library.encode_ordinary(text)).decode()


def of_tokenizers(pattern: str, text: str) -> Matched:
    """By tokenizers, whose split is told to remove what does not match."""
    from tokenizers import Regex, pre_tokenizers

    try:
        library = pre_tokenizers.Split(Regex(pattern), "removed", invert=True)
    except Exception:  # the library raises nothing more special
        return None
    return "".join(piece for piece, _ in library.pre_tokenize_str(text))


def of_reference(pattern: str, text: str, dialect: str) -> str | SpecError:
    """By the reference, or why it refuses: `Unsupported` where it does not follow the engine."""
    try:
        expression = compiled(pattern, rust=dialect == "rust")
    except SpecError as error:
        return error
    return "".join(match.group() for match in expression.anywhere.finditer(text))


ENGINES: dict[str, tuple[str, Callable[[str, str], Matched]]] = {
    "rust": ("tiktoken", of_tiktoken),
    "oniguruma": ("tokenizers", of_tokenizers),
}


def named(dialect: str) -> str:
    """The package that runs a dialect, with its version."""
    package = ENGINES[dialect][0]
    return f"{package} {version(package)}"
