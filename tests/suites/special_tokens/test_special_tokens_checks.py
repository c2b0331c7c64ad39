"""The special-token suite on specs and facts made by hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import tokaudit
from tokaudit.engine.needs import Base, Upstream
from tokaudit.foundation.errors import NotApplicable
from tokaudit.report.model import Finding, Severity
from tokaudit.runtimes.protocol import EncodeOptions, Encoding, TokenizerInfo
from tokaudit.subject.material import Fact, Subject
from tokaudit_folders.folder import Folder
from tokaudit_reference.spec import AddedToken, Component, Piece, Standing, TokenizerSpec, TokenType

Call = Callable[..., list[Any]]


def stated(*facts: tuple[str, Any, str]) -> Subject:
    made = tuple(Fact(name, value, file, f"/{name}") for name, value, file in facts)
    return Subject("test", Path("/nowhere"), (), made)


class Scripted:
    """A tokenizer that knows some markers, and gives one id for any other character."""

    capabilities = frozenset({"encode", "special"})

    def __init__(self, markers: dict[str, int]) -> None:
        self.markers, self.info = markers, TokenizerInfo("scripted", "scripted", "1")

    def vocab(self) -> dict[int, bytes | str]:
        return {}

    def decode(self, ids: Any, options: Any = None) -> list[bytes | str]:
        return []

    def encode(
        self, texts: Sequence[str], options: EncodeOptions = EncodeOptions()
    ) -> list[Encoding]:
        return [Encoding(tuple(self._ids(text))) for text in texts]

    def _ids(self, text: str) -> list[int]:
        ids = []
        while text:
            found = next((marker for marker in self.markers if text.startswith(marker)), None)
            ids.append(1 if found is None else self.markers[found])
            text = text[len(found or "x") :]
        return ids


def test_markers_that_stay_whole_are_fine(call: Call, letters: TokenizerSpec) -> None:
    upstream = Upstream(Scripted({"<|end|>": 6, "<|pad|>": 7}))
    output = call("special_tokens/atomicity", letters, upstream)
    assert [item.value for item in output] == [2]


def test_a_marker_cut_into_pieces_is_an_error(call: Call, letters: TokenizerSpec) -> None:
    upstream = Upstream(Scripted({"<|end|>": 6}))
    output = call("special_tokens/atomicity", letters, upstream)
    (finding,) = [item for item in output if isinstance(item, Finding)]
    assert "'<|pad|>' (id 7)" in finding.message and finding.severity is Severity.ERROR


def test_a_longer_added_token_around_it_is_taken_first(call: Call, letters: TokenizerSpec) -> None:
    upstream = Upstream(Scripted({"_py": 6, "_p": 7}))
    spec = replace(letters, added_tokens=(AddedToken(6, "_py"), AddedToken(7, "_p")))
    assert [item.value for item in call("special_tokens/atomicity", spec, upstream)] == [2]


def test_text_around_it_that_has_no_ids_is_not_the_tokens_fault(
    call: Call, letters: TokenizerSpec
) -> None:
    class Refusing(Scripted):
        def encode(self, texts: Sequence[str], options: EncodeOptions = EncodeOptions()) -> Any:
            good = super().encode(texts, options)
            pairs = zip(texts, good, strict=True)
            return [Encoding(error="no unk_id") if "x" in text else e for text, e in pairs]

    upstream = Upstream(Refusing({"<|end|>": 6, "<|pad|>": 7}))
    assert [item.value for item in call("special_tokens/atomicity", letters, upstream)] == [2]


def test_the_unknown_token_may_stand_for_what_is_around_it_too(
    call: Call, letters: TokenizerSpec
) -> None:
    upstream = Upstream(Scripted({"<|end|>": 1, "<|pad|>": 7}))  # as every other character
    added = (AddedToken(1, "<|end|>"), AddedToken(7, "<|pad|>"))
    spec = replace(letters, added_tokens=added, unk_id=1)
    assert [item.value for item in call("special_tokens/atomicity", spec, upstream)] == [2]


def test_control_tokens_that_are_never_taken_from_text_are_not_asked_for(
    call: Call, letters: TokenizerSpec
) -> None:
    with pytest.raises(NotApplicable):
        call(
            "special_tokens/atomicity",
            replace(letters, control_from_text=False),
            Upstream(Scripted({})),
        )


def role_findings(call: Call, spec: TokenizerSpec, subject: Subject) -> list[Severity]:
    return [finding.severity for finding in call("special_tokens/role-ids", spec, subject)]


def test_a_config_that_stops_at_another_token_is_an_error(
    call: Call, letters: TokenizerSpec
) -> None:
    subject = stated(
        ("eos_token", "<|end|>", "tokenizer_config.json"), ("eos_token_id", 2, "config.json")
    )
    assert role_findings(call, letters, subject) == [Severity.ERROR]


def test_a_generation_list_that_holds_eos_excuses_the_config(
    call: Call, letters: TokenizerSpec
) -> None:
    subject = stated(
        ("eos_token", "<|end|>", "tokenizer_config.json"),
        ("eos_token_id", 7, "config.json"),
        ("eos_token_id", [7, 6], "generation_config.json"),
    )
    assert role_findings(call, letters, subject) == []


def test_a_stale_generation_config_is_an_error(call: Call, letters: TokenizerSpec) -> None:
    subject = stated(
        ("eos_token", {"content": "<|end|>"}, "tokenizer_config.json"),
        ("eos_token_id", 6, "config.json"),
        ("eos_token_id", 7, "generation_config.json"),
    )
    assert role_findings(call, letters, subject) == [Severity.ERROR]


def test_a_negative_pad_id_is_an_error(call: Call, letters: TokenizerSpec) -> None:
    assert role_findings(call, letters, stated(("pad_token_id", -1, "config.json"))) == [
        Severity.ERROR
    ]


def test_another_pad_id_than_the_tokenizers_is_a_warning(
    call: Call, letters: TokenizerSpec
) -> None:
    subject = stated(
        ("pad_token", "<|pad|>", "tokenizer_config.json"), ("pad_token_id", 6, "config.json")
    )
    assert role_findings(call, letters, subject) == [Severity.WARNING]


def test_a_begin_id_without_a_begin_token_may_be_any_special_token(
    call: Call, letters: TokenizerSpec
) -> None:
    assert role_findings(call, letters, stated(("bos_token_id", 6, "config.json"))) == []


def test_an_end_token_that_is_no_added_token_is_an_error(
    call: Call, letters: TokenizerSpec
) -> None:
    subject = stated(("eos_token", "abc", "tokenizer_config.json"))
    (finding,) = call("special_tokens/eos-is-special", letters, subject)
    assert "id 5 is not an added token" in finding.message


def test_an_end_token_that_the_config_lists_as_special_is_special_in_loaders(
    call: Call, letters: TokenizerSpec
) -> None:
    spec = replace(letters, added_tokens=(AddedToken(6, "<|end|>", special=False),))
    listed = {"6": {"content": "<|end|>", "special": True}}
    named = ("eos_token", "<|end|>", "tokenizer_config.json")
    overlaid = stated(named, ("added_tokens_decoder", listed, "tokenizer_config.json"))
    (alone,) = call("special_tokens/eos-is-special", spec, stated(named))
    (both,) = call("special_tokens/eos-is-special", spec, overlaid)
    assert (alone.severity, both.severity) == (Severity.ERROR, Severity.WARNING)


OWN = ("auto_map", {"AutoTokenizer": ["tokenization_x.XTokenizer", None]}, "tokenizer_config.json")


def test_code_of_the_checkpoint_may_rename_a_placeholder_too(
    call: Call, letters: TokenizerSpec
) -> None:
    pieces = {**letters.pieces, 5: Piece(TokenType.ORDINARY, "[UNUSED_1]")}
    spec = replace(letters, pieces=pieces, format="tokenizer.json")
    listed = {"5": {"content": "<|user|>", "special": True}}
    subject = stated(("added_tokens_decoder", listed, "tokenizer_config.json"), OWN)
    (finding,) = call("agreement/added-tokens", spec, subject)
    assert finding.severity is Severity.WARNING


@pytest.mark.parametrize(
    ("format", "entry", "severity"),
    [
        ("tokenizer.json", "[UNUSED_1]", "error"),
        ("sentencepiece", "[UNUSED_1]", "warning"),
        ("sentencepiece", "abc", "error"),
    ],
)
def test_only_a_placeholder_of_sentencepiece_is_renamed_by_another_file(
    call: Call, letters: TokenizerSpec, format: str, entry: str, severity: str
) -> None:
    pieces = {**letters.pieces, 5: Piece(TokenType.ORDINARY, entry)}
    spec = replace(letters, pieces=pieces, format=format)
    listed = {"5": {"content": "<|user|>", "special": True}}
    subject = stated(("added_tokens_decoder", listed, "tokenizer_config.json"))
    (finding,) = call("agreement/added-tokens", spec, subject)
    assert finding.severity == severity and f"id 5, which the tokenizer gives to '{entry}'" in (
        finding.message
    )


def test_files_that_disagree_on_an_id_are_an_error(call: Call, letters: TokenizerSpec) -> None:
    subject = stated(("added_tokens", {"<|end|>": 8}, "added_tokens.json"))
    (finding,) = call("agreement/added-tokens", letters, subject)
    assert finding.severity is Severity.ERROR
    assert finding.message == (
        "'<|end|>' has id 8 in added_tokens.json, but id 6 in the tokenizer itself."
    )


@pytest.mark.parametrize(
    ("flag", "severity"), [("rstrip", Severity.ERROR), ("normalized", Severity.WARNING)]
)
def test_files_that_disagree_on_a_flag_are_told(
    call: Call, letters: TokenizerSpec, flag: str, severity: Severity
) -> None:
    own = getattr(letters.added_tokens[0], flag)
    table: dict[str, Any] = {str(t.id): {"content": t.content} for t in letters.added_tokens}
    table["6"][flag] = not own
    subject = stated(("added_tokens_decoder", table, "tokenizer_config.json"))
    (finding,) = call("agreement/added-tokens", letters, subject)
    assert finding.severity is severity and finding.message.startswith(f"{flag} of 1 added token")


def test_a_token_that_begins_another_is_information(call: Call, letters: TokenizerSpec) -> None:
    added = (AddedToken(6, "<im"), AddedToken(7, "<image>"))
    (finding,) = call("special_tokens/overlap", replace(letters, added_tokens=added))
    assert finding.severity is Severity.INFO and "'<im' in '<image>'" in finding.message


def test_names_that_were_decoded_with_another_token_before_them_are_a_warning(
    call: Call, letters: TokenizerSpec
) -> None:
    names = ("<|end|>", "<|end|><|a|>", "<|end|><|b|>")
    added = tuple(AddedToken(6 + at, name, special=True) for at, name in enumerate(names))
    (finding,) = call("special_tokens/overlap", replace(letters, added_tokens=added))
    assert (finding.severity, finding.cause) == (Severity.WARNING, "decoded")


def test_an_empty_added_token_is_an_error(call: Call, letters: TokenizerSpec) -> None:
    (finding,) = call(
        "special_tokens/empty-content", replace(letters, added_tokens=(AddedToken(6, ""),))
    )
    assert finding.severity is Severity.ERROR


def processed(letters: TokenizerSpec, ids: list[int]) -> TokenizerSpec:
    template = {
        "type": "TemplateProcessing",
        "single": [
            {"SpecialToken": {"id": "<|end|>", "type_id": 0}},
            {"Sequence": {"id": "A", "type_id": 0}},
        ],
        "pair": [],
        "special_tokens": {"<|end|>": {"id": "<|end|>", "ids": ids, "tokens": ["<|end|>"]}},
    }
    return replace(letters, post_processor=Component(template, Standing.STATED))


@pytest.mark.parametrize("ids", [[7], [6, 7], [99]])
def test_a_template_with_wrong_ids_is_an_error(
    call: Call, letters: TokenizerSpec, ids: list[int]
) -> None:
    (finding,) = call("special_tokens/post-processor", processed(letters, ids), stated())
    assert finding.severity is Severity.ERROR


def test_a_template_that_adds_what_a_flag_denies_is_an_error(
    call: Call, letters: TokenizerSpec
) -> None:
    subject = stated(
        ("bos_token", "<|end|>", "tokenizer_config.json"),
        ("add_bos_token", False, "tokenizer_config.json"),
    )
    (finding,) = call("special_tokens/post-processor", processed(letters, [6]), subject)
    assert finding.severity is Severity.ERROR


def test_a_flag_that_the_template_does_not_follow_is_a_warning(
    call: Call, letters: TokenizerSpec
) -> None:
    subject = stated(
        ("eos_token", "<|pad|>", "tokenizer_config.json"),
        ("add_eos_token", True, "tokenizer_config.json"),
    )
    (finding,) = call("special_tokens/post-processor", processed(letters, [6]), subject)
    assert finding.severity is Severity.WARNING


NOTHING = Component(None, Standing.STATED)


@pytest.mark.parametrize(("kind", "severities"), [("BertTokenizer", ["error"]), ("Own", [])])
def test_ends_that_the_class_writes_and_the_post_processor_lost_are_an_error(
    call: Call, letters: TokenizerSpec, kind: str, severities: list[str]
) -> None:
    pieces = {8: Piece(TokenType.ORDINARY, "[CLS]"), 9: Piece(TokenType.ORDINARY, "[SEP]")}
    lost = replace(letters, pieces=letters.pieces | pieces, post_processor=NOTHING)
    subject = stated(("tokenizer_class", kind, "tokenizer_config.json"))
    try:
        found = call("special_tokens/post-processor", lost, subject)
    except NotApplicable:
        found = []
    assert [finding.severity for finding in found] == severities


def test_ends_that_are_exchanged_are_an_error(call: Call, letters: TokenizerSpec) -> None:
    pieces = {8: Piece(TokenType.ORDINARY, "[CLS]"), 9: Piece(TokenType.ORDINARY, "[SEP]")}
    block = {"type": "BertProcessing", "cls": ["[SEP]", 9], "sep": ["[CLS]", 8]}
    spec = replace(
        letters,
        pieces=letters.pieces | pieces,
        post_processor=Component(block, Standing.STATED),
    )
    subject = stated(("tokenizer_class", "BertTokenizer", "tokenizer_config.json"))
    (finding,) = call("special_tokens/post-processor", spec, subject)
    assert (finding.severity, finding.cause) == (Severity.ERROR, "exchanged ends")


def test_an_added_word_that_the_model_knows_is_an_error(call: Call, letters: TokenizerSpec) -> None:
    """One with another id than its entry is left to `vocab/duplicate-id`."""
    spec = replace(letters, added_tokens=(AddedToken(letters.ids_by_surface["abc"], "abc"),))
    (finding,) = call("special_tokens/ordinary-words", spec)
    assert finding.severity is Severity.ERROR


def test_an_added_word_that_the_model_does_not_know_is_a_warning(
    call: Call, letters: TokenizerSpec
) -> None:
    spec = replace(letters, added_tokens=(AddedToken(9, "Deniz"),))
    (finding,) = call("special_tokens/ordinary-words", spec)
    assert finding.severity is Severity.WARNING


@pytest.mark.parametrize(
    ("word", "special", "causes"),
    [
        *(("Question", True, ["dropped"]), ("system", True, ["dropped"])),
        *(("<|system|>", True, []), ("PAD", True, []), ("de", True, [])),
        ("Question", False, ["warning"]),
    ],
)
def test_a_special_token_that_prose_writes_is_dropped_from_answers(
    call: Call, letters: TokenizerSpec, word: str, special: bool, causes: list[str]
) -> None:
    spec = replace(letters, added_tokens=(AddedToken(9, word, special),))
    assert [each.cause for each in call("special_tokens/ordinary-words", spec)] == causes


@pytest.mark.parametrize(("word", "causes"), [("turkey", ["error"]), ("[turkey]", [])])
def test_a_word_of_a_wordpiece_that_is_declared_special_is_an_error(
    tmp_path: Path, ask: Callable[..., list[Any]], word: str, causes: list[str]
) -> None:
    folder = Folder.wordpiece(["[UNK]", "cat", word]).changed(
        added_tokens=[{"id": 2, "content": word, "special": True}]
    )
    found = ask("special_tokens/ordinary-words", folder.write(tmp_path))
    assert [each.cause for each in found] == causes


def since_base(call: Call, id: str, spec: TokenizerSpec, base: TokenizerSpec) -> list[Any]:
    return call(id, spec, Base(Subject("base", Path("/nowhere"), ()), base))


def test_an_added_token_lost_since_the_base_is_an_error(call: Call, letters: TokenizerSpec) -> None:
    spec = replace(letters, added_tokens=letters.added_tokens[:1])
    (finding,) = since_base(call, "baseline/added-tokens", spec, letters)
    assert "'<|pad|>' (id 7)" in finding.message


@pytest.mark.parametrize(
    ("content", "id", "severity"),
    [("abc", 5, "warning"), ("<|new|>", 8, "info"), ("new", 8, "info")],
)
def test_a_plain_entry_of_the_base_that_is_added_now_is_a_warning(
    call: Call, letters: TokenizerSpec, content: str, id: int, severity: str
) -> None:
    spec = replace(letters, added_tokens=(*letters.added_tokens, AddedToken(id, content)))
    (finding,) = since_base(call, "baseline/added-tokens", spec, letters)
    assert finding.severity == severity and f"'{content}' (id {id})" in finding.message


def test_a_flag_changed_since_the_base_is_an_error(call: Call, letters: TokenizerSpec) -> None:
    changed = replace(letters.added_tokens[0], rstrip=True)
    spec = replace(letters, added_tokens=(changed, letters.added_tokens[1]))
    (finding,) = since_base(call, "baseline/added-token-flags", spec, letters)
    assert finding.message.startswith(
        "1 added token has another value of rstrip than in the base: '<|end|>'"
    )


@pytest.mark.parametrize(
    ("normalizer", "severity"), [(None, "warning"), ({"type": "Lowercase"}, "error")]
)
def test_whether_a_token_is_normalized_matters_where_there_is_a_normalizer(
    call: Call, letters: TokenizerSpec, normalizer: Any, severity: str
) -> None:
    none = Component(None, Standing.STATED)
    base = replace(letters, normalizer=Component(normalizer, Standing.STATED), pre_tokenizer=none)
    changed = replace(base.added_tokens[0], normalized=False)
    spec = replace(base, added_tokens=(changed, base.added_tokens[1]))
    (finding,) = since_base(call, "baseline/added-token-flags", spec, base)
    assert finding.severity == severity


def test_added_tokens_are_their_own_base(call: Call, letters: TokenizerSpec) -> None:
    for id in ("baseline/added-tokens", "baseline/added-token-flags"):
        assert since_base(call, id, letters, letters) == []


def test_an_id_without_a_token_is_shown_without_a_name_of_ours() -> None:
    from tokaudit.engine.evidence import view

    assert [each.piece for each in view([1, 2], {1: "a"})] == ["a", None]


def test_a_separator_that_the_folder_lacks_is_one_cause(tmp_path: Path) -> None:
    one, two = ({"Sequence": {"id": name, "type_id": 0}} for name in "AB")
    end = {"SpecialToken": {"id": "<sep>", "type_id": 0}}
    stage = {
        "type": "TemplateProcessing",
        "single": [one, end],
        "pair": [one, end, two, end],
        "special_tokens": {"<sep>": {"id": "<sep>", "ids": [3], "tokens": ["<sep>"]}},
    }
    folder = Folder.bpe("ab", ["a b"]).changed(post_processor=stage)
    folder = folder.tokenizer_config(sep_token="<sep>")
    folder = folder.file("special_tokens_map.json", {"sep_token": "<sep>"})
    checks = ["special_tokens/post-processor", "config/tokens"]
    report = tokaudit.audit(folder.write(tmp_path), select=checks, tier="quick")
    [cause] = report.causes
    assert cause.finding.identity == "special_tokens/post-processor:token"
    assert {each.identity for each in cause.explains} == {"config/tokens:sep_token"}


@pytest.mark.parametrize(
    ("id", "table", "severity", "blamed"),
    [
        (1, False, Severity.WARNING, "tokenizer_config.json"),  # the map and the id agree
        (2, False, Severity.ERROR, "special_tokens_map.json"),  # a loader takes the map alone
        (2, True, Severity.WARNING, "special_tokens_map.json"),  # a table: the config is taken
    ],
)
def test_a_token_that_no_loader_takes_and_no_id_is_of_is_a_warning_about_its_file(
    tmp_path: Path, id: int, table: bool, severity: Severity, blamed: str
) -> None:
    folder = Folder.bpe("abc").added("<s>", "<|end|>")
    start, end = (folder.tokenizer["added_tokens"][place]["id"] for place in (0, 1))
    named: dict[str, Any] = {"eos_token": "<|end|>", "tokenizer_class": "PreTrainedTokenizerFast"}
    if table:
        named["added_tokens_decoder"] = {str(end): {"content": "<|end|>", "special": True}}
    folder = folder.file("tokenizer_config.json", named)
    folder = folder.file("special_tokens_map.json", {"eos_token": "<s>"})
    folder.config(eos_token_id=start if id == 1 else end).write(tmp_path)
    found = [
        each
        for each in tokaudit.run_check("special_tokens/role-ids", tmp_path).findings
        if each.cause == "eos tokens"
    ]
    assert [(each.severity, each.places[0].file) for each in found] == [(severity, blamed)]


@pytest.mark.parametrize(
    ("model", "severity"),
    [
        ("GPT2LMHeadModel", "warning"),
        ("XGLMForCausalLM", "info"),
        ("BartForConditionalGeneration", "warning"),
    ],
)
def test_a_start_of_the_decoder_says_nothing_of_a_model_that_decodes_alone(
    tmp_path: Path, model: str, severity: str
) -> None:
    folder = Folder.bpe("abc").added("<s>")
    folder.config(decoder_start_token_id=1, architectures=[model]).write(tmp_path)
    found = tokaudit.run_check("special_tokens/role-ids", tmp_path).findings
    assert [(str(each.severity), each.cause) for each in found] == [(severity, "decoder_start")]


def test_a_decoder_that_starts_with_the_mark_of_a_word_is_information(tmp_path: Path) -> None:
    Folder.bpe("a▁").added("<s>").config(decoder_start_token_id=1).write(tmp_path)
    (found,) = tokaudit.run_check("special_tokens/role-ids", tmp_path).findings
    assert (found.severity, found.cause) == (Severity.INFO, "decoder_start")


@pytest.mark.parametrize(("score", "severity"), [(0.0, "warning"), (-9.0, "error")])
def test_an_end_that_a_unigram_takes_whole_is_a_warning(
    tmp_path: Path, score: float, severity: str
) -> None:
    pieces = [("<unk>", 0.0), ("</s>", score), *((each, -1.0) for each in "</s>ab")]
    folder = Folder.unigram(dict(pieces).items(), unk_id=0).added("<other>")
    folder.file("special_tokens_map.json", {"eos_token": "</s>"}).write(tmp_path)
    found = tokaudit.run_check("special_tokens/eos-is-special", tmp_path).findings
    assert [str(each.severity) for each in found] == [severity]
    shown = "show it even where special tokens are skipped" in found[0].message
    assert shown == (severity == "warning")
