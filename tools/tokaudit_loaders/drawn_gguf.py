"""Draws GGUF files: models, splits, tokens that the engine knows by text, keys there and absent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from random import Random

from tokaudit.subject.upstream.llama_cpp.gguf_splits import every_split
from tokaudit.subject.upstream.llama_cpp.gguf_tokens import ends, gaps
from tokaudit_folders import gguf_files as g
from tokaudit_reference.text.bytes_alphabet import BYTE_OF

MARK, LETTERS = "\u2581", "abcdeht"
ROLES = ("bos", "eos", "eot", "unknown", "seperator", "padding", "mask")
FLAGS = ("add_bos_token", "add_eos_token", "add_space_prefix")
KNOWN = tuple(sorted({*ends(), *(text for gap in gaps().values() for text in gap.texts)}))
MARKED = ("llama", "t5", "gemma4")  # models with marks for spaces, and bytes of their own
MODELS = ("llama", "gpt2", "bert", "t5", "gemma4")
TEMPLATES = ("", ".tool_use", ".rag")
ONE = 0.5


@dataclass(frozen=True)
class DrawnGguf:
    """The keys of a file, apart from its tokens, and the model."""

    keys: dict[str, g.Value]

    def write(self, folder: Path) -> Path:
        """The file, alone in its folder."""
        folder.mkdir(exist_ok=True)
        path = folder / "model.gguf"
        path.write_bytes(g.gguf({"general.architecture": (g.TEXT, "llama"), **self.keys}))
        return path

    def shown(self) -> str:
        """The keys that are not lists of the whole vocabulary, and the tokens known by text."""
        few = {key: value for key, (_, value) in self.keys.items() if not isinstance(value, list)}
        return f"{few} {[(id, each) for id, each in enumerate(self.tokens) if each in KNOWN]}"

    @property
    def tokens(self) -> Sequence[str]:
        """The tokens as the file lists them."""
        listed: Sequence[str] = self.keys["tokenizer.ggml.tokens"][1]
        return listed


def drawn_gguf(draw: Random) -> DrawnGguf:
    """One file."""
    model = draw.choice(MODELS)
    pre = draw.choice([name for name, split in every_split().items() if not split.unlisted])
    special = draw.sample(KNOWN, draw.randint(0, 3))
    is_marked = model in MARKED or (model == "gpt2" and every_split()[pre].marked)
    tokens, types = _tokens("llama" if is_marked else model, special, draw)
    more = dict(_keys(model, len(tokens), draw))
    if model == "gpt2":
        more["pre"] = (g.TEXT, pre)
    scores = [0.0 if each in special else -float(id) for id, each in enumerate(tokens)]
    keys = g.tokenizer(model, tokens, scores=(g.F32, scores), token_type=(g.I32, types), **more)
    for name in TEMPLATES:
        if draw.random() < ONE / 2:
            keys[f"tokenizer.chat_template{name}"] = (g.TEXT, "{{ messages }}")
    return DrawnGguf(keys)


def _tokens(model: str, special: Sequence[str], draw: Random) -> tuple[list[str], list[int]]:
    """The tokens of a model that cuts any text of the letters, and their types."""
    head = [("<unk>", g.UNKNOWN), ("<s>", g.CONTROL), ("</s>", g.CONTROL), ("<pad>", g.CONTROL)]
    if model == "bert":
        head = [(each, g.CONTROL) for each in ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")]
    body = [(each, g.NORMAL) for each in _body(model)]
    if model == "llama":
        body = [*((f"<0x{value:02X}>", g.BYTE) for value in range(256)), *body]
    kinds = (g.CONTROL, g.NORMAL, g.USER_DEFINED)
    listed = [*head, *body, *((each, draw.choice(kinds)) for each in special)]
    once = dict(listed)
    return [*once], [*once.values()]


def _body(model: str) -> list[str]:
    pairs = [one + other for one, other in product(LETTERS, LETTERS)]
    match model:
        case "gpt2":
            return [*sorted(BYTE_OF, key=BYTE_OF.__getitem__), *pairs]
        case "bert":
            begun = [*LETTERS, *pairs]  # enough for the ids that the engine takes by itself
            return [*begun, *(MARK + each for each in begun)]
        case _:
            return [MARK, *LETTERS, "\n", *(MARK + each for each in LETTERS), *pairs]


def _keys(model: str, size: int, draw: Random) -> Iterator[tuple[str, g.Value]]:
    if model in ("gpt2", "gemma4"):
        merges = [f"{one} {other}" for one, other in product(LETTERS, LETTERS)]
        yield "merges", (g.TEXT, merges)
    for role in ROLES:
        if draw.random() < ONE:
            yield f"{role}_token_id", (g.U32, draw.randrange(3 if role == "unknown" else size))
    for flag in FLAGS:
        if draw.random() < ONE:
            yield flag, (g.BOOL, draw.random() < ONE)
    for gap in gaps().values():
        if draw.random() < ONE / 4:
            yield draw.choice(gap.keys), (g.U32, draw.randrange(size))
