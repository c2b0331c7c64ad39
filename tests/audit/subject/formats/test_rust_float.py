"""Numbers of tokenizer.json are read to the last bit as the library reads them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from format_files import spec_of
from hypothesis import given, settings
from hypothesis import strategies as st
from law_examples import some

from tokaudit.subject.formats.common.rust_float import rust_float
from tokaudit_reference.tokenizer import ReferenceTokenizer

LAW = settings(deadline=None, derandomize=True, database=None, max_examples=some(300))
DIGITS = st.text("0123456789", min_size=1, max_size=30)
SHORT = st.floats(-1e6, 1e6, allow_nan=False).map(repr)
SINGLE = st.floats(-100, 0, width=32).map(repr)
LONG = st.builds("-{}.{}".format, st.integers(0, 99), DIGITS)
SCALED = st.builds(
    "{}{}.{}e{}".format,
    st.sampled_from(["", "-"]),
    st.integers(0, 9),
    DIGITS,
    st.integers(-330, 250),
)


def tokenizer_json(scored: list[tuple[str, str]]) -> str:
    """A Unigram with the scores written as they are given."""
    vocab = ",".join(f"[{json.dumps(piece)},{score}]" for piece, score in scored)
    stages = ("truncation", "padding", "normalizer", "pre_tokenizer", "post_processor", "decoder")
    nothing = ",".join(f'"{stage}":null' for stage in stages)
    model = f'{{"type":"Unigram","unk_id":0,"vocab":[{vocab}],"byte_fallback":false}}'
    return f'{{"version":"1.0","added_tokens":[],{nothing},"model":{model}}}'


def upstream(content: str) -> Any:
    from tokenizers import Tokenizer

    return Tokenizer.from_str(content)


@LAW
@given(st.lists(SHORT | SINGLE | LONG | SCALED, min_size=1, max_size=20))
def test_a_number_is_the_library_s_to_the_last_bit(numbers: list[str]) -> None:
    content = tokenizer_json([(f"p{index}", number) for index, number in enumerate(numbers)])
    theirs = json.loads(upstream(content).to_str())["model"]["vocab"]
    assert [rust_float(number) for number in numbers] == [score for _, score in theirs]


def test_the_last_bit_of_a_score_decides_between_equal_sums(tmp_path: Path) -> None:
    """As in T5, where 99 and 999 in any order have the same sum of nearest doubles."""
    scored = [
        ("<unk>", "0.0"),
        ("Fa", "-9.966179847717285"),
        ("99", "-10.582542419433594"),
        ("999", "-12.486284255981445"),
        ("9", "-20.0"),
    ]
    content = tokenizer_json(scored)
    spec = spec_of(tmp_path, {"tokenizer.json": content})
    theirs = upstream(content).encode("Fa99999999").ids
    assert ReferenceTokenizer(spec).encode("Fa99999999").ids == theirs == [1, 3, 3, 2]
