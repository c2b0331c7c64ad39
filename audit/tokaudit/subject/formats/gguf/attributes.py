"""Which tokens llama.cpp takes from text, and what each takes along: not only what the file says.

It gives some tokens another type by their text, as it expects them to end a turn or to mark a gap
that is to be filled; and white space around a token by the name of the model, of its architecture
or of its split, as the file has no key for that.  Where several tokens could be a marker for a
gap, which one it takes is not said there; here it is the first of the list.

Source: `llama_vocab::impl::load` in `llama-vocab.cpp`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from tokaudit.subject.formats.gguf.keys import Keys
from tokaudit_reference.spec import AddedToken, TokenType

NAME, ARCHITECTURE = "general.name", "general.architecture"
TAKEN = (TokenType.CONTROL, TokenType.USER_DEFINED, TokenType.UNKNOWN)
ENDS = """
    <|eot_id|> <|im_end|> <|end|> <|return|> <|call|> <|flush|> <|calls|> <end_of_turn>
    <|endoftext|> </s> <|eom_id|> <EOT> _<EOT> [EOT] [EOS] <|end_of_text|> <end_of_utterance>
    <eos> <turn|> <|tool_response> <｜end▁of▁sentence｜> [e~[
"""
"""They end a text, whatever the file says, and are control tokens then."""
GAPS: Mapping[tuple[str, ...], tuple[str, ...]] = {
    ("fim_pre_token_id", "prefix_token_id"): (
        *("<|fim_prefix|>", "<fim-prefix>", "<fim_prefix>", "<｜fim▁begin｜>", "<PRE>", "▁<PRE>"),
        *("<|code_prefix|>", "<|prefix|>"),
    ),
    ("fim_suf_token_id", "suffix_token_id"): (
        *("<|fim_suffix|>", "<fim-suffix>", "<fim_suffix>", "<｜fim▁hole｜>", "<SUF>", "▁<SUF>"),
        *("<|code_suffix|>", "<|suffix|>"),
    ),
    ("fim_mid_token_id", "middle_token_id"): (
        *("<|fim_middle|>", "<fim-middle>", "<fim_middle>", "<｜fim▁end｜>", "<MID>", "▁<MID>"),
        *("<|code_middle|>", "<|middle|>"),
    ),
    ("fim_pad_token_id",): ("<|fim_pad|>", "<fim-pad>", "<fim_pad>", "<PAD>", "[PAD]"),
    ("fim_rep_token_id",): (
        *("<|fim_repo|>", "<|repo_name|>", "<fim-repo>", "<REPO>", "<reponame>"),
    ),
    ("fim_sep_token_id",): ("<|file_sep|>",),
}
"""The keys that name a marker -> the texts it is looked for by where no key does."""
SHOWN = ("<|channel|>", "<|message|>", "<|start|>", "<|constrain|>")
GOES_ON = "<|end|>"  # a turn goes on where these are there too
TURN_ENDS = (
    *(("<|return|>", "<|call|>"), ("<|return|>", "<|calls|>")),
    *(("<|call|>", "<|flush|>"), ("<|calls|>", "<|flush|>")),
)
PLAIN_END, UNLESS = "</s>", "<|tool_response>"
MASK_BEFORE = ("jina-v2-de", "jina-v2-es", "jina-v2-code")  # parts of the name of a split
MASKING = ("nomic-bert-moe", "jina-bert-v3")  # parts of the name of an architecture
PHI_3, MODERN_BERT = ("phi-3", "phi3"), "modern-bert"  # parts of the name of a model
NOT_STRIPPED = ("<unk>", "<s>", "<|endoftext|>")


def added(keys: Keys) -> tuple[AddedToken, ...]:
    """The tokens that are looked for in a text; those of the user are not special."""
    kinds = overridden(keys)
    found = tuple(
        AddedToken(id, token, kind is not TokenType.USER_DEFINED, normalized=False)
        for id, (token, kind) in enumerate(zip(keys.tokens, kinds, strict=True))
        if kind in TAKEN
    )
    return _with_spaces(keys, found)


def overridden(keys: Keys) -> list[TokenType]:
    """The type of each token as llama.cpp has it in the end."""
    kinds, ids = list(keys.kinds), {token: id for id, token in enumerate(keys.tokens)}
    for text in (*_guessed(keys, ids), *ENDS.split()):
        if text in ids:
            kinds[ids[text]] = TokenType.CONTROL
    for text in SHOWN:
        if text in ids:
            kinds[ids[text]] = TokenType.USER_DEFINED
    if GOES_ON in ids and any(all(text in ids for text in both) for both in TURN_ENDS):
        kinds[ids[GOES_ON]] = TokenType.USER_DEFINED
    if PLAIN_END in ids and UNLESS in ids:
        kinds[ids[PLAIN_END]] = TokenType.ORDINARY
    return kinds


def _guessed(keys: Keys, ids: Mapping[str, int]) -> list[str]:
    """The markers of gaps that no key names, by their text."""
    found = (
        next((text for text in texts if text in ids), None)
        for names, texts in GAPS.items()
        if not any(name in keys for name in names)
    )
    return [text for text in found if text is not None]


def _with_spaces(keys: Keys, tokens: tuple[AddedToken, ...]) -> tuple[AddedToken, ...]:
    """The tokens with the flags that their model's name brings."""
    name, architecture = keys.text(NAME).lower(), keys.text(ARCHITECTURE)
    if _holds(keys.text("pre"), *MASK_BEFORE) or _holds(architecture, *MASKING):
        return tuple(replace(t, lstrip=t.content == "<mask>") for t in tokens)
    if _holds(name, *PHI_3):
        return tuple(replace(t, rstrip=t.content not in NOT_STRIPPED) for t in tokens)
    if _holds(name, MODERN_BERT):
        return tuple(replace(t, lstrip=t.content == "[MASK]") for t in tokens)
    return tokens


def _holds(text: str, *parts: str) -> bool:
    return any(part in text for part in parts)
