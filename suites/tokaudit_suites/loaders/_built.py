"""Tokenizers that both transformers versions build from a bare SentencePiece model."""

from __future__ import annotations

from dataclasses import dataclass

from tokaudit.plugin import (
    NotApplicable,
    Skip,
    Subject,
    Tokenizer,
    Workers,
    need_from_worker,
    reference_request,
)
from tokaudit.runtimes.worker.client import UpstreamRefused, WorkerCrashed
from tokaudit.subject.effective.built_of_pieces import BuiltOfPieces, built_of_pieces
from tokaudit.subject.effective.loaders import CURRENT, Loader


@dataclass(frozen=True)
class BuiltBy:
    """One version, the tokenizer that it builds, and a reference to run it."""

    loader: Loader
    built: BuiltOfPieces
    tokenizer: Tokenizer

    @property
    def name(self) -> str:
        """Name the class and its version, for sentences."""
        return f"{self.built.choice.name} of {self.loader.name} (emulated)"


@dataclass(frozen=True)
class BuiltRuns:
    """Every version with a known build of the model, and the unknown ones."""

    all: tuple[BuiltBy, ...]
    unknown: tuple[Loader, ...] = ()


@need_from_worker
def built_runs(subject: Subject, workers: Workers) -> BuiltRuns:
    """Start a worker for each version; not applicable if tokenizer.json decides."""
    found, unknown = [], []
    for loader in CURRENT:
        built = built_of_pieces(subject, loader.version)
        if built is None:
            unknown.append(loader)
        else:
            name = f"built by {loader.version}"
            try:
                runs = workers.open(name, reference_request(built.spec))
            except (UpstreamRefused, WorkerCrashed) as error:
                raise Skip(
                    f"the reference does not run what {loader.name} builds: {error}"
                ) from error
            found.append(BuiltBy(loader, built, runs))
    if not found:
        raise NotApplicable(
            "no SentencePiece model is alone with a class whose loading is recorded"
        )
    return BuiltRuns(tuple(found), tuple(unknown))
