"""One text by the truncation and padding of a file, as the library cuts and fills it."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from law_examples import some
from library_pair import bpe, tokenizer

from tokaudit_reference.batching.padding import limited
from tokaudit_reference.errors import Unsupported


def drawn(of: random.Random) -> tuple[dict[str, Any] | None, dict[str, Any] | None]:
    side = of.choice(["Left", "Right"])
    strategy = of.choice(["LongestFirst", "OnlyFirst", "OnlySecond"])
    cut = {"direction": side, "max_length": of.choice([0, 1, 2, 3, 7]), "strategy": strategy}
    fixed = {"Fixed": of.choice([0, 1, 4, 9])}
    fill = {
        "strategy": of.choice(["BatchLongest", fixed]),
        "direction": of.choice(["Left", "Right"]),
        "pad_to_multiple_of": of.choice([None, 1, 2, 3, 8]),
        "pad_id": of.choice([0, 5]),
        "pad_type_id": 0,
        "pad_token": "x",
    }
    return of.choice([None, {**cut, "stride": 0}]), of.choice([None, fill])


def test_a_text_is_cut_and_filled_up_as_the_library_does_it() -> None:
    library = pytest.importorskip("tokenizers")
    of, content = random.Random(1), tokenizer(bpe(["a", "b"], []))
    for _ in range(some(400)):
        cut, fill = drawn(of)
        text = "".join(of.choice("ab") for _ in range(of.randrange(9)))
        loaded = library.Tokenizer.from_str(
            json.dumps({**content, "truncation": cut, "padding": fill})
        )
        ids = ["ab".index(letter) for letter in text]
        try:
            mine = limited(ids, cut, fill)
        except Unsupported:
            with pytest.raises(Exception, match=r"[Ss]econd"):
                loaded.encode(text)
            continue
        assert mine == loaded.encode(text).ids, (cut, fill, text)


@pytest.mark.parametrize(
    ("cut", "fill"),
    [
        ({"max_length": -1}, None),
        ({"max_length": "7"}, None),
        (None, {"strategy": {"Fixed": 2**40}, "pad_id": 0}),
        (None, {"pad_to_multiple_of": -8, "pad_id": 0}),
        ({"max_length": 7, "direction": "Up"}, None),
    ],
)
def test_what_no_file_states_is_not_done(
    cut: dict[str, Any] | None, fill: dict[str, Any] | None
) -> None:
    with pytest.raises(Unsupported):
        limited([1, 2], cut, fill)
