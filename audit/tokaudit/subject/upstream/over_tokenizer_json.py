"""Settings next to a tokenizer.json that a class acts on, in either version.

Most of what a class takes for its own files does nothing next to a tokenizer.json.  Version 4 reads
that file as it is and puts a few settings over it; version 5 builds the pipeline of many classes
anew, by all that they take, and leaves the switches of BOS and EOS to the file.

Source: `PreTrainedTokenizerFast.__init__` and the fast classes of version 4;
`PreTrainedTokenizerBase._from_pretrained` and the classes of version 5.
"""

from __future__ import annotations

from functools import cache

from tokaudit.subject.upstream.ends import PREFIX, SWITCHES
from tokaudit.subject.upstream.tokenizer_class import ClassSetting, TokenizerClass, every_class
from tokaudit.subject.upstream.versions import ABSENT, FIVE, FOUR, NO_ARGUMENT

FAST, BUILT = "fast", ("tokenizers", "tokenizer.json", ABSENT)
OF_EVERY_CLASS = frozenset(
    (
        *("clean_up_tokenization_spaces", "model_input_names", "model_max_length"),
        *("padding_side", "split_special_tokens", "truncation_side"),
    )
)
"""What every class acts on, whether or not it has a default of its own."""
UNUSED_BY_FOUR = frozenset(("keep_accents", "legacy", "remove_space"))
"""What fast classes of version 4 take and hand to the slow ones alone."""
Acts = tuple[bool, bool]


def reads_tokenizer_json(known: TokenizerClass) -> bool:
    """Return whether a class prefers tokenizer.json to its own files, in each version.

    >>> from tokaudit.subject.upstream.tokenizer_class import class_named
    >>> [reads_tokenizer_json(class_named(f"{name}Tokenizer")) for name in ("Bert", "ByT5")]
    [True, False]
    """
    return (known.four == ABSENT or FAST in known.four) and known.five in BUILT


def acts_on(known: TokenizerClass | None, key: str, prefixes: bool) -> Acts | None:
    """Return whether versions 4 and 5 act on a key; None if no class reads it.

    `known` is None for the class that stands for any tokenizer.  `prefixes` says that the
    pre-tokenizer is one step with an option for a space before texts, which version 4 sets.

    >>> from tokaudit.subject.upstream.tokenizer_class import class_named
    >>> bert, llama = class_named("BertTokenizer"), class_named("LlamaTokenizer")
    >>> acts_on(bert, "do_lower_case", False), acts_on(llama, "do_lower_case", False)
    ((True, True), (False, False))
    >>> acts_on(llama, "add_bos_token", False), acts_on(bert, "add_bos_token", False)
    ((True, False), (False, False))
    """
    if key in OF_EVERY_CLASS:
        return True, True
    if key not in arguments_of_classes():
        return None
    own = None if known is None else known.settings.get(key)
    if key in SWITCHES.values():
        return known is not None and known.input.switches_over_file, False
    four, five = (own is not None and _is_taken(own, version) for version in (FOUR, FIVE))
    if key == PREFIX:
        return prefixes or _converts(own), five
    return four and key not in UNUSED_BY_FOUR, five


def _is_taken(own: ClassSetting, version: str) -> bool:
    return own.taken(version, over_file=True) not in (ABSENT, NO_ARGUMENT)


def _converts(own: ClassSetting | None) -> bool:
    """Return whether version 4 rebuilds the tokenizer from the slow class for a prefix."""
    return own is not None and own.taken(FOUR, over_file=True) == ""


@cache
def arguments_of_classes() -> frozenset[str]:
    """Return every key that some class reads."""
    return frozenset(key for known in every_class().values() for key in known.settings)
