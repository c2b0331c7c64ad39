"""`tokaudit.train`: train a tokenizer by the reference and write it as a folder.

The words are counted as the finished tokenizer will cut them, and special tokens take no part.  All
choices are checked before the corpus is read; the folder appears whole at the end or not at all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

from tokaudit.engine.opening import subject_of
from tokaudit.engine.options import Options
from tokaudit.engine.settings.keywords import keywords
from tokaudit.engine.settings.settings import BareFiles
from tokaudit.engine.workers import Workers
from tokaudit.foundation.errors import UsageError
from tokaudit.foundation.progress import OnStep, silently
from tokaudit.foundation.settings.places import NamedPath, path_of
from tokaudit.foundation.settings.setting import checked
from tokaudit.foundation.settings.words import listed
from tokaudit.products.compare.work.counting import runner
from tokaudit.products.compare.work.prepared import prepared
from tokaudit.products.train.choices import recipe_of, resolved
from tokaudit.products.train.corpus import files_of
from tokaudit.products.train.folder import write_files, written_whole
from tokaudit.products.train.held_out import HeldOut, Split, measured, split_corpus
from tokaudit.products.train.kinds import Count, Sizes
from tokaudit.products.train.recipe import Recipe
from tokaudit.products.train.recipe_file import read_recipe, recipe_json, refuse_changed
from tokaudit.products.train.settings import TrainSettings
from tokaudit.products.train.trainers.learned import LearnedMerge
from tokaudit.products.train.trainers.train import files
from tokaudit.products.train.trainers.train import train as trained_by
from tokaudit.subject.training_recipe import NAME, corpus_files


@dataclass(frozen=True)
class TrainedFolder:
    """Result of a training: the folder, its entries, and the requested size.

    `merges` are those of a BPE with how often each pair occurred; `held_out` is what the tokenizer
    makes of documents that it was not trained on, where some were held out.
    """

    path: Path
    entries: int
    asked: int
    merges: tuple[LearnedMerge, ...] = ()
    held_out: HeldOut | None = None


@dataclass(frozen=True, kw_only=True)
class TrainCall(TrainSettings):
    """The settings of `train`, and what only a program can give."""

    on_step: OnStep | None = None


@keywords(TrainCall)
def train(
    corpus: Sequence[NamedPath], out: NamedPath, vocab_size: int, asked: TrainCall
) -> TrainedFolder:
    """Train a tokenizer on text files or folders of them, and write it to a new folder `out`.

    `vocab_size` counts all entries, the alphabet and the special tokens included.  `on_step` is
    called with what is done, how much of it, and of how much.  Raises `UsageError` for choices
    that are invalid together, before the corpus is read.
    """
    size = Count().checked("vocab_size", vocab_size)
    [made] = _trained(corpus, {size: path_of("out", out)}, asked)
    return made


@keywords(TrainCall)
def train_sizes(
    corpus: Sequence[NamedPath], out: NamedPath, sizes: Sequence[int], asked: TrainCall
) -> list[TrainedFolder]:
    """Train tokenizers of several sizes after one count of the corpus, each to its own folder.

    The folder of a size is `out` with the size, as in `mine-8000`; each is the same, byte for
    byte, as `train` writes alone.
    """
    base = path_of("out", out)
    wanted = Sizes().checked("sizes", sizes)
    targets = {size: base.with_name(f"{base.name}-{size}") for size in wanted}
    if not targets:
        raise UsageError("sizes: is empty; give at least one vocabulary size")
    return _trained(corpus, targets, asked)


def _trained(
    corpus: Sequence[NamedPath], targets: Mapping[int, Path], asked: TrainCall
) -> list[TrainedFolder]:
    paths = [path_of("corpus", path) for path in listed("corpus", corpus)]
    recipes = [recipe_of(size, asked) for size in targets]
    return _written(list(targets.values()), recipes, asked, paths, asked.on_step)


def retrain(
    recipe: NamedPath,
    out: NamedPath,
    corpus: Sequence[NamedPath] = (),
    *,
    force: bool = False,
    on_step: OnStep | None = None,
) -> TrainedFolder:
    """Train once more from the recipe that a training left, to a new folder `out`.

    The corpus is that of the recipe, or the same files in another place.  Raises `UnreadableError`
    where a file of it is not the one that the recipe names by its digest.
    """
    kept = read_recipe(path_of("recipe", recipe))
    names = [Path(path) for path in listed("corpus", corpus)] if corpus else []
    paths = names or [Path(each.name) for each in kept.corpus]
    refuse_changed(kept, files_of(paths))
    asked = replace(checked(kept.asked), force=force)
    chosen = recipe_of(Count().checked("vocab_size", kept.vocab_size), asked)
    [made] = _written([path_of("out", out)], [chosen], asked, paths, on_step)
    return made


def _written(
    targets: Sequence[Path],
    recipes: Sequence[Recipe],
    asked: TrainSettings,
    named: list[Path],
    on_step: OnStep | None,
) -> list[TrainedFolder]:
    """Train, and write each folder with its recipe, whole or not at all."""
    say = on_step or silently
    with ExitStack() as stack:
        folders = [stack.enter_context(written_whole(path, asked.force)) for path in targets]
        corpus = files_of(named)
        described = corpus_files(corpus)
        parts = Split(corpus, [])
        if asked.held_out is not None:
            say("holding out", 0, None)
            texts = folders[0].with_name(f"{folders[0].name}.text")
            special = recipes[0].special
            parts = stack.enter_context(split_corpus(corpus, asked.held_out, special, texts))
        found = trained_by(recipes, parts.training, say)
        for folder, recipe, each in zip(folders, recipes, found, strict=True):
            made = files(recipe, each)
            taken = resolved(asked, recipe)
            kept = recipe_json(taken, recipe.vocab_size, each.size, described, made)
            write_files(folder, {**made, NAME: kept})
        held = [_measured(folder, parts.held, recipes[0].special, say) for folder in folders]
    done = zip(targets, recipes, found, held, strict=True)
    return [
        TrainedFolder(path, each.size, recipe.vocab_size, each.merges, figure)
        for path, recipe, each, figure in done
    ]


def _measured(
    folder: Path, held: Sequence[Path], special: Sequence[str], say: OnStep
) -> HeldOut | None:
    """Measure a folder's tokenizer on held-out files, if there are any."""
    if not held:
        return None
    say("measuring", 0, None)
    workers = Workers(Options().limits())
    try:
        side = prepared(subject_of(folder, BareFiles()), workers, "0")
        with runner(side) as encoder:
            return measured(encoder, held, special)
    finally:
        workers.close()
