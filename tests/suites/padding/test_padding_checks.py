"""The padding suite on specs and facts made by hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import tokaudit
from tokaudit.engine.needs import Upstream
from tokaudit.foundation.errors import NotApplicable
from tokaudit.report.model import Finding, Place, Severity
from tokaudit.runtimes.protocol import EncodeOptions, Encoding, TokenizerInfo
from tokaudit.subject.material import Fact, Subject
from tokaudit_folders.folder import Folder
from tokaudit_reference.spec import Component, Standing, TokenizerSpec

Call = Callable[..., list[Any]]


def stated(**facts: Any) -> Subject:
    made = tuple(Fact(name, value, "config.json", f"/{name}") for name, value in facts.items())
    return Subject("test", Path("/nowhere"), (), made)


def severities(output: list[Any]) -> list[Severity]:
    return [item.severity for item in output if isinstance(item, Finding)]


class Padder:
    """One id for each word, padded with 0 as told; `mask` spoils what it says about a batch."""

    capabilities = frozenset({"encode", "pad"})
    info = TokenizerInfo("padder", "padder", "1")

    def __init__(self, left: bool = False, mask_pads: bool = True) -> None:
        self.left, self.mask_pads = left, mask_pads

    def vocab(self) -> dict[int, bytes | str]:
        return {}

    def decode(self, ids: Any, options: Any = None) -> list[bytes | str]:
        return []

    def encode(
        self, texts: Sequence[str], options: EncodeOptions = EncodeOptions()
    ) -> list[Encoding]:
        rows = [tuple(range(5, 5 + len(text.split()))) for text in texts]
        width = max(map(len, rows)) if options.pad else 0
        return [self._padded(row, width - len(row)) for row in rows]

    def _padded(self, row: tuple[int, ...], missing: int) -> Encoding:
        pads, off = (0,) * missing, (int(not self.mask_pads),) * missing
        on = (1,) * len(row)
        if self.left:
            return Encoding(pads + row, attention_mask=off + on)
        return Encoding(row + pads, attention_mask=on + off)


def test_a_pad_token_of_its_own_is_fine(call: Call, letters: TokenizerSpec) -> None:
    output = call("padding/pad-token", letters, stated(pad_token="<|pad|>", eos_token="<|end|>"))
    assert [item.value for item in output] == [1.0]


def test_padding_with_eos_is_a_warning_that_counts_the_lost_label(
    call: Call, letters: TokenizerSpec
) -> None:
    subject = stated(pad_token="<|end|>", eos_token="<|end|>")
    measurement, finding = call("padding/pad-token", letters, subject)
    assert (measurement.value, finding.severity) == (0.0, Severity.WARNING)


@pytest.mark.parametrize(("encoder", "worth"), [(False, "warning"), (True, "info")])
def test_an_encoder_that_is_built_by_modules_has_no_labels_to_mask(
    tmp_path: Path, encoder: bool, worth: str
) -> None:
    folder = Folder.bpe(["a"]).added("<|end|>").config(architectures=["AcornForCausalLM"])
    folder = folder.tokenizer_config(pad_token="<|end|>", eos_token="<|end|>")
    if encoder:
        folder = folder.file("modules.json", "[]")
    report = tokaudit.audit(folder.write(tmp_path / "a"), select=["padding/pad-token"])
    assert [finding.severity.value for finding in report.findings] == [worth]


def test_a_pad_token_that_does_not_exist_is_an_error(call: Call, letters: TokenizerSpec) -> None:
    output = call("padding/pad-token", letters, stated(pad_token="[PAD]"))
    assert severities(output) == [Severity.ERROR]


def test_an_ordinary_pad_token_is_a_warning(call: Call, letters: TokenizerSpec) -> None:
    output = call("padding/pad-token", letters, stated(pad_token="ab"))
    assert severities(output) == [Severity.WARNING]


@pytest.mark.parametrize(
    ("strategy", "severity"),
    [
        ({"Fixed": 16}, Severity.WARNING),
        ({"Fixed": 50_000_000}, Severity.ERROR),
        ("BatchLongest", Severity.WARNING),
        ({"Fixed": 0}, Severity.WARNING),
    ],
)
def test_a_padding_block_is_judged_by_what_it_does(
    call: Call, letters: TokenizerSpec, strategy: Any, severity: Severity
) -> None:
    block = Component({"strategy": strategy, "pad_token": "<|pad|>"}, Standing.STATED)
    output = call("padding/settings-left-on", replace(letters, padding=block), stated())
    assert severities(output) == [severity]


def test_padding_left_on_with_another_tokens_id_is_an_error(
    call: Call, letters: TokenizerSpec
) -> None:
    options = {"strategy": "BatchLongest", "pad_id": 5, "pad_token": "<|pad|>"}
    block = Component(options, Standing.STATED)
    wrong, left = call("padding/settings-left-on", replace(letters, padding=block), stated())
    assert (wrong.severity, left.severity) == (Severity.ERROR, Severity.WARNING)
    assert "'<|pad|>' as id 5 ('abc'), but the id of the token is 7" in wrong.message


def test_truncation_left_on_is_a_warning(call: Call, letters: TokenizerSpec) -> None:
    spec = replace(letters, truncation=Component({"max_length": 8}, Standing.STATED))
    (finding,) = call("padding/settings-left-on", spec, stated(model_max_length=512))
    assert "cuts every text to 8 tokens, although the model takes 512" in finding.message


def test_truncation_at_the_declared_length_is_information(
    call: Call, letters: TokenizerSpec
) -> None:
    spec = replace(letters, truncation=Component({"max_length": 512}, Standing.STATED))
    output = call("padding/settings-left-on", spec, stated(model_max_length=512))
    assert severities(output) == [Severity.INFO]


def padded(letters: TokenizerSpec, direction: str) -> TokenizerSpec:
    return replace(letters, padding=Component({"direction": direction}, Standing.STATED))


def test_two_files_that_pad_on_different_sides_are_a_warning(
    call: Call, letters: TokenizerSpec
) -> None:
    output = call("padding/side", padded(letters, "Right"), stated(padding_side="left"))
    assert severities(output) == [Severity.WARNING]


def test_a_mask_of_1_on_text_and_0_on_padding_is_fine(call: Call, letters: TokenizerSpec) -> None:
    for left, direction in ((False, "Right"), (True, "Left")):
        spec = padded(letters, direction)
        assert call("padding/attention-mask", spec, stated(), Upstream(Padder(left=left))) == []


def test_a_mask_of_1_on_padding_is_an_error(call: Call, letters: TokenizerSpec) -> None:
    output = call("padding/attention-mask", letters, stated(), Upstream(Padder(mask_pads=False)))
    assert severities(output) == [Severity.ERROR]


def test_padding_on_the_wrong_side_is_an_error(call: Call, letters: TokenizerSpec) -> None:
    spec = padded(letters, "Left")
    (finding,) = call("padding/attention-mask", spec, stated(), Upstream(Padder()))
    assert finding.message.endswith("is not padded on the left.")


@pytest.mark.parametrize("block", ["Left", "Right"])
def test_the_side_that_the_configs_state_is_judged_and_blamed(
    call: Call, letters: TokenizerSpec, block: str
) -> None:
    fact = Fact("padding_side", "left", "tokenizer_config.json", "/padding_side")
    spec, left = padded(letters, block), Subject("test", Path("/nowhere"), (), (fact,))
    assert call("padding/attention-mask", spec, left, Upstream(Padder(left=True))) == []
    (finding,) = call("padding/attention-mask", spec, left, Upstream(Padder()))
    assert finding.message.endswith("is not padded on the left.")
    blamed = Place("padding", "tokenizer_config.json", "/padding_side", "left")
    assert finding.places[0] == blamed


def test_a_pad_id_that_text_holds_loses_labels(call: Call, letters: TokenizerSpec) -> None:
    output = call("padding/label-masking", letters, stated(pad_token="abc"), Upstream(Padder()))
    assert severities(output) == [Severity.ERROR]


def test_pad_equal_to_eos_is_told_once(call: Call, letters: TokenizerSpec) -> None:
    subject = stated(pad_token="<|end|>", eos_token="<|end|>")
    with pytest.raises(NotApplicable):
        call("padding/label-masking", letters, subject, Upstream(Padder()))


def test_roberta_loses_the_positions_up_to_its_pad_id(call: Call) -> None:
    roberta = {"model_type": "roberta", "pad_token_id": 1, "max_position_embeddings": 514}
    assert call("padding/position-budget", stated(model_max_length=512, **roberta)) == []
    output = call("padding/position-budget", stated(model_max_length=514, **roberta))
    assert severities(output) == [Severity.ERROR]


@pytest.mark.parametrize(("length", "expected"), [(20, ["error"]), (1024, ["warning"]), (4096, [])])
def test_a_length_far_below_the_positions_cuts_texts(
    call: Call, length: int, expected: list[str]
) -> None:
    subject = stated(model_max_length=length, max_position_embeddings=131_072)
    assert severities(call("padding/position-budget", subject)) == expected


def test_truncation_far_below_the_positions_is_an_error(call: Call, letters: TokenizerSpec) -> None:
    spec = replace(letters, truncation=Component({"max_length": 128}, Standing.STATED))
    (finding,) = call("padding/settings-left-on", spec, stated(max_position_embeddings=131_072))
    assert finding.severity is Severity.ERROR


@pytest.mark.parametrize("length", [10**30, 10**9])
def test_a_length_that_nobody_set_is_not_judged(call: Call, length: int) -> None:
    with pytest.raises(NotApplicable):
        call("padding/position-budget", stated(model_max_length=length, max_position_embeddings=8))


def test_a_length_that_no_file_states_is_told_where_positions_are_learned(
    ask: Callable[..., list[Any]], tmp_path: Path
) -> None:
    made = Folder.bpe("ab").config(model_type="bert", max_position_embeddings=512, vocab_size=2)
    open_length = made.tokenizer_config(tokenizer_class="BertTokenizer")
    [found] = ask("padding/position-budget", open_length.write(tmp_path / "open"))
    assert (str(found.severity), found.cause) == ("info", "open")
    cut = open_length.tokenizer_config(tokenizer_class="BertTokenizer", model_max_length=512)
    assert ask("padding/position-budget", cut.write(tmp_path / "cut")) == []


@pytest.mark.parametrize(
    ("architecture", "worth"),
    [("BertForSequenceClassification", "warning"), ("BertLMHeadModel", "info")],
)
def test_an_open_length_is_a_warning_where_nobody_generates(
    ask: Callable[..., list[Any]], tmp_path: Path, architecture: str, worth: str
) -> None:
    folder = Folder.bpe("ab").tokenizer_config(model_max_length=10**30)
    folder = folder.config(
        model_type="bert", architectures=[architecture], max_position_embeddings=512
    )
    (found,) = ask("padding/position-budget", folder.write(tmp_path))
    assert (str(found.severity), found.cause) == (worth, "open")


def test_an_older_name_of_the_length_limits_it(
    ask: Callable[..., list[Any]], tmp_path: Path
) -> None:
    folder = Folder.bpe("ab").tokenizer_config(max_len=512)
    folder = folder.config(
        model_type="bert", architectures=["BertModel"], max_position_embeddings=512
    )
    with pytest.raises(NotApplicable):
        ask("padding/position-budget", folder.write(tmp_path))


@pytest.mark.parametrize(
    ("architecture", "pad", "worth"),
    [
        ("BertModel", 2, ["info"]),
        ("BertModel", 0, ["error", "warning"]),
        ("BertLMHeadModel", 2, ["warning"]),
    ],
)
def test_padding_to_the_longest_that_an_encoder_was_saved_with_is_information(
    ask: Callable[..., list[Any]], tmp_path: Path, architecture: str, pad: int, worth: list[str]
) -> None:
    block = {
        "strategy": "BatchLongest",
        "direction": "Right",
        "pad_to_multiple_of": None,
        "pad_id": pad,
        "pad_type_id": 0,
        "pad_token": "[PAD]",
    }
    folder = Folder.bpe("ab").added("[PAD]").changed(padding=block)
    folder = folder.config(model_type="bert", architectures=[architecture])
    found = ask("padding/settings-left-on", folder.write(tmp_path))
    assert [str(each.severity) for each in found] == worth
