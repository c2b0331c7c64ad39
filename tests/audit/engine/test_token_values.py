"""What tells a token from every other, of one id as of all."""

from __future__ import annotations

from tokaudit.engine.evidence import token_value, token_values
from tokaudit_reference.spec import AddedToken, ModelType, Piece, TokenizerSpec, TokenType

ORDINARY, CONTROL = TokenType.ORDINARY, TokenType.CONTROL


def test_the_value_of_one_id_is_its_value_among_all() -> None:
    spec = TokenizerSpec(
        ModelType.BPE,
        {0: Piece(ORDINARY, "a"), 1: Piece(TokenType.CONTINUATION, "b"), 2: Piece(CONTROL, "<s>")},
        sharing=((1, Piece(ORDINARY, "c")),),
        added_tokens=(AddedToken(2, "<s>"), AddedToken(3, "<x>"), AddedToken(3, "<y>")),
    )
    values = token_values(spec)
    assert {id: token_value(spec, id) for id in values} == values
    assert token_value(spec, 3) == b"<y>"


def test_an_id_of_no_token_has_no_value() -> None:
    assert token_value(TokenizerSpec(ModelType.BPE, {}), 0) is None
