"""Decoding that removes spaces which the tokenizer keeps."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.plugin import Basis, Finding, Harm, NotApplicable, Severity, Subject, check
from tokaudit.subject.upstream.model_class import generates
from tokaudit.subject.upstream.versions import VERSIONS
from tokaudit_reference.spec import ModelType, TokenizerSpec, TokenType
from tokaudit_suites.shared.repairs import setting_to
from tokaudit_suites.shared.stated_roles import place_of


@check(
    "round_trip/clean-up",
    title="Decoding does not clean up spaces",
    why="With clean_up_tokenization_spaces, decoding drops the space before punctuation and "
    "contractions. The setting clean_up_tokenization_spaces was made for WordPiece; with a "
    "vocabulary that keeps every byte, the setting makes decoded text differ from the encoded "
    "text.",
    remedy="Set clean_up_tokenization_spaces to false in tokenizer_config.json.",
    repair=setting_to("tokenizer_config.json", "clean_up_tokenization_spaces", False),
    severity=Severity.WARNING,
    harm=Harm.OTHER_IDS,
    milder="the ids are right; only decoded text is tidied, and who decodes can turn it off.",
    basis=Basis.CROSS_FILE,
    incident="Clean-up removes spaces before punctuation from code "
    "(huggingface/transformers #32575).",
)
def clean_up(spec: TokenizerSpec, subject: Subject) -> Iterator[Finding]:
    """Compare the flag with a vocabulary of bytes or byte fallback.

    Of a model that is known to write no text nobody decodes any.
    """
    flag = subject.fact("clean_up_tokenization_spaces")
    exact = spec.byte_level or any(p.token_type is TokenType.BYTE for p in spec.every_piece())
    if flag is None or not exact:
        raise NotApplicable("no setting cleans up text that is kept exactly")
    if flag.value is True:
        yield Finding(
            Severity.INFO if generates(subject) is False else Severity.WARNING,
            f"{flag.file} makes loaders clean up spaces after decoding: under {_under(spec)} the "
            "ids of 'a , b' decode to 'a, b', although the ids represent every byte.",
            (place_of(flag, "decoder"),),
            cause="exact text",
        )


def _under(spec: TokenizerSpec) -> str:
    """Name the versions that clean up: the later one leaves BPE text unchanged.

    Source: `_decode` of the later version, tokenization_utils_tokenizers.py.
    """
    four, five = VERSIONS
    return (
        f"{four}, but not {five}," if spec.model_type is ModelType.BPE else " and ".join(VERSIONS)
    )
