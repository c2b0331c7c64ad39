"""Sound batches, as collators of TRL and transformers make them, are silent."""

from __future__ import annotations

from typing import Any

import numpy as np
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
    Tensor,
    findings,
    padded,
    tokenizer,
)

LONG, SHORT = [BOS, 5, 6, 7, 8, EOS], [BOS, 9, EOS]
CHAT = [BOS, START, 9, END, START, 5, 6, END]
ANSWERS = [*[IGNORED] * 5, 5, 6, END]
LATER = [BOS, START, 9, 9, 9, END, START, 7, END]
LATER_ANSWERS = [*[IGNORED] * 7, 7, END]
WITHOUT_PADDING = {
    "input_ids": [[*LONG, *SHORT]],
    "labels": [[*LONG, *SHORT]],
    "position_ids": [[0, 1, 2, 3, 4, 5, 0, 1, 2]],
}
CUT = {"input_ids": [[BOS, 5, 6, 7], [5, 6, 7, 8]], "labels": [[BOS, 5, 6, 7], [5, 6, 7, 8]]}
SOUND: dict[str, Any] = {
    "padded on the right": padded(LONG, SHORT),
    "padded on the left": padded(LONG, SHORT, left=True),
    "without padding": padded(SHORT, SHORT),
    "completion only": padded(CHAT, LATER, labels=[ANSWERS, LATER_ANSWERS]),
    "packed into one row": WITHOUT_PADDING,
    "flattened, the first of each text ignored": {
        **WITHOUT_PADDING,
        "labels": [[IGNORED, *LONG[1:], IGNORED, *SHORT[1:]]],
    },
    "packed and flat": {key: rows[0] for key, rows in WITHOUT_PADDING.items()},
    "cut to the length": CUT,
    "a line break after the end": padded([*CHAT, 198], labels=[[*ANSWERS, IGNORED]]),
    "one row has no answer left": padded(CHAT, CHAT, labels=[ANSWERS, [IGNORED] * 8]),
}


def errors_and_warnings(batch: Any, **given: Any) -> list[str]:
    return [id for id, severity in findings(batch, **given).items() if severity == "error"]


@pytest.mark.parametrize("name", [name for name in SOUND if name != "one row has no answer left"])
def test_a_sound_batch_has_no_finding(name: str) -> None:
    assert findings(SOUND[name]) == {}


def test_a_row_whose_answer_was_cut_off_is_only_a_warning() -> None:
    assert findings(SOUND["one row has no answer left"]) == {
        "preflight/labels:nothing-trained": "warning"
    }


@pytest.mark.parametrize("made", [np.array, Tensor], ids=["numpy", "tensor"])
def test_arrays_and_tensors_are_read_as_lists_are(made: Any) -> None:
    batch = {key: made(rows) for key, rows in padded(LONG, SHORT).items()}
    assert findings(batch) == {}
    broken = {**padded(LONG, SHORT), "labels": padded(LONG, SHORT)["input_ids"]}
    assert findings({key: made(rows) for key, rows in broken.items()}) == findings(broken) != {}


def test_rows_may_be_arrays_of_their_own() -> None:
    batch = {"input_ids": [np.array(LONG), np.array(SHORT)], "labels": [np.array(LONG), SHORT]}
    assert findings(batch) == {}


def test_pad_that_is_the_end_is_silent_where_the_first_end_is_trained() -> None:
    rows = padded(LONG, SHORT)
    rows["input_ids"] = [[EOS if id == PAD else id for id in row] for row in rows["input_ids"]]
    subject = tokenizer(pad_token="</s>")
    found = findings(rows, subject=subject, config={**CONFIG, "pad_token_id": EOS})
    assert {id for id in found if id.startswith("preflight/")} == set()


def test_labels_of_masked_words_are_not_held_to_their_ids() -> None:
    subject = tokenizer(mask_token="<|im_start|>")
    batch = {"input_ids": [[BOS, 5, START, 7, EOS]], "labels": [[IGNORED, IGNORED, 6, IGNORED, 9]]}
    batch["labels"][0][4] = IGNORED
    assert "preflight/labels:other-id" not in findings(batch, subject=subject, use=None)


def test_labels_of_a_decoder_are_not_held_to_the_ids_of_its_encoder() -> None:
    config = {**CONFIG, "is_encoder_decoder": True}
    found = findings({"input_ids": [[5, 6, EOS]], "labels": [[7, EOS]]}, config=config)
    assert [id for id in found if id.startswith("preflight/labels")] == []


def test_a_larger_model_is_silent() -> None:
    class Model:
        config = {**CONFIG, "vocab_size": 512}

        def get_input_embeddings(self) -> Matrix:
            return Matrix(512, 8)

    found = findings(padded(LONG, SHORT), config=None, model=Model())
    assert {id for id, severity in found.items() if severity != "info"} == set()
    assert SIZE < 512


def test_the_side_of_the_tokenizer_is_silent_where_a_batch_shows_the_side() -> None:
    subject = tokenizer(padding_side="left")
    assert findings(padded(LONG, SHORT), subject=subject) == {}
