"""Decoders: token ids to bytes, and to text with an error policy that is said.

The ids become token strings, those go through the steps of the decoder in order, and what comes out
is joined.  A step is found by the type that `tokenizer.json` gives it, and lives in a module of its
own.  `streaming.py` does the same with one id at a time.
"""

from __future__ import annotations

from collections.abc import Iterable

from tokaudit_reference.spec import Standing, TokenizerSpec, Unsupported, components_of
from tokaudit_reference.steps.decoders import byte_level, simple
from tokaudit_reference.steps.decoders.stage import Build, Chain, Make, Options, Setting
from tokaudit_reference.steps.decoders.tokens import Tokens, UnknownId
from tokaudit_reference.steps.decoders.utf8 import to_bytes
from tokaudit_reference.steps.registered import builder

__all__ = ["Decoder", "UnknownId"]

FUSING = byte_level.FUSING | simple.FUSING
OWN = {"Bytes", "SentencePiece"}  # libraries other than tokenizers; they refuse an unknown id


class Decoder:
    """The decoder of one spec; raises `Unsupported` for what it does not cover.

    >>> from tokaudit_reference.spec import Component, Family, Piece, PieceKind
    >>> pieces = {i: Piece(PieceKind.ORDINARY, v) for i, v in enumerate(["a", "<0xE6>", "##b"])}
    >>> steps = [{"type": "ByteFallback"}, {"type": "WordPiece"}]
    >>> component = Component({"type": "Sequence", "decoders": steps}, Standing.STATED)
    >>> decoder = Decoder(TokenizerSpec(Family.WORDPIECE, pieces, decoder=component))
    >>> decoder.decode([0, 2, 1]), decoder.decode_bytes([0, 2, 1])
    ('ab �', b'ab \\xe6')
    """

    def __init__(self, spec: TokenizerSpec) -> None:
        steps = _steps(spec)
        kinds = {str(step.get("type", "")) for step in steps}
        self.tokens = Tokens(spec, alphabet="Bytes" not in kinds, refuses=bool(kinds & OWN))
        self._text = _built(steps, spec, exact=False)
        self._exact = _built(steps, spec, exact=True)

    def decode(
        self, ids: Iterable[int], *, skip_special_tokens: bool = False, errors: str = "replace"
    ) -> str:
        """The text of some ids; one without a token is dropped, or `UnknownId` as the vendor does.

        `errors` says what to do with bytes that are no UTF-8.  With "replace" they become U+FFFD,
        as many as the vendor makes of them; any other policy is that of Python's codecs ("strict"
        raises UnicodeDecodeError, "ignore" drops them), applied to `decode_bytes`.
        """
        if errors != "replace":
            return self.decode_bytes(ids, skip_special_tokens=skip_special_tokens).decode(
                "utf-8", errors
            )
        return self._run(self.chain(), ids, skip_special_tokens)

    def decode_bytes(self, ids: Iterable[int], *, skip_special_tokens: bool = False) -> bytes:
        """The bytes of some ids, those that are no UTF-8 too."""
        return to_bytes(self._run(self.chain(exact=True), ids, skip_special_tokens))

    def chain(self, *, exact: bool = False) -> Chain:
        """The steps, ready for one text; `exact` as in `Setting`."""
        return Chain([make() for make in (self._exact if exact else self._text)])

    def _run(self, chain: Chain, ids: Iterable[int], skip_special_tokens: bool) -> str:
        settled = chain.feed(self.tokens.of(ids, skip_special_tokens))
        return "".join([*settled, *chain.finish()])


def _steps(spec: TokenizerSpec) -> list[Options]:
    """The steps stated or implied; for none at all, what tokenizers does: spaces between tokens."""
    options = spec.decoder.options
    if options is None:
        return [_without_decoder(spec)]
    try:
        steps = components_of(spec.decoder, "decoders")
    except (AttributeError, TypeError) as error:
        raise Unsupported("the decoder is no object of steps", pointer="/decoder") from error
    return steps or ([] if options else [options])


def _without_decoder(spec: TokenizerSpec) -> Options:
    if spec.decoder.standing is not Standing.UNSTATED:
        return {"type": simple.SPACED}
    if spec.byte_level and not spec.word_end_suffix:
        return {"type": "Bytes"}
    raise Unsupported("the decoder is not stated", pointer="/decoder")


def _built(steps: list[Options], spec: TokenizerSpec, *, exact: bool) -> list[Make]:
    built, fused = [], False
    for options in steps:
        build: Build = builder(__name__, options, "decoder")
        built.append(build(options, Setting(spec, fused, exact)))
        fused = fused or options["type"] in FUSING
    return built
