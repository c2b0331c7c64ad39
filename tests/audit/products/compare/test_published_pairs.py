"""Published tokenizers in two formats, against one another, and with one thing changed.

The reference runs both sides in this process, on the texts of the open facets and around added
tokens.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest
from run_here import trial_here

import changed_copies
import tokaudit
from changed_copies import Change, changed
from tokaudit.engine.sides.side import Side
from tokaudit.engine.texts.suspects import added_token_texts
from tokaudit.products.compare.facets.compared import Searched, compared
from tokaudit.report.comparison import Comparison, Facet, Outcome, Relation
from tokaudit.subject.opening import open_subject
from tokaudit.subject.representations import parse_all

pytestmark = pytest.mark.published  # some ten seconds for each pair
SETTLED = (Outcome.IDENTICAL, Outcome.EQUIVALENT)


@pytest.fixture
def tokenizers(material: Path) -> Path:
    return material / "tokenizers"


def side(path: Path) -> Side:
    subject = open_subject(str(path))
    return Side(str(path), parse_all(subject).parsed[0][1], subject)


def against(first: Path, second: Path) -> Comparison:
    left, right = side(first), side(second)
    suspects = added_token_texts(left.spec, right.spec)
    return compared(trial_here(left, right), Searched(suspects))


def shown(facet: Facet) -> tuple[str | None, list[str | None], list[str | None]]:
    (evidence,) = facet.evidence
    rows = ([token.piece for token in row] for row in (evidence.expected, evidence.actual))
    return (evidence.text, *rows)


def outcomes(found: Comparison) -> dict[str, Outcome]:
    """The facets of ids, special tokens and text that are not proved the same."""
    named = ("ids", "merges", "normalizer", "pre-tokenizer", "added tokens", "decoder")
    return {f.name: f.outcome for f in found.facets if f.name in named and f.outcome not in SETTLED}


@pytest.mark.parametrize(
    ("change", "relation", "facet", "text", "left", "right"),
    [
        (
            changed_copies.lstrip,
            Relation.RESEGMENTED,
            "added tokens",
            " <|endoftext|>",
            [" ", "<|endoftext|>"],
            ["<|endoftext|>"],
        ),
        (
            changed_copies.prefix_space,
            Relation.RESEGMENTED,
            "pre-tokenizer",
            "a",
            ["a"],
            [" a"],
        ),
        (
            changed_copies.nfkc,
            Relation.RESEGMENTED,
            "normalizer",
            "\xa8",
            ["\xa8"],
            [" ", "\\xcc", "\\x88"],
        ),
        (
            changed_copies.one_more,
            Relation.SUPERSET,
            "added tokens",
            "<|tool|>",
            ["<", "|", "tool", "|", ">"],
            ["<|tool|>"],
        ),
        (changed_copies.swapped, Relation.REMAPPED, "ids", " of", [" of"], [" of"]),
        (
            changed_copies.without_a_merge,
            Relation.RESEGMENTED,
            "merges",
            " tokens",
            [" tokens"],
            [" to", "kens"],
        ),
    ],
    ids=lambda value: value.__name__ if callable(value) else None,
)
def test_gpt2_with_one_thing_changed_differs_in_one_facet(
    tokenizers: Path,
    tmp_path: Path,
    change: Change,
    relation: Relation,
    facet: str,
    text: str,
    left: list[str],
    right: list[str],
) -> None:
    source = tokenizers / "gpt2"
    found = against(source / "tokenizer.json", changed(source, tmp_path / "other", change))
    assert (found.relation, outcomes(found)) == (relation, {facet: Outcome.DIFFERS})
    (differing,) = [each for each in found.facets if each.name == facet]
    assert shown(differing) == (text, left, right)


def test_a_template_with_one_space_more_is_not_called_equal(
    tokenizers: Path, tmp_path: Path
) -> None:
    one, other = (
        changed(tokenizers / "gpt2", tmp_path / change.__name__, change, "tokenizer_config.json")
        for change in (changed_copies.template, changed_copies.spaced_template)
    )
    found = tokaudit.compare(one, other, tier="quick").comparison
    assert found is not None
    assert (found.relation, outcomes(found)) == (Relation.DIFFERENT, {})
    (template,) = [each for each in found.facets if each.name == "chat template"]
    assert template.outcome is Outcome.DIFFERS
    assert template.why.endswith("texts of the role matrix differ; the shortest is user")


def as_two_files(gpt2: Path, folder: Path) -> Path:
    for name in ("vocab.json", "merges.txt"):
        shutil.copy(gpt2 / name, folder)
    return folder


def as_ranks(gpt2: Path, folder: Path) -> Path:
    return gpt2 / "gpt2.tiktoken"


def as_gguf(gpt2: Path, folder: Path) -> Path:
    return gpt2.parent / "gguf-gpt2" / "ggml-vocab-gpt-2.gguf"


@pytest.mark.parametrize("form", [as_two_files, as_ranks])
def test_gpt2_is_proved_the_same_in_every_format(
    tokenizers: Path, tmp_path: Path, form: Callable[[Path, Path], Path]
) -> None:
    gpt2 = tokenizers / "gpt2"
    found = against(gpt2 / "tokenizer.json", form(gpt2, tmp_path))
    assert (found.relation, found.different) == (Relation.SAME, 0)
    assert outcomes(found) == {}


def test_gpt2_as_gguf_gives_the_same_ids_and_llama_cpp_writes_no_space_before_a_stop(
    tokenizers: Path, tmp_path: Path
) -> None:
    gpt2 = tokenizers / "gpt2"
    found = against(gpt2 / "tokenizer.json", as_gguf(gpt2, tmp_path))
    assert (found.relation, found.different) == (Relation.DIFFERENT, 0)
    undecided = ("pre-tokenizer", "added tokens")  # of 126,060 texts none differs
    expected = dict.fromkeys(undecided, Outcome.UNDIFFERING) | {"decoder": Outcome.DIFFERS}
    assert outcomes(found) == expected
    (decoder,) = [each for each in found.facets if each.name == "decoder"]
    assert decoder.why == "the tokens [' .'] become other text"


def test_mistral_s_two_files_part_at_a_space_and_at_special_tokens_in_text(
    tokenizers: Path,
) -> None:
    folder = tokenizers / "mistral-7b-v0.1"
    found = against(folder / "tokenizer.json", folder / "tokenizer.model")
    facets = {each.name: each for each in found.facets}
    assert found.relation is Relation.RESEGMENTED
    assert shown(facets["normalizer"]) == (" ", ["\u2581"], ["\u2581\u2581"])
    assert shown(facets["added tokens"]) == ("<s>", ["<s>"], ["\u2581<", "s", ">"])
    assert facets["decoder"].outcome is Outcome.DIFFERS  # "<unk>" and " \u2047 "


def test_tekken_is_another_tokenizer_than_the_model_before_it(tokenizers: Path) -> None:
    package = find_spec("mistral_common")
    assert package is not None and package.origin is not None
    tekken = Path(package.origin).parent / "data" / "tekken_240911.json"
    found = against(tokenizers / "mistral-7b-v0.1" / "tokenizer.model", tekken)
    assert found.relation is Relation.DIFFERENT
    facets = {each.name: each for each in found.facets}
    assert shown(facets["ids"]) == (" ", ["\u2581\u2581"], [" "])
