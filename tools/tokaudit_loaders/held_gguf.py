"""Holds the table of values to what llama.cpp itself takes of a drawn GGUF file, cell by cell."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tokaudit.report.recorded import SOURCE_ONLY
from tokaudit.subject.effective.readers.gguf_values import OF_GGUF, SPACE, STOPPING
from tokaudit.subject.effective.value_table import ADDED, value_table
from tokaudit.subject.opening import open_subject
from tokaudit.subject.representations import parse_all
from tokaudit.subject.upstream.llama_cpp.gguf_tokens import gaps
from tokaudit_loaders.drawing import Judge
from tokaudit_loaders.drawn_gguf import MARK, DrawnGguf
from tokaudit_loaders.held_table import AROUND, IDS, REFUSED, Disagreement, Tally
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_reference.tokenizer import ReferenceTokenizer

ENGINE, TEXTS = "llama.cpp", ("the cat", " a  b", "aa\nbb", "ab</s>cd")
SPECIAL = ("control", "unknown")
ACTS = ("llama", "t5")  # models whose texts get a space before them
HELD = (*(key for key in OF_GGUF if key not in (*SOURCE_ONLY[ENGINE], SPACE)), STOPPING)


def disagreements(
    drawn: DrawnGguf, into: Path, judge: Judge, tally: Tally
) -> Iterator[Disagreement]:
    """What the table has otherwise than the engine."""
    path = drawn.write(into)
    subject = open_subject(path)
    parsed = parse_all(subject).parsed
    answer = judge(path, TEXTS)
    table = value_table(subject, parsed)
    cells = {cell.key: cell.value for cell in table}
    refused = not parsed or str(cells.get(AROUND[0])).startswith(REFUSED)
    tally.compared[REFUSED] += 1
    if REFUSED in answer or refused:
        if (REFUSED in answer) != refused:
            yield Disagreement(ENGINE, REFUSED, refused, answer.get(REFUSED))
        return
    spec = parsed[0][1]
    for key, ours, its in _pairs(cells, drawn, spec, answer, tally):
        tally.compared[key] += 1
        if ours != its:
            yield Disagreement(ENGINE, key, ours, its)


def _pairs(
    cells: dict[str, Any], drawn: DrawnGguf, spec: TokenizerSpec, answer: Any, tally: Tally
) -> Iterator[tuple[str, Any, Any]]:
    for key in HELD:
        if key in cells:
            yield key, cells[key], answer["stops" if key == STOPPING else key]
        else:
            tally.unknown[key] += 1
    if cells["gguf_model"] in ACTS:
        yield SPACE, cells[SPACE], drawn.tokens[answer["inner"][0][0]].startswith(MARK)
    marked = {token.id: token.special for token in spec.added_tokens}
    wanted = {
        id: any(kind in SPECIAL for kind in kinds)
        for id, kinds in enumerate(answer["kinds"])
        if {*kinds} & {*SPECIAL, "user_defined"}
    }
    if _is_certain(drawn):
        yield ADDED, marked, wanted
    else:
        tally.unknown[ADDED] += 1
    whole, inner = answer["ids"][0], answer["inner"][0]
    for at in range(len(whole) - len(inner) + 1):
        if whole[at : at + len(inner)] == inner and AROUND[0] in cells:
            for key, ids in zip(AROUND, (whole[:at], whole[at + len(inner) :]), strict=True):
                yield key, cells[key], " ".join(drawn.tokens[id] for id in ids) or None
            break
    yield from _ids(spec, answer)


def _is_certain(drawn: DrawnGguf) -> bool:
    """Return whether no marker of a gap can be two tokens, of which the engine takes any."""
    return all(sum(text in drawn.tokens for text in gap.texts) < 2 for gap in gaps().values())


def _ids(spec: TokenizerSpec, answer: Any) -> Iterator[tuple[str, Any, Any]]:
    made = ReferenceTokenizer(spec)
    for text, ids in zip(TEXTS, answer["inner"], strict=True):
        yield IDS, list(made.encode(text).ids), ids
