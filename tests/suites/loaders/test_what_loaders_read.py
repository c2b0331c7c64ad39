"""What named versions of loaders read of a folder: which file, which key, which config."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import tokaudit
from tokaudit.foundation.errors import UnreadableError
from tokaudit.report.model import Finding
from tokaudit.subject.upstream.versions import FIVE, FOUR
from tokaudit_folders.folder import Folder

SOUND = Folder.bpe("abc", ["a b"])
EXCHANGED = Folder.bpe({"b": 0, "a": 1, "c": 2, "ab": 3}, ["a b"])
VERSIONED = "tokenizer.4.0.0.json"


def found(folder: Folder, path: Path, *checks: str) -> list[Finding]:
    report = tokaudit.audit(folder.write(path), select=checks, tier="quick")
    return [finding for result in report.results for finding in result.findings]


def said(findings: list[Finding]) -> list[tuple[str, str]]:
    return [(str(each.severity), each.cause) for each in findings]


def versioned(*listed: str) -> Folder:
    named = {"fast_tokenizer_files": ["tokenizer.json", *listed]} if listed else {}
    folder = SOUND.file(VERSIONED, json.loads(EXCHANGED.text()))
    return folder.tokenizer_config(tokenizer_class="PreTrainedTokenizerFast", **named)


def test_a_file_for_versions_with_other_ids_is_an_error_with_a_text(tmp_path: Path) -> None:
    findings = found(versioned(VERSIONED), tmp_path, "files/versioned-tokenizer", "config/paths")
    assert said(findings) == [("error", "versioned")]
    assert f"transformers {FOUR} and transformers {FIVE} load {VERSIONED}" in findings[0].message
    assert findings[0].evidence[0].text


@pytest.mark.parametrize("listed", [(), (VERSIONED, "tokenizer.10.0.0.json")])
def test_a_file_that_no_version_takes_is_no_error(tmp_path: Path, listed: tuple[str, ...]) -> None:
    folder = versioned(*listed).file("tokenizer.10.0.0.json", json.loads(EXCHANGED.text()))
    assert found(folder, tmp_path, "files/versioned-tokenizer", "config/paths") == []


CASED = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "The", "the", "Cat", "##s", *"abcTC"]
WORDS = Folder().file("vocab.txt", "".join(f"{word}\n" for word in CASED))


@pytest.mark.parametrize(
    ("folder", "causes"),
    [
        (WORDS.config(model_type="bert", do_lower_case=False), ["do_lower_case"]),
        (WORDS.config(model_type="bert").tokenizer_config(do_lower_case=False), []),
        (WORDS.config(model_type="bert", do_lower_case=True), []),
    ],
)
def test_a_switch_of_the_tokenizer_in_the_config_of_the_model_is_read_by_no_version(
    tmp_path: Path, folder: Folder, causes: list[str]
) -> None:
    assert [each.cause for each in found(folder, tmp_path, "config/switches")] == causes


BARE = {"type": "TemplateProcessing", "single": [{"Sequence": {"id": "A", "type_id": 0}}]}
PAIR = [{"Sequence": {"id": name, "type_id": at}} for at, name in enumerate("AB")]
NOTHING: dict[str, Any] = {**BARE, "pair": PAIR, "special_tokens": {}}


@pytest.mark.parametrize(
    ("named", "severities"),
    [("PreTrainedTokenizerFast", ["info"]), ("BertTokenizer", ["error"])],
)
def test_what_a_class_would_put_around_texts_is_no_fault_where_both_versions_take_the_file(
    tmp_path: Path, named: str, severities: list[str]
) -> None:
    folder = Folder.wordpiece(CASED).added("[CLS]", "[SEP]").changed(post_processor=NOTHING)
    folder = folder.tokenizer_config(tokenizer_class=named).config(model_type="bert")
    findings = found(folder, tmp_path, "special_tokens/post-processor")
    assert [str(each.severity) for each in findings] == severities


@pytest.mark.parametrize(
    ("config", "causes"),
    [
        (
            {"model_type": "llama", "architectures": ["LlamaForSequenceClassification"]},
            ["no pad id"],
        ),
        ({"model_type": "bert", "architectures": ["BertForSequenceClassification"]}, []),
        (
            {
                "model_type": "llama",
                "architectures": ["LlamaForSequenceClassification"],
                "pad_token_id": 0,
            },
            [],
        ),
    ],
)
def test_a_classifier_by_the_last_token_needs_a_pad_id_in_its_config(
    tmp_path: Path, config: dict[str, object], causes: list[str]
) -> None:
    folder = SOUND.config(**config).tokenizer_config(pad_token="c")
    assert [each.cause for each in found(folder, tmp_path, "padding/classifier-pad")] == causes


def test_a_model_for_pictures_without_a_processor_is_a_warning(tmp_path: Path) -> None:
    folder = SOUND.config(vision_config={"hidden_size": 8}, image_token_id=2)
    assert said(found(folder, tmp_path / "a", "files/processor")) == [("warning", "no processor")]
    whole = folder.file("processor_config.json", {"processor_class": "AcornProcessor"})
    assert found(whole, tmp_path / "b", "files/processor") == []


@pytest.mark.parametrize(("more", "severity"), [({}, "warning"), ({"a": 1}, "info")])
def test_a_template_that_processors_alone_read_is_said_to_be_none_of_the_tokenizer(
    tmp_path: Path, more: dict[str, int], severity: str
) -> None:
    text = "{% for m in messages %}{{ m.content }}{% endfor %}"
    folder = SOUND.file("chat_template.json", {"chat_template": text})
    folder = folder.file("preprocessor_config.json", more) if more else folder
    assert said(found(folder, tmp_path / "a", "chat_template/copies")) == [
        (severity, "of processors")
    ]
    whole = folder.tokenizer_config(chat_template=text)
    assert found(whole, tmp_path / "b", "chat_template/copies") == []


def test_templates_of_a_key_next_to_a_file_are_lost_to_both_versions(tmp_path: Path) -> None:
    text = "{% for m in messages %}{{ m.content }}{% endfor %}"
    listed = [{"name": name, "template": text} for name in ("default", "tool_use")]
    folder = SOUND.tokenizer_config(chat_template=listed)
    assert found(folder, tmp_path / "a", "chat_template/copies") == []
    (finding,) = found(
        folder.file("chat_template.jinja", text), tmp_path / "b", "chat_template/copies"
    )
    assert finding.cause == "hidden" and "'tool_use'" in finding.message


def test_the_tokenizer_of_another_library_is_refused_by_its_name(tmp_path: Path) -> None:
    keras = {"class_name": "Tokenizer", "config": {"num_words": None}}
    (tmp_path / "tokenizer.json").write_text(json.dumps(keras))
    with pytest.raises(UnreadableError, match="Keras"):
        tokaudit.audit(tmp_path, tier="quick")


def test_a_file_that_is_json_within_a_string_is_called_what_the_string_is(tmp_path: Path) -> None:
    keras = json.dumps({"class_name": "Tokenizer", "config": {"num_words": None}})
    (tmp_path / "tokenizer.json").write_text(json.dumps(keras))
    with pytest.raises(UnreadableError, match="Keras"):
        tokaudit.audit(tmp_path, tier="quick")


@pytest.mark.parametrize("inner", ['{"model": {}}', "[]", "no JSON", "\ud800"])
def test_json_within_a_string_is_refused_in_one_sentence(tmp_path: Path, inner: str) -> None:
    (tmp_path / "tokenizer.json").write_text(json.dumps(inner))
    with pytest.raises(UnreadableError, match=r"tokenizer\.json: "):
        tokaudit.audit(tmp_path, tier="quick")


def test_a_tokenizer_json_of_another_program_is_told_by_its_first_keys(tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").write_text(json.dumps({"stoi": {"a": 0}, "itos": ["a"]}))
    with pytest.raises(UnreadableError, match="begins with 'stoi', 'itos'"):
        tokaudit.audit(tmp_path, tier="quick")


@pytest.mark.parametrize(("kind", "does"), [("bpe", "but not"), ("unigram", "and transformers")])
def test_clean_up_names_the_versions_that_do_it(tmp_path: Path, kind: str, does: str) -> None:
    bytes_ = [f"<0x{value:02X}>" for value in range(256)]
    folder = (
        Folder.bpe([*bytes_, "a"], byte_fallback=True)
        if kind == "bpe"
        else Folder.unigram(
            [("<unk>", 0.0), *((each, -1.0) for each in bytes_)], byte_fallback=True
        )
    )
    made = folder.tokenizer_config(clean_up_tokenization_spaces=True)
    (finding,) = found(made, tmp_path, "round_trip/clean-up")
    assert f"transformers {FOUR}" in finding.message and f"{does}" in finding.message
