"""Settings next to a tokenizer that differ are facets, shown by a text, judged for each purpose."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from processes import starts_processes

import tokaudit
from tokaudit.engine.sides.side import Side
from tokaudit.engine.sides.trial import Trial
from tokaudit.products.compare.judging.purposes import suitability
from tokaudit.report.comparison import Facet, Outcome, Purpose
from tokaudit.report.model import Verdict
from tokaudit.report.report import Report
from tokaudit.subject.opening import open_subject
from tokaudit.subject.representations import parse_all
from tokaudit_folders.folder import Folder
from tokaudit_reference.text.bytes_alphabet import BYTE_OF

pytestmark = pytest.mark.usefixtures("processes")

Write = Callable[..., Path]
ReportOf = Callable[[str], Report]
LLAMA = {"tokenizer_class": "LlamaTokenizer", "bos_token": "<s>", "eos_token": "</s>"}
TOKENS = ["<s>", "</s>", "a", "b", " ", " a", ".", " .", "0", "1", "2"]
TOKEN = {"content": "<x>", "special": False}
EVERY = {*Purpose}
STORED = {Purpose.SERVING, Purpose.TRAINING, Purpose.CACHED_IDS}
PAIRS: dict[str, tuple[dict[str, Any], dict[str, Any], str, str | None, set[Purpose]]] = {
    "a switch": (
        {"add_bos_token": True},
        {"add_bos_token": False},
        "BOS and EOS switches",
        "a",
        STORED,
    ),
    "a class": ({}, {"tokenizer_class": "GemmaTokenizer"}, "tokenizer class", None, STORED),
    "clean-up": (
        {"clean_up_tokenization_spaces": True},
        {"clean_up_tokenization_spaces": False},
        "clean-up",
        "a.",
        {Purpose.SERVING},
    ),
    "a prefix": (
        {"add_prefix_space": True},
        {"add_prefix_space": False},
        "prefix space",
        "a",
        EVERY,
    ),
    "a length": (
        {"model_max_length": 4},
        {"model_max_length": 2},
        "model max length",
        "0 1 2",
        STORED,
    ),
    "a side": (
        {"truncation_side": "left"},
        {"truncation_side": "right"},
        "truncation side",
        "0 1 2",
        STORED,
    ),
    "a flag": (
        {"added_tokens_decoder": {"11": TOKEN}},
        {"added_tokens_decoder": {"11": TOKEN | {"lstrip": True}}},
        "added tokens of loaders",
        "a <x>",
        EVERY,
    ),
}


@pytest.fixture(scope="module")
def write(tmp_path_factory: pytest.TempPathFactory) -> Write:
    """Writes a tokenizer with settings next to it; its tokenizer.json is the same each time."""

    def made(settings: dict[str, Any], **files: Any) -> Path:
        folder = Folder.bpe(TOKENS, [[" ", "a"], [" ", "."]]).changed(decoder={"type": "Fuse"})
        folder = folder.tokenizer_config(**(LLAMA | settings))
        for name, text in files.items():
            folder = folder.file(f"{name}.jinja", text)
        return folder.write(tmp_path_factory.mktemp("side"))

    return made


@pytest.fixture(scope="module")
@starts_processes
def report_of(write: Write) -> ReportOf:
    """The comparison of a pair by its name, made once."""

    @cache
    def made(name: str) -> Report:
        one, other, *_ = PAIRS[name]
        return tokaudit.compare(write(one), write(other), tier="quick")

    return made


def differing(report: Report) -> list[Facet]:
    assert report.comparison is not None
    return [each for each in report.comparison.facets if each.outcome is Outcome.DIFFERS]


@pytest.mark.parametrize("name", PAIRS)
def test_a_setting_that_differs_is_a_facet_with_a_text_where_text_shows_it(
    name: str, report_of: ReportOf
) -> None:
    _, _, facet, shown, _ = PAIRS[name]
    report = report_of(name)
    (found,) = differing(report)
    assert found.name == facet
    assert [place.file.rpartition("/")[2] for place in found.places] == [
        "tokenizer_config.json"
    ] * 2
    texts = [(each.text or next(iter(each.facts.values()))) for each in found.evidence]
    assert texts == ([] if shown is None else [shown])
    assert report.sentence.startswith("Not interchangeable: ") and facet in report.sentence
    assert not [each for each in tokaudit.recheck(report) if each.objection]


@pytest.mark.parametrize("purpose", Purpose)
def test_each_setting_is_judged_for_each_purpose(
    purpose: Purpose, write: Write, report_of: ReportOf
) -> None:
    """By its facets alone: both sides have one tokenizer, so no text gets different ids."""
    [(_, spec)] = parse_all(open_subject(str(write({})))).parsed
    trial = Trial(Side("one", spec), Side("other", spec), ())
    failed = set()
    for name in PAIRS:
        found = report_of(name).comparison
        assert found is not None
        if suitability(purpose, trial, found).verdict is Verdict.FAIL:
            failed.add(name)
    assert failed == {name for name, pair in PAIRS.items() if purpose in pair[4]}


@pytest.mark.parametrize("purpose", Purpose)
def test_the_verdict_of_a_comparison_is_that_of_its_purpose(purpose: Purpose, write: Write) -> None:
    one, other, *_, breaks = PAIRS["a switch"]
    report = tokaudit.compare(write(one), write(other), tier="quick", purpose=purpose)
    assert report.comparison is not None and report.comparison.suitability is not None
    assert (report.verdict is Verdict.FAIL) == (purpose in breaks)


@pytest.mark.parametrize(
    ("flag", "text"), [("rstrip", "<x> "), ("single_word", "a<x>"), ("normalized", None)]
)
def test_a_flag_of_a_token_is_shown_where_it_changes_what_the_token_takes(
    flag: str, text: str | None, write: Write
) -> None:
    tables = ({"11": TOKEN | {flag: on}} for on in (False, True))
    sides = [write({"added_tokens_decoder": table}) for table in tables]
    (found,) = differing(tokaudit.compare(*sides, tier="quick"))
    assert [each.text for each in found.evidence] == ([] if text is None else [text])


@pytest.mark.parametrize(
    ("purpose", "changed", "verdict"),
    [
        (Purpose.SPECULATIVE, {}, Verdict.FAIL),
        (Purpose.DISTILLATION, {}, Verdict.PASS),
        (Purpose.DISTILLATION, {"lstrip": True}, Verdict.FAIL),
        (Purpose.PRUNED, {}, Verdict.PASS),
        (Purpose.PRUNED, {"special": True, "normalized": True}, Verdict.PASS),
        (Purpose.PRUNED, {"rstrip": True}, Verdict.FAIL),
    ],
)
def test_a_token_that_a_loader_lacks_breaks_what_a_token_less_does(
    purpose: Purpose, changed: dict[str, bool], verdict: Verdict, tmp_path: Path
) -> None:
    sides = []
    for texts, flags in ((["<x>", "<y>"], {}), (["<x>"], changed)):
        folder = Folder.bpe(TOKENS, [[" ", "a"], [" ", "."]]).changed(decoder={"type": "Fuse"})
        table = {
            str(id): {"content": text, "special": False, **flags}
            for id, text in enumerate(texts, 11)
        }
        for text in texts:
            folder = folder.added(text, special=False)
        folder = folder.tokenizer_config(**LLAMA, added_tokens_decoder=table)
        sides.append(folder.write(tmp_path / str(len(texts))))
    assert tokaudit.compare(*sides, tier="quick", purpose=purpose).verdict is verdict


def test_a_text_is_truncated_to_the_length_that_is_stated(write: Write) -> None:
    sides = [write({"truncation_side": each, "model_max_length": 1}) for each in ("left", "right")]
    (found,) = differing(tokaudit.compare(*sides, tier="quick"))
    rows = [
        [token.piece for token in row]
        for row in (found.evidence[0].expected, found.evidence[0].actual)
    ]
    assert (found.evidence[0].text, *rows) == ("0 1", ["1"], ["0"])


def test_a_switch_that_the_class_does_not_take_is_no_facet(write: Write) -> None:
    bert = {"tokenizer_class": "BertTokenizer"}
    sides = [write(bert | {"add_bos_token": on}) for on in (True, False)]
    report = tokaudit.compare(*sides, tier="quick")
    assert differing(report) == []


def test_what_a_class_takes_is_compared_with_what_a_file_states(write: Write) -> None:
    stated = write({"clean_up_tokenization_spaces": True})
    (found,) = differing(tokaudit.compare(stated, write({}), tier="quick"))
    assert found.name == "clean-up"
    assert [place.implied_by for place in found.places] == [
        "",
        "tokenizer_config.json names LlamaTokenizer",
    ]


def test_slow_and_fast_are_one_class(write: Write) -> None:
    fast = write({"tokenizer_class": "LlamaTokenizerFast"})
    assert differing(tokaudit.compare(write({}), fast, tier="quick")) == []


def test_the_class_of_tokenizer_config_goes_before_that_of_config(write: Write) -> None:
    sides = [write({}) for _ in "ab"]
    for side, named in zip(sides, ("GPT2Tokenizer", "Qwen2Tokenizer"), strict=True):
        (side / "config.json").write_text(json.dumps({"tokenizer_class": named}))
    assert differing(tokaudit.compare(*sides, tier="quick")) == []


BYTES = {token: id for id, token in enumerate([*BYTE_OF, "<|endoftext|>"])}


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Write:
    """Writes a vocabulary of bytes without merges and without tokenizer.json."""

    def made(settings: dict[str, Any]) -> Path:
        folder = Folder(files={}).file("vocab.json", BYTES).file("merges.txt", "#version: 0.2\n")
        named = {"tokenizer_class": "GPT2Tokenizer", **settings}
        return folder.tokenizer_config(**named).write(tmp_path_factory.mktemp("bare"))

    return made


LEFT_OUT: dict[str, tuple[dict[str, Any], str | None]] = {  # the facet, its setting, its text
    "padding side": ({"padding_side": "left"}, None),
    "truncation side": ({"truncation_side": "left"}, "0 1 2"),
    "clean-up": ({"clean_up_tokenization_spaces": True}, "a ."),
    "BOS and EOS switches": ({"add_bos_token": True}, "a"),
}
ALSO = {"BOS and EOS switches": ["post-processor"]}
"""The facets of the tokenizer itself that a setting decides, where its class builds them."""


@pytest.mark.parametrize("facet", LEFT_OUT)
def test_a_setting_that_one_side_leaves_out_is_what_every_version_of_its_class_takes(
    facet: str, bare: Write
) -> None:
    stated, text = LEFT_OUT[facet]
    report = tokaudit.compare(bare({}), bare(stated), tier="quick")
    *others, found = differing(report)
    shown = [each.text or next(iter(each.facts.values())) for each in found.evidence]
    assert (found.name, shown) == (facet, [] if text is None else [text])
    assert [each.name for each in others] == ALSO.get(facet, [])
    assert [each.evidence[0].text for each in others] == [text] * len(others)
    assert report.comparison is not None
    assert "settings files" not in {each.name for each in report.comparison.facets}
    assert not [each for each in tokaudit.recheck(report) if each.objection]


@pytest.mark.parametrize(
    "stated",
    [
        {"truncation_side": "right"},
        {"padding_side": "right"},
        {"clean_up_tokenization_spaces": False},
        {"add_bos_token": False},
        {"add_prefix_space": False},
    ],
)
def test_what_the_class_takes_anyway_may_be_stated_or_not(
    stated: dict[str, Any], bare: Write
) -> None:
    report = tokaudit.compare(bare({}), bare(stated), tier="quick")
    assert report.verdict is Verdict.PASS


IDLE: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "a switch that only the slow class reads": (
        {"tokenizer_class": "GPT2Tokenizer"},
        {"add_bos_token": True},
    ),
    "a switch of no class": ({"tokenizer_class": "BertTokenizer"}, {"add_bos_token": True}),
    "a switch of any class": (
        {"tokenizer_class": "PreTrainedTokenizerFast"},
        {"add_eos_token": True},
    ),
    "an option of other classes": (
        {"tokenizer_class": "PreTrainedTokenizerFast"},
        {"do_lower_case": True, "strip_accents": False, "legacy": False},
    ),
    "a prefix without a step for it": (
        {"tokenizer_class": "PreTrainedTokenizerFast"},
        {"add_prefix_space": True},
    ),
    "arguments of the slow class": ({}, {"sp_model_kwargs": {"alpha": 0.1}}),
    "what a saved file says of itself": ({}, {"name_or_path": "x", "transformers_version": "4"}),
}
"""Settings by which no loader of a tokenizer.json does anything else: of both sides, of one."""


@pytest.mark.parametrize("name", IDLE)
def test_a_setting_that_no_version_of_the_class_reads_is_no_difference(
    name: str, write: Write
) -> None:
    both, more = IDLE[name]
    report = tokaudit.compare(write(both), write(both | more), tier="quick", purpose="serving")
    assert (report.verdict, differing(report)) == (Verdict.PASS, [])


READ: dict[str, tuple[dict[str, Any], dict[str, Any], str]] = {  # and the facet
    "a switch that version 4 puts over the file": ({}, {"add_bos_token": False}, "BOS and EOS"),
    "an option that version 5 builds by": ({"legacy": True}, {"legacy": False}, "class options"),
    "an option over the normalizer": (
        {"tokenizer_class": "BertTokenizer"},
        {"do_lower_case": False},
        "class options",
    ),
    "special tokens as text": ({}, {"split_special_tokens": True}, "special tokens in text"),
}


@pytest.mark.parametrize("name", READ)
def test_a_setting_that_one_version_of_the_class_reads_over_the_file_is_a_facet(
    name: str, write: Write
) -> None:
    both, more, facet = READ[name]
    (found,) = differing(tokaudit.compare(write(both), write(both | more), tier="quick"))
    assert found.name.startswith(facet)


CASED = {
    "type": "BertNormalizer",
    "clean_text": True,
    "handle_chinese_chars": True,
    "strip_accents": None,
    "lowercase": True,
}
BERT = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "a", "A", "e", "É", "中", "##a", "##中"]
OPTIONS: dict[str, tuple[dict[str, Any], str, str, list[list[int]]]] = {  # facet, text, rows
    "lower case": ({"do_lower_case": False}, "class options", "A", [[5], [6]]),
    "accents": ({"strip_accents": False}, "class options", "É", [[7], [1]]),
    "Chinese": (
        {"tokenize_chinese_chars": False},
        "class options",
        "中a",
        [[9, 5], [9, 10]],
    ),
    "the token before": (
        {"cls_token": "[MASK]"},
        "tokens around texts",
        "a",
        [[2, 5, 3], [4, 5, 3]],
    ),
}


@pytest.mark.parametrize("name", OPTIONS)
def test_what_a_class_puts_over_the_file_is_shown_by_both_rows(
    name: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    more, facet, text, rows = OPTIONS[name]
    folder = Folder.wordpiece(BERT).added(*BERT[:5])
    folder = folder.changed(normalizer=CASED, pre_tokenizer={"type": "BertPreTokenizer"})
    folder = folder.tokenizer_config(tokenizer_class="BertTokenizer")
    sides = (folder, folder.tokenizer_config(**more))
    paths = [each.write(tmp_path_factory.mktemp("bert")) for each in sides]
    report = tokaudit.compare(*paths, tier="quick")
    (found,) = differing(report)
    (shown,) = found.evidence
    ids = [[token.id for token in row] for row in (shown.expected, shown.actual)]
    assert (found.name, shown.text, ids) == (facet, text, rows)
    assert not [each for each in tokaudit.recheck(report) if each.objection]


@pytest.mark.parametrize("own", [True, False])
def test_the_space_that_version_4_sets_in_the_file_is_shown(own: bool, tmp_path: Path) -> None:
    """Whatever the file states: a class that stands for any takes the setting as false."""
    step = {"type": "ByteLevel", "add_prefix_space": own, "trim_offsets": True, "use_regex": True}
    folder = Folder.bpe([*BYTE_OF]).changed(pre_tokenizer=step)
    named = folder.tokenizer_config(tokenizer_class="PreTrainedTokenizerFast")
    sides = named, named.tokenizer_config(add_prefix_space=True)
    paths = [each.write(tmp_path / str(at)) for at, each in enumerate(sides)]
    (found,) = differing(tokaudit.compare(*paths, tier="quick"))
    (shown,) = found.evidence
    assert (found.name, len(shown.expected), len(shown.actual)) == ("prefix space", 1, 2)


def test_a_special_token_that_is_cut_into_pieces_is_shown(write: Write, with_tokens: Write) -> None:
    sides = with_tokens({}), with_tokens({"split_special_tokens": True})
    (found,) = differing(tokaudit.compare(*sides, tier="quick"))
    assert [each.text for each in found.evidence] == ["<s>"]


def test_what_a_class_builds_bare_files_by_is_not_unknown_besides(tmp_path: Path) -> None:
    """The spec of a side has it, so that the normalizers tell what it changes."""
    folder = Folder(files={}).file("vocab.txt", "".join(f"{token}\n" for token in BERT))
    bert = folder.tokenizer_config(tokenizer_class="BertTokenizer")
    stated = {
        "same": {"do_lower_case": True, "mask_token": "[MASK]"},
        "other": {"do_lower_case": False},
    }
    one = bert.write(tmp_path / "one")
    sides = {
        name: bert.tokenizer_config(**more).write(tmp_path / name) for name, more in stated.items()
    }
    found = {
        name: tokaudit.compare(one, side, tier="quick", purpose="cached-ids")
        for name, side in sides.items()
    }
    assert [(each.verdict, [f.name for f in differing(each)]) for each in found.values()] == [
        (Verdict.PASS, []),
        (Verdict.FAIL, ["normalizer"]),
    ]


PAD = {"content": "</s>", "special": True, "normalized": False}
SAME_TOKENS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "a table of the file's own tokens": ({}, {"added_tokens_decoder": {"12": PAD}}),
    "a list of the file's own tokens": ({}, {"additional_special_tokens": ["</s>"]}),
    "a list and a table": (
        {"additional_special_tokens": ["<x>"]},
        {"added_tokens_decoder": {"13": TOKEN | {"special": True}}},
    ),
    "a table with another id": (
        {"added_tokens_decoder": {"13": TOKEN}},
        {"added_tokens_decoder": {"99": TOKEN}},
    ),
}
MORE_TOKENS: dict[str, tuple[dict[str, Any], dict[str, Any], str]] = {  # and a text
    "a list with a new one": ({}, {"additional_special_tokens": ["<x>"]}, "a <x>"),
    "a table with a new one": ({}, {"added_tokens_decoder": {"13": TOKEN}}, "a <x>"),
    "a role with a new one": ({"pad_token": "</s>"}, {"pad_token": "<x>"}, "a <x>"),
    "a table with a flag of the file's": (
        {},
        {"added_tokens_decoder": {"12": PAD | {"lstrip": True}}},
        "a </s>",
    ),
    "other places in a list": (
        {"additional_special_tokens": ["<x>", "<y>"]},
        {"additional_special_tokens": ["<y>", "<x>"]},
        "a <x>",
    ),
}


@pytest.fixture(scope="module")
def with_tokens(tmp_path_factory: pytest.TempPathFactory) -> Write:
    """Writes a tokenizer with two added tokens, and settings of a class that stands for any."""

    def made(settings: dict[str, Any]) -> Path:
        folder = Folder.bpe(TOKENS[2:], [[" ", "a"], [" ", "."]]).added("<s>", "</s>")
        named = {**LLAMA, "tokenizer_class": "PreTrainedTokenizerFast", **settings}
        return folder.tokenizer_config(**named).write(tmp_path_factory.mktemp("tokens"))

    return made


@pytest.mark.parametrize("name", SAME_TOKENS)
def test_tokens_that_loaders_have_anyway_may_be_named_or_not(name: str, with_tokens: Write) -> None:
    one, other = map(with_tokens, SAME_TOKENS[name])
    report = tokaudit.compare(one, other, tier="quick", purpose="serving")
    assert (report.verdict, differing(report)) == (Verdict.PASS, [])


@pytest.mark.parametrize("name", MORE_TOKENS)
def test_a_token_that_settings_add_or_change_is_shown(name: str, with_tokens: Write) -> None:
    one, other, text = MORE_TOKENS[name]
    report = tokaudit.compare(with_tokens(one), with_tokens(other), tier="quick")
    found = [each for each in differing(report) if each.name == "added tokens of loaders"]
    assert [shown.text for each in found for shown in each.evidence] == [text]
    assert not [each for each in tokaudit.recheck(report) if each.objection]


@pytest.mark.parametrize(
    ("more", "passed"),
    [
        ({"acorn": 1}, {*Purpose} - {Purpose.SERVING}),
        ({"auto_map": {"AutoTokenizer": ["own.Own", None]}}, set()),
    ],
)
def test_what_is_unknown_counts_for_the_purposes_that_it_may_change(
    more: dict[str, Any], passed: set[Purpose], write: Write
) -> None:
    folders = write({}), write(more)
    found = tokaudit.compare(*folders, tier="quick").comparison
    assert found is not None
    subjects = (open_subject(str(folder)) for folder in folders)
    sides = (Side(each.name, parse_all(each).parsed[0][1], each) for each in subjects)
    trial = Trial(next(sides), next(sides), ())
    verdicts = {each: suitability(each, trial, found).verdict for each in Purpose}
    assert verdicts == {
        each: Verdict.PASS if each in passed else Verdict.UNVERIFIABLE for each in Purpose
    }


@pytest.mark.parametrize(
    ("stated", "facet"), [("left", "padding side"), ("right", None)], ids=["left", "right"]
)
def test_a_class_that_stands_for_any_tokenizer_takes_what_every_class_does(
    stated: str, facet: str | None, write: Write
) -> None:
    """Whatever the model is: XLNet's own class would pad on the left."""
    any_class = {"tokenizer_class": "PreTrainedTokenizerFast"}
    sides = [write(any_class), write(any_class | {"padding_side": stated})]
    for side in sides:
        (side / "config.json").write_text(json.dumps({"model_type": "xlnet"}))
    found = [each.name for each in differing(tokaudit.compare(*sides, tier="quick"))]
    assert found == ([] if facet is None else [facet])


def test_what_a_class_of_its_own_takes_is_unknown_where_only_the_model_leads_to_it(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """Version 5 loads many a model without a class by the one for any tokenizer."""
    sides = []
    for stated in ({}, {"padding_side": "right"}):
        folder = Folder.bpe(TOKENS).config(model_type="xlnet").tokenizer_config(**stated)
        sides.append(folder.write(tmp_path_factory.mktemp("typed")))
    report = tokaudit.compare(*sides, tier="quick")
    assert (report.verdict, differing(report)) == (Verdict.UNVERIFIABLE, [])


def test_the_side_that_a_tokenizer_json_leaves_on_goes_before_that_of_the_class(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    block = {"direction": "Left", "max_length": 4, "strategy": "LongestFirst", "stride": 0}
    sides = []
    for stated in ({}, {"truncation_side": "left"}):
        folder = Folder.bpe(TOKENS).changed(truncation=block).tokenizer_config(**LLAMA | stated)
        sides.append(folder.write(tmp_path_factory.mktemp("cut")))
    assert differing(tokaudit.compare(*sides, tier="quick")) == []
