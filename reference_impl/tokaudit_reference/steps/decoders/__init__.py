"""Decoders: token ids to bytes, and to text with an error policy that is said.

The ids become token strings, those go through the steps of the decoder in order, and what comes out
is joined.  `streaming.py` does the same with one id at a time.
"""

from __future__ import annotations

from collections.abc import Iterable

from tokaudit_reference.spec import Standing, TokenizerSpec, Unsupported
from tokaudit_reference.steps.decoders.bytes_joined import Bytes
from tokaudit_reference.steps.decoders.spaced import Spaced
from tokaudit_reference.steps.decoders.stage import Chain, DecoderStep, Make, Setting
from tokaudit_reference.steps.decoders.tokens import Tokens, UnknownId
from tokaudit_reference.steps.decoders.utf8 import to_bytes
from tokaudit_reference.steps.step import readable

__all__ = ["Decoder", "UnknownId"]


class Decoder:
    """The decoder of one spec; raises `Unsupported` for what it does not cover.

    >>> from tokaudit_reference.spec import Component, ModelType, Piece, TokenType
    >>> pieces = {i: Piece(TokenType.ORDINARY, v) for i, v in enumerate(["a", "<0xE6>", "##b"])}
    >>> steps = [{"type": "ByteFallback"}, {"type": "WordPiece"}]
    >>> component = Component({"type": "Sequence", "decoders": steps}, Standing.STATED)
    >>> decoder = Decoder(TokenizerSpec(ModelType.WORDPIECE, pieces, decoder=component))
    >>> decoder.decode([0, 2, 1]), decoder.decode_bytes([0, 2, 1])
    ('ab �', b'ab \\xe6')
    """

    def __init__(self, spec: TokenizerSpec) -> None:
        steps = _steps(spec)
        self.tokens = Tokens(
            spec,
            alphabet=all(step.reads_alphabet for step in steps),
            refuses=any(step.refuses_unknown_ids for step in steps),
            counts_skipped=any(step.counts_skipped for step in steps),
        )
        self._bytes_of = steps[0].bytes_of if len(steps) == 1 else None
        self._text = _built(steps, spec, exact=False)
        self._exact = _built(steps, spec, exact=True)

    def decode(
        self, ids: Iterable[int], *, skip_special_tokens: bool = False, errors: str = "replace"
    ) -> str:
        """The text of some ids; one without a token is dropped, or `UnknownId` as the library does.

        `errors` says what to do with bytes that are not UTF-8.  With "replace" they become U+FFFD,
        as many as the library makes of them; any other policy is that of Python's codecs ("strict"
        raises UnicodeDecodeError, "ignore" drops them), applied to `decode_bytes`.
        """
        if errors != "replace":
            return self.decode_bytes(ids, skip_special_tokens=skip_special_tokens).decode(
                "utf-8", errors
            )
        return self._run(self.chain(), ids, skip_special_tokens)

    def decode_bytes(self, ids: Iterable[int], *, skip_special_tokens: bool = False) -> bytes:
        """Return the bytes of some ids, including bytes that are not UTF-8."""
        if self._bytes_of is not None:  # an audit asks for every id by itself
            return b"".join(map(self._bytes_of, self.tokens.of(ids, skip_special_tokens)))
        return to_bytes(self._run(self.chain(exact=True), ids, skip_special_tokens))

    def chain(self, *, exact: bool = False) -> Chain:
        """Build the stages for one text; `exact` as in `Setting`."""
        return Chain([make() for make in (self._exact if exact else self._text)])

    def _run(self, chain: Chain, ids: Iterable[int], skip_special_tokens: bool) -> str:
        settled = chain.feed(self.tokens.of(ids, skip_special_tokens))
        return "".join([*settled, *chain.finish()])


def _steps(spec: TokenizerSpec) -> list[DecoderStep]:
    """Return the decoder's steps; without any, as tokenizers does, spaces between tokens."""
    if spec.decoder.options is None:
        return [_without_decoder(spec)]
    return list(readable(spec.decoder.steps, DecoderStep))


def _without_decoder(spec: TokenizerSpec) -> DecoderStep:
    if spec.decoder.standing is not Standing.UNSTATED:
        return Spaced()
    if spec.byte_level and not spec.end_of_word_suffix:
        return Bytes()
    raise Unsupported("the decoder is not stated", pointer="/decoder")


def _built(steps: list[DecoderStep], spec: TokenizerSpec, *, exact: bool) -> list[Make]:
    built, fused = [], False
    for step in steps:
        built.append(step.build(Setting(spec, fused, exact)))
        fused = fused or step.fuses
    return built
