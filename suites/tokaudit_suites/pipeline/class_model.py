"""A tokenizer class that is made for another kind of model than tokenizer.json holds."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.engine.check import check
from tokaudit.foundation.errors import NotApplicable
from tokaudit.report.model import Basis, Finding, Severity
from tokaudit.subject.formats.common.model_types import NAMES
from tokaudit.subject.material import Fact, Subject
from tokaudit.subject.upstream.tokenizer_class import class_named
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.pipeline.class_pipelines import PIPELINES
from tokaudit_suites.pipeline.rebuilt import MARKED, WHOLE_FILE, class_that_builds
from tokaudit_suites.stated_roles import place_of
from tokaudit_suites.wording import in_vocab

MARKS = ("CodeLlama", "Nllb", "Reformer", "SeamlessM4T", "Tipsv2")
"""Classes of a BPE over text with marks for spaces, which bytes are not."""


@check(
    "pipeline/class-model",
    title="The tokenizer class is made for the kind of model that tokenizer.json holds",
    why="transformers 5 gives the vocabulary of tokenizer.json to the class that the configuration "
    "names. One that is made for another kind of model does not load it, or reads bytes as if they "
    "were text with marks for spaces.",
    remedy="Set tokenizer_class to PreTrainedTokenizerFast in tokenizer_config.json.",
    severity=Severity.ERROR,
    basis=Basis.CROSS_FILE,
    left_to_code=True,
    incident="Files whose configuration names a class of another family gave other tokens under "
    "transformers 5 (huggingface/transformers #45701), whose AutoTokenizer has a rule by now for "
    "bytes under LlamaTokenizer alone.",
    bad='tokenizer.json: {"model": {"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 2}, '
    '"merges": [["a", "b"]]}}\n'
    'tokenizer_config.json: {"tokenizer_class": "AlbertTokenizer"}',
    good='tokenizer.json: {"model": {"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 2}, '
    '"merges": [["a", "b"]]}}\n'
    'tokenizer_config.json: {"tokenizer_class": "HerbertTokenizer"}',
)
def class_model(subject: Subject, spec: TokenizerSpec) -> Iterator[Finding]:
    """Compare the kinds; what a class of the same kind builds, pipeline/class-rebuild runs."""
    fact = class_that_builds(subject)
    if spec.format != WHOLE_FILE or fact is None:
        raise NotApplicable("no class is named that is given the vocabulary of tokenizer.json")
    full = str(fact.value).removesuffix("Fast")
    known = class_named(full)
    name, kind = full.removesuffix("Tokenizer"), "" if known is None else known.builds
    if name == MARKED and spec.byte_level:
        yield _of_bytes(spec, fact, full)
    elif not kind or name in PIPELINES:
        raise NotApplicable("the class builds no model, or pipeline/class-rebuild compares it")
    elif kind != NAMES.get(spec.model_type):
        said = f"holds {NAMES.get(spec.model_type, 'another kind')}"
        yield _refused(spec, fact, f"{full}, which is made for {kind}, but {spec.files[0]} {said}")
    elif spec.byte_level and name in MARKS:
        said = "has a vocabulary of bytes"
        yield _refused(
            spec, fact, f"{full}, which writes marks for spaces, but {spec.files[0]} {said}"
        )


def _refused(spec: TokenizerSpec, fact: Fact, problem: str) -> Finding:
    return Finding(
        Severity.ERROR,
        f"{fact.file} names {problem}: transformers 4 loads the file as it is, transformers 5 "
        "gives other ids or does not load it.",
        (place_of(fact, "config"), in_vocab(spec)),
        cause="kind",
    )


def _of_bytes(spec: TokenizerSpec, fact: Fact, name: str) -> Finding:
    return Finding(
        Severity.WARNING,
        f"{fact.file} names {name}, which writes marks for spaces, but {spec.files[0]} has a "
        "vocabulary of bytes: AutoTokenizer of transformers 5.23 passes over the class, "
        f"{name}.from_pretrained does not and gives other ids.",
        (place_of(fact, "config"), in_vocab(spec)),
        cause="bytes",
    )
