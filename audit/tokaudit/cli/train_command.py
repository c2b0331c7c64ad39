"""`tokaudit train CORPUS`: train a tokenizer and write it as a folder that loaders take.

The words are counted as the finished tokenizer will cut them, and special tokens take no part.  All
choices are checked before the corpus is read; the folder appears whole at the end or not at all.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from tokaudit.cli.training.recipe import (
    BYTES,
    ModelKind,
    Recipe,
    refuse_small,
    roles_of,
    special_tokens,
    split_patterns,
    tie_break,
)
from tokaudit.foundation.errors import UsageError

LARGEST = 10_000_000
EXAMPLES = """\
examples:
  tokaudit train corpus.txt --vocab-size 32000 --out my-tokenizer
  tokaudit train texts/ --vocab-size 8000 --out my-tokenizer --special "<|endoftext|>"
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The corpus, the choices of the training, and where the folder goes."""
    parser.add_argument(
        "corpus", nargs="+", type=_path, metavar="CORPUS", help="UTF-8 text files, or folders"
    )
    parser.add_argument(
        "--out", type=_path, required=True, metavar="DIR", help="a new folder (required)"
    )
    parser.add_argument(
        "--vocab-size",
        type=_count,
        required=True,
        metavar="N",
        help="entries in all, the alphabet and the special tokens included (required)",
    )
    parser.add_argument(
        "--model",
        choices=("bpe", "wordpiece", "unigram"),
        default="bpe",
        help="the kind of model (default: bpe)",
    )
    _add_choices_of_bpe(parser)
    _add_special_tokens(parser)
    parser.add_argument(
        "--force", action="store_true", help="replace a tokenizer at DIR (default: refuse to)"
    )
    parser.add_argument(
        "--quiet", action="store_true", help="no progress and no summary on stderr (default: both)"
    )


def _add_choices_of_bpe(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--pattern",
        metavar="NAME_OR_REGEX",
        help="how bpe splits text: gpt2, cl100k, o200k, llama3, qwen2, deepseek, "
        "or a regular expression (default: gpt2)",
    )
    parser.add_argument(
        "--tie-break",
        metavar="RULE",
        help="which of equally frequent pairs bpe merges (default: lowest_id)",
    )
    parser.add_argument(
        "--min-frequency",
        type=_count,
        metavar="N",
        help="merge no pair that is rarer (default: 1)",
    )
    parser.add_argument(
        "--jobs",
        type=_count,
        metavar="N",
        help="processes that count the words of bpe (default: one for each core)",
    )


def _add_special_tokens(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--special",
        action="append",
        default=[],
        metavar="TOKEN",
        help="a special token, which also ends a document in the corpus; may be given again "
        "(default: what the model needs)",
    )
    parser.add_argument(
        "--role",
        action="append",
        default=[],
        metavar="ROLE=TOKEN",
        help="what a special token is for (eos, pad, ...) (default: what its name says)",
    )


def run(options: argparse.Namespace) -> int:
    """Check, train, write, and say what was written."""
    from tokaudit.cli.progress import Progress
    from tokaudit.cli.streams import note
    from tokaudit.cli.training.corpus import files_of
    from tokaudit.cli.training.folder import write_files, written_whole
    from tokaudit.cli.training.train import files, train

    recipe = recipe_of(options)
    with written_whole(options.out, options.force) as folder:
        corpus = files_of(options.corpus)
        with Progress(options.quiet, "reading") as progress:
            trained = train(recipe, corpus, progress.step)
        write_files(folder, files(recipe, trained))
    if not options.quiet:
        short = recipe.vocab_size - trained.size
        why = f" ({short:,} fewer than asked: nothing is left to merge)" if short > 0 else ""
        note(f"{options.out}: {trained.size:,} entries{why}\n")
    return 0


def recipe_of(options: argparse.Namespace) -> Recipe:
    """The choices as a recipe; raises `UsageError` for those that cannot be."""
    model = ModelKind(options.model)
    _refuse_foreign(options, model)
    stated = _roles(options.role)
    special = special_tokens(model, options.special, stated)
    bpe = model is ModelKind.BPE
    recipe = Recipe(
        model=model,
        vocab_size=options.vocab_size,
        patterns=split_patterns(options.pattern or "gpt2") if bpe else (),
        tie_break=tie_break(options.tie_break) if bpe else "",
        special=tuple(special),
        roles=roles_of(special, stated),
        min_frequency=options.min_frequency or 1,
        jobs=options.jobs,
    )
    refuse_small(recipe, BYTES if bpe else 1, f"the {BYTES} bytes" if bpe else "one character")
    return recipe


def _refuse_foreign(options: argparse.Namespace, model: ModelKind) -> None:
    """Options that the chosen model would not look at."""
    foreign = {
        ModelKind.BPE: (),
        ModelKind.WORDPIECE: ("pattern", "tie_break"),
        ModelKind.UNIGRAM: ("pattern", "tie_break", "min_frequency"),
    }
    for name in foreign[model]:
        if getattr(options, name) is not None:
            raise UsageError(f"--{name.replace('_', '-')} has no meaning for --model {model}")


def _roles(given: list[str]) -> dict[str, str]:
    """`ROLE=TOKEN` options as a mapping; the first equals sign parts them.

    >>> _roles(["eos=<|im_end|>"])
    {'eos': '<|im_end|>'}
    """
    found = {}
    for item in given:
        role, equals, token = item.partition("=")
        if not equals or not token:
            raise UsageError(f"--role {item!r}: expected ROLE=TOKEN, such as eos=<|im_end|>")
        found[role] = token
    return found


def _path(text: str) -> Path:
    if not text:
        raise argparse.ArgumentTypeError("is empty; give it a value")
    return Path(text)


def _count(text: str) -> int:
    if not text.isascii() or not text.isdecimal() or not 1 <= int(text) <= LARGEST:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 to {LARGEST:,}")
    return int(text)
