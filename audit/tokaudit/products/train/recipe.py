"""Recipe of a training: every setting, checked before the corpus is read.

The recipe holds choices only.  The algorithms are in `tokaudit_reference.training`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tokaudit.foundation.errors import UsageError
from tokaudit.products.train.settings import ModelKind
from tokaudit.subject.configs import ROLES
from tokaudit.subject.upstream.published.spellings import role_by_text

BYTES = 256
MISSPELT = re.compile(r"\w[\w-]+")  # no regular expression that anyone would split text with
MEANT_TWICE = re.compile(r"(?<!\\)\{\d+(?:,\d*)?\}\+")


UNKNOWN = {ModelKind.WORDPIECE: "[UNK]", ModelKind.UNIGRAM: "<unk>"}  # these need such a token


@dataclass(frozen=True, slots=True)
class Recipe:
    """Settings of one training; `roles` maps roles to special tokens."""

    model: ModelKind
    vocab_size: int
    patterns: tuple[str, ...] = ()
    tie_break: str = ""
    special: tuple[str, ...] = ()
    roles: Mapping[str, str] = field(default_factory=dict)
    min_frequency: int = 1
    jobs: int | None = None  # None: one for each core
    resume: str = ""  # a folder of finished pieces
    ray: str = ""  # where Ray is, in place of processes
    alphabet: str = ""  # of a BPE: bytes, or `CHARACTERS`
    coverage: float = 1.0  # the share of the text that characters of the alphabet make up
    digits: tuple[str, ...] = ()  # a pattern that is split by before all else
    readable: bool = False  # whether the entries are written for people too


def special_tokens(model: ModelKind, given: Sequence[str], roles: Mapping[str, str]) -> list[str]:
    """Return the requested special tokens, after the model's unknown token.

    >>> special_tokens(ModelKind.UNIGRAM, ["</s>", "</s>"], {"pad": "<pad>"})
    ['<unk>', '</s>', '<pad>']
    """
    tokens = list(dict.fromkeys([*given, *roles.values()]))
    if model in UNKNOWN and "unk" not in {**_known(tokens), **roles}:
        tokens.insert(0, UNKNOWN[model])
    for token in tokens:
        if not token or token != token.strip() or not token.isprintable():
            raise UsageError(
                f"the special token {token!r} is empty, begins or ends with white space, or holds "
                "characters that do not print"
            )
    return tokens


def roles_of(tokens: Sequence[str], stated: Mapping[str, str]) -> dict[str, str]:
    """Map roles to tokens: as stated, or else by the tokens' names.

    >>> roles_of(["<|endoftext|>", "<x>"], {"pad": "<x>"})
    {'eos': '<|endoftext|>', 'pad': '<x>'}
    """
    unknown = sorted(stated.keys() - set(ROLES))
    if unknown:
        raise UsageError(
            f"--role: {unknown[0]!r} is not a known role; known roles: {', '.join(ROLES)}"
        )
    taken = {token: role for role, token in stated.items()}
    known = {role: token for role, token in _known(tokens).items() if token not in taken}
    return {**known, **stated}


def _known(tokens: Sequence[str]) -> dict[str, str]:
    roles: dict[str, str] = {}
    for token in tokens:
        if token in role_by_text():
            roles.setdefault(role_by_text()[token], token)
    return roles


def split_patterns(named: str) -> tuple[str, ...]:
    """Return the patterns of a published name, or the regular expression itself.

    >>> split_patterns(r"\\S+"), len(split_patterns("deepseek"))
    (('\\\\S+',), 3)
    """
    from tokaudit_reference.spec import SpecError
    from tokaudit_reference.text.patterns import compiled
    from tokaudit_reference.text.published_patterns import PATTERNS

    if named in PATTERNS:
        return PATTERNS[named]
    if MISSPELT.fullmatch(named):
        raise UsageError(
            f"--pattern: no pattern is called {named!r}; known patterns: {', '.join(PATTERNS)}"
        )
    doubtful = MEANT_TWICE.search(named)
    if doubtful:
        raise UsageError(
            f"--pattern: {doubtful.group()!r} is possessive in one regex engine and a repetition "
            "in another; leave out the '+'"
        )
    try:
        compiled(named)
    except SpecError as error:
        raise UsageError(
            f"--pattern: {error}; published patterns: {', '.join(PATTERNS)}"
        ) from error
    return (named,)


def refuse_small(recipe: Recipe, alphabet: int, what: str) -> None:
    """Refuse a vocabulary too small for its alphabet and special tokens."""
    needed = alphabet + len(recipe.special)
    if recipe.vocab_size < needed:
        raise UsageError(
            f"--vocab-size {recipe.vocab_size} is too small: {what} and {len(recipe.special)} "
            f"special tokens need {needed} entries"
        )


def tie_break(named: str | None) -> str:
    """Return the rule of that name, or the first by default."""
    from tokaudit_reference.training.tie_breaks import RULES

    if named is not None and named not in RULES:
        raise UsageError(
            f"--tie-break: {named!r} is not a known rule; known rules: {', '.join(RULES)}"
        )
    return named or next(iter(RULES))
