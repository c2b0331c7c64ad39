"""Each fault of a batch or of a model is found, as severe as its harm under the stated use."""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from first_batches import (
    BOS,
    CONFIG,
    END,
    EOS,
    IGNORED,
    PAD,
    SIZE,
    START,
    Matrix,
    findings,
    padded,
    tokenizer,
)
from tokenizers import Tokenizer

import tokaudit
from tokaudit_folders.folder import Folder

LONG, SHORT = [BOS, 5, 6, 7, 8, EOS], [BOS, 9, EOS]


class Model:
    """A model whose embedding has so many rows, and a head of as many or others."""

    config = CONFIG

    def __init__(self, rows: int, head: int | None = None) -> None:
        self.rows, self.head = rows, head or rows

    def get_input_embeddings(self) -> Matrix:
        return Matrix(self.rows, 8)

    def get_output_embeddings(self) -> Matrix:
        return Matrix(self.head, 8)


def changed(row: int, place: int, key: str, value: int) -> dict[str, Any]:
    """The sound batch with one other number."""
    batch: dict[str, Any] = padded(LONG, SHORT)
    batch[key][row][place] = value
    return batch


def test_a_size_typed_into_the_training_configuration_is_smaller_than_the_tokenizer() -> None:
    """As in pytorch/torchtitan #2074: arguments of the model have another size and another end."""

    @dataclass
    class ModelArguments:
        dim: int = 8
        vocab_size: int = 256
        eos_id: int = EOS

    assert findings(None, config=ModelArguments()) == {"preflight/sizes:config-rows": "error"}
    assert findings(None, config=ModelArguments(vocab_size=SIZE)) == {}
    assert findings(None, config=ModelArguments(vocab_size=SIZE, eos_id=2)) == {
        "special_tokens/role-ids:eos": "error"
    }
    assert findings(None, config=ModelArguments(vocab_size=512)) == {
        "preflight/sizes:spare-rows": "info"
    }


def test_a_batch_in_which_everything_is_masked_has_zero_loss() -> None:
    """As in urchade/GLiNER #371: the loss is zero, and nothing says why."""
    batch = padded(LONG, SHORT, labels=[[IGNORED] * 6, [IGNORED] * 3])
    assert findings(batch) == {"preflight/labels:nothing-trained": "error"}
    assert findings(batch, use=None) == {"preflight/labels:nothing-trained": "error"}


def test_an_added_token_has_no_row_in_the_model() -> None:
    found = findings(None, config=None, model=Model(SIZE - 1))
    assert found == {
        "preflight/sizes:embedding-rows": "error",
        "preflight/sizes:output-rows": "error",
    }


def test_ids_of_a_batch_are_beyond_the_embedding() -> None:
    """As in aprender #961: a run over ids that the embedding has no rows for."""
    found = findings(changed(0, 2, "input_ids", 5000), config=None, model=Model(SIZE))
    assert found["preflight/ids:id-out-of-range"] == "error"
    assert findings(changed(0, 2, "input_ids", -1))["preflight/ids:id-out-of-range"] == "error"


def test_a_label_is_no_id_and_not_the_ignored_one() -> None:
    found = findings(changed(1, 0, "labels", -1))
    assert found["preflight/ids:label-out-of-range"] == "error"


def test_an_id_that_is_no_token_is_another_tokenizers() -> None:
    found = findings(changed(0, 2, "input_ids", 600), config={**CONFIG, "vocab_size": 1000})
    assert found["preflight/ids:id-without-token"] == "error"


def test_the_head_has_fewer_rows_than_the_embedding() -> None:
    found = findings(None, config=None, model=Model(SIZE, head=SIZE - 3))
    assert found == {"preflight/sizes:output-rows": "error"}


def test_the_end_of_text_of_the_config_is_another_token() -> None:
    found = findings(None, config={**CONFIG, "eos_token_id": 7})
    assert found == {"special_tokens/role-ids:eos": "error"}


def test_the_pad_token_of_the_config_is_another_token() -> None:
    found = findings(None, config={**CONFIG, "pad_token_id": 7})
    assert found == {"special_tokens/role-ids:pad": "warning"}


def test_labels_are_shifted_by_hand() -> None:
    shifted = [[*LONG[1:], IGNORED], [*SHORT[1:], IGNORED]]
    batch = padded(LONG, SHORT, labels=shifted)
    assert findings(batch)["preflight/labels:shifted"] == "error"
    assert findings(batch, use=None)["preflight/labels:shifted"] == "warning"
    own = {"n_layers": 2, "vocab_size": SIZE}  # a model whose loss may well move nothing
    assert findings(batch, config=own)["preflight/labels:shifted"] == "warning"


def test_a_label_is_another_id() -> None:
    assert findings(changed(0, 2, "labels", 77)) == {"preflight/labels:other-id": "error"}


def test_labels_have_other_lengths_than_ids() -> None:
    batch = {"input_ids": [LONG], "labels": [LONG[1:]]}
    assert findings(batch) == {"preflight/labels:other-lengths": "error"}
    assert findings(batch, use=None) == {}


def test_the_beginning_is_there_twice() -> None:
    batch = padded([BOS, *LONG], SHORT)
    assert findings(batch) == {"preflight/beginning:doubled": "error"}
    assert findings(batch, use=None) == {"preflight/beginning:doubled": "warning"}


def test_the_beginning_that_the_tokenizer_adds_is_nowhere() -> None:
    found = findings(padded(LONG[1:], SHORT[1:]), subject=tokenizer(add_bos_token=True))
    assert found["preflight/beginning:missing"] == "warning"


def test_padding_is_trained() -> None:
    batch = {**padded(LONG, SHORT), "labels": padded(LONG, SHORT)["input_ids"]}
    assert findings(batch) == {"preflight/padding:pad-trained": "error"}


def test_padding_is_attended_to() -> None:
    batch = {**padded(LONG, SHORT), "attention_mask": [[1] * 6] * 2}
    assert findings(batch) == {"preflight/padding:pad-attended": "error"}


def test_text_is_masked_out() -> None:
    assert findings(changed(0, 0, "attention_mask", 0))["preflight/padding:text-masked"] == (
        "warning"
    )


def test_the_end_is_masked_with_the_padding_that_is_the_same_token() -> None:
    """As collators do that write -100 wherever the id is that of the pad token."""
    rows = padded(LONG, SHORT)
    rows["input_ids"] = [[EOS if id == PAD else id for id in row] for row in rows["input_ids"]]
    rows["labels"] = [[IGNORED if id == EOS else id for id in row] for row in rows["input_ids"]]
    subject, config = tokenizer(pad_token="</s>"), {**CONFIG, "pad_token_id": EOS}
    found = findings(rows, subject=subject, config=config)
    assert found["preflight/ends:end-not-trained"] == "error"
    unstated = findings(rows, subject=subject, config=config, use=None)
    assert unstated["preflight/ends:end-not-trained"] == "warning"


def test_the_end_of_the_turn_is_left_out_of_the_answer() -> None:
    chat = [BOS, START, 9, END, START, 5, 6, END]
    batch = padded(chat, labels=[[*[IGNORED] * 5, 5, 6, IGNORED]])
    assert findings(batch) == {"preflight/ends:end-not-trained": "error"}


def test_one_end_of_several_is_left_out() -> None:
    labels = [[*LONG[:-1], IGNORED], SHORT]
    assert findings(padded(LONG, SHORT, labels=labels)) == {
        "preflight/ends:end-not-trained": "warning"
    }


def test_no_row_has_an_end() -> None:
    assert findings(padded(LONG[:-1], SHORT[:-1])) == {"preflight/ends:no-end": "warning"}


def test_prompts_that_are_continued_are_padded_on_the_right() -> None:
    batch = padded([BOS, 5, 6], [BOS, 7])
    del batch["labels"]
    assert findings(batch, use="serving") == {"preflight/side:right": "error"}
    assert findings(batch, use="rollouts") == {"preflight/side:right": "error"}
    fitting = padded([BOS, 5, 6], [BOS, 7], left=True)
    assert findings({**fitting, "labels": None}, use="serving") == {}
    assert findings(batch, use=None) == {}


def test_one_batch_is_padded_on_both_sides() -> None:
    left, right = padded(LONG, SHORT, left=True), padded(SHORT, LONG)
    batch = {key: [*left[key], *right[key]] for key in left}
    assert findings(batch) == {"preflight/side:both-sides": "warning"}


def test_positions_jump() -> None:
    batch = {"input_ids": [LONG], "labels": [LONG], "position_ids": [[0, 1, 2, 5, 6, 7]]}
    assert findings(batch) == {"preflight/positions:jump": "error"}


def test_a_row_has_no_ids() -> None:
    assert findings({"input_ids": [LONG, []], "labels": [LONG, []]}) == {
        "preflight/rows:empty-row": "error"
    }
    assert findings({"input_ids": [], "labels": []})["preflight/rows:no-rows"] == "error"


def test_the_error_has_the_report_and_shows_the_row_with_what_is_trained() -> None:
    batch = padded(LONG, SHORT, labels=[[IGNORED] * 2 + LONG[2:], SHORT])
    with pytest.raises(tokaudit.Mismatch) as raised:
        tokaudit.preflight(tokenizer(), config=100, batch=batch, use="sft")
    assert raised.value.report.verdict == "fail"
    shown = str(raised.value).splitlines()
    assert shown[0].startswith("FAIL InMemory: Do not ship: 7 ids of the batch cannot be")
    assert "  batch: 6 tokens, 4 trained" in shown
    assert "    456 5 6* 7* 8* 457*" in [
        " ".join(line.split()).join(["    ", ""]) for line in shown
    ]


def test_the_error_travels_between_processes() -> None:
    with pytest.raises(tokaudit.Mismatch) as raised:
        tokaudit.preflight(tokenizer(), config=100)
    copy = pickle.loads(pickle.dumps(raised.value))  # noqa: S301  # our own bytes
    assert (str(copy), copy.report.scope) == (str(raised.value), raised.value.report.scope)


def test_the_scope_begins_with_what_was_not_judged() -> None:
    prompts = {"input_ids": [SHORT]}
    alone = tokaudit.preflight(tokenizer())
    assert alone.scope == (
        "not judged: values of weights, sizes of the model, a batch; "
        "judged: tokenizer and settings; no use was stated"
    )
    whole = tokaudit.preflight(tokenizer(), config=CONFIG, batch=prompts, use="serving")
    assert whole.scope == (
        "not judged: values of weights, labels; judged: tokenizer and settings, sizes of the "
        "model (1), first batch (1 of 1 rows); use serving"
    )


@pytest.mark.parametrize("batch", [7, {"ids": [[1]]}, {"input_ids": [[0.5]]}, {"input_ids": "a"}])
def test_what_is_no_batch_is_refused(batch: object) -> None:
    with pytest.raises(tokaudit.UsageError, match="batch: "):
        tokaudit.preflight(tokenizer(), batch=batch)


def test_a_model_without_sizes_is_refused() -> None:
    with pytest.raises(tokaudit.UsageError, match="no embedding that tokaudit finds"):
        tokaudit.preflight(tokenizer(), model=object())


def test_a_use_that_there_is_not_is_refused() -> None:
    with pytest.raises(tokaudit.UsageError, match="use"):
        tokaudit.preflight(tokenizer(), use="gardening")


def test_a_template_that_is_given_writes_a_token_that_the_vocabulary_lacks(
    processes: None,
) -> None:
    turns = "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\\n' "
    turns += "+ message['content'] + '<|im_end|>' }}{% endfor %}"
    broken = turns.replace("<|im_end|>", "<|eot_id|>")
    subject = tokenizer(chat_template=turns)
    assert "chat_template/tokens:not-a-token" not in findings(None, subject=subject)
    found = findings(None, subject=subject, template=broken)
    assert [id for id in found if id.startswith("chat_template/tokens")] != []


def test_a_template_next_to_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(tokaudit.UsageError, match="template: expected the text"):
        tokaudit.preflight(tmp_path, template="{{ messages }}")


def test_the_users_folder_stays_as_it_was(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    tokenizer().save_pretrained(str(folder))
    before = {file.name: file.read_bytes() for file in folder.iterdir()}
    tokaudit.preflight(folder, config=SIZE, batch=padded(LONG, SHORT))
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == before


def test_a_tokenizer_of_the_library_and_a_config_by_its_path(tmp_path: Path) -> None:
    Folder.bpe("ab", ["a b"]).added("<s>").config(vocab_size=2).write(tmp_path / "small")
    loaded = Tokenizer.from_file(str(tmp_path / "small/tokenizer.json"))
    found = findings(None, subject=loaded, config=tmp_path / "small")
    assert found["preflight/sizes:config-rows"] == "error"
