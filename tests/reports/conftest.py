"""Reports built by hand: one with everything in it, one hostile, one with nothing to say."""

from __future__ import annotations

import base64
from dataclasses import replace

import pytest

from tokaudit.engine.outcome.verdict import summary
from tokaudit.report.comparison import Comparison, Cost, Entries, Rate, SideBySide
from tokaudit.report.model import (
    CheckResult,
    Evidence,
    Finding,
    Measurement,
    Place,
    Severity,
    Status,
    Suppressed,
    SuppressedBy,
    TokenView,
    Verdict,
)
from tokaudit.report.recorded import (
    ComponentIdentity,
    FactRecord,
    FileRecord,
    SubjectRecord,
    Timing,
    TracedPart,
    TracedPiece,
    TracedText,
    Transcript,
    TranscriptToken,
)
from tokaudit.report.report import Report

LANGUAGES = (
    ("eng_Latn", "English", 1.21),
    ("deu_Latn", "German", 1.86),
    ("fra_Latn", "French", 1.64),
    ("spa_Latn", "Spanish", 1.52),
    ("fin_Latn", "Finnish", 2.94),
    ("tur_Latn", "Turkish", 2.61),
    ("ell_Grek", "Greek", 4.37),
    ("rus_Cyrl", "Russian", 2.72),
    ("arb_Arab", "Modern Standard Arabic", 3.05),
    ("hin_Deva", "Hindi", 4.88),
    ("tam_Taml", "Tamil", 9.12),
    ("mya_Mymr", "Burmese", 16.4),
)
HOSTILE = "<script>alert(1)</script>\x1b[31m[bold]red[/bold]\u202e gnp.\u200bexe\x9b2J"


@pytest.fixture(scope="module", autouse=True)
def workers_of_these_tests(workers_in_forks: object) -> None:
    """What workers answer is judged here, not how they start: see `workers_in_forks`."""


def view(*tokens: tuple[int, str]) -> tuple[TokenView, ...]:
    return tuple(TokenView(id, piece) for id, piece in tokens)


SPLIT = Evidence(
    kind="text",
    text="don't\n",
    expected=view((1589, "don"), (956, "'t"), (198, "\n")),
    actual=view((1589, "don"), (6, "'"), (83, "t"), (198, "\n")),
    expected_label="reference",
    actual_label="tokenizers 0.22.1",
    first_difference=1,
    note="the shortest text found; deleting any one character loses the difference",
    minimal=True,
)
SIDE_BY_SIDE = SideBySide(
    "the reference",
    (
        Cost("eng_Latn", "English", 100, Rate(0.2), Rate(0.2), Rate(1.0, (0.98, 1.03))),
        Cost("mya_Mymr", "Burmese", 100, Rate(0.5), Rate(1.5), Rate(3.0, (2.8, 3.3))),
        Cost("tha_Thai", "Thai", 100, None, Rate(1.5)),
    ),
    (Cost("code_python", "Python code", 12, Rate(0.3), Rate(0.25), Rate(0.83)),),
    (Entries("Latin", 20_000, 5_000, 15_000), Entries("Cyrillic", 0, 12, 0)),
    (Entries("1", 256, 0, 0),),
)
TRACED = TracedPart(
    "don't\n",
    None,
    "Don't\n",
    (TracedPiece("Don", (("d", "o"), ("do", "n")), view((1589, "don"))),),
)
ADDED = TracedPart("<|end|>", 32007, "", ())
ROLES = Finding(
    Severity.ERROR,
    "the end of a turn has id 32007 in the chat template, but generation stops only at 32000",
    (
        Place("special_roles", "generation_config.json", "/eos_token_id", 32000),
        Place("chat_template", "tokenizer_config.json", "/chat_template", "<|end|>"),
    ),
    (
        Evidence(kind="facts", facts={"eos_token_id": 32000, "ends a turn": "<|end|>"}),
        Evidence(kind="ids", ids=tuple(range(32000, 32080))),
        Evidence(
            kind="conversation",
            text="<|user|>\nHello<|end|>\n<|assistant|>\nHi.<|end|>\n",
            note="rendered with add_generation_prompt=false",
        ),
    ),
    "add 32007 to eos_token_id in generation_config.json",
    "roles:eos",
    cause="shown",
)
MERGES = Finding(
    Severity.ERROR,
    "the library does not split the contraction that the declared pattern splits",
    (Place("pre_tokenizer", "tokenizer.json", "/pre_tokenizer/pretokenizers/0/pattern/Regex"),),
    (SPLIT,),
    "re-export tokenizer.json from the checkpoint's own tokenizer.model",
    cause="shown",
)
SURROGATE = Finding(
    Severity.WARNING,
    "a text with a lone surrogate is encoded as the unknown token",
    (Place("decoder"),),
    (
        Evidence(
            kind="text",
            text_base64=base64.b64encode("a\ud800b".encode("utf-8", "surrogatepass")).decode(),
            expected=view((64, "a"), (65, "b")),
            actual=(),
            first_difference=0,
        ),
    ),
    cause="shown",
)
PADDING = Finding(
    Severity.INFO, "the pad token is the end-of-text token", (Place("padding"),), cause="shown"
)


def measurements() -> tuple[Measurement, ...]:
    words = tuple(
        Measurement(
            "fertility/tokens_per_word",
            "Tokens per word",
            value,
            "tokens",
            2009,
            "sample of 2,009 sentences",
            (value * 0.96, value * 1.05),
            {"language": code, "name": name},
        )
        for code, name, value in LANGUAGES
    )
    parity = tuple(
        replace(
            m,
            key="fertility/parity",
            title="Parity",
            value=m.value / 1.21,
            unit="ratio",
            interval=None,
        )
        for m in words
    )
    domains = (("code_python", 3.41), ("english_prose", 4.52), ("json", 2.83))
    compression = tuple(
        Measurement(
            "compression/bytes_per_token",
            "Bytes per token",
            value,
            "bytes",
            40,
            "40 texts",
            None,
            {"domain": name},
        )
        for name, value in domains
    )
    speed = (("upstream", 3.31), ("yardstick", 1.0), ("reference", 0.042))
    throughput = tuple(
        Measurement(
            "throughput/relative",
            "Relative speed",
            value,
            "ratio",
            9,
            "best of 9",
            (value * 0.9, value * 1.1),
            {"who": who},
        )
        for who, value in speed
    )
    grown = tuple(
        Measurement(
            "throughput/milliseconds",
            "Time for one text",
            seconds * length**power,
            "ms",
            6,
            "median of rounds",
            (seconds * length**power * 0.9, seconds * length**power * 1.2),
            {"text": text, "length": str(length)},
        )
        for text, seconds, power in (("words", 1e-4, 1.0), ("spaces", 1e-7, 2.0))
        for length in (1_000, 10_000, 2_000)
    )
    single = Measurement("vocab/used_share", "Used share", 0.7312, "share", 32064, "sample texts")
    return (*words, *parity, *compression, *throughput, *grown, single)


@pytest.fixture
def full() -> Report:
    """A failed audit in which every kind of thing occurs."""
    return Report(
        tool={"name": "tokaudit", "version": "0.1.0"},
        command=("tokaudit", "audit", "my model", "--against", "tiktoken:cl100k_base"),
        started="2026-01-31T12:00:00Z",
        seconds=12.34,
        environment={"python": "3.11.2", "tokenizers": "0.22.1", "unicode": "14.0.0", "seed": "0"},
        subject=SubjectRecord(
            "my model",
            (
                FileRecord("tokenizer.json", 1_844_408, "huggingface", "ab" * 32),
                FileRecord("model.safetensors", 7_600_000_000, "weights"),
            ),
            (FileRecord("README.md", 4_100, "unread"),),
            (
                FactRecord("eos_token_id", 32000, "generation_config.json", "/eos_token_id"),
                FactRecord("padding_side", "left", "tokenizer_config.json", "/padding_side"),
            ),
            ("tokenizer.json", "tokenizer.model"),
        ),
        scope="tokenizer only: the subject has no weights",
        verdict=Verdict.FAIL,
        verdict_reason="errors from roles/eos, library/encode",
        summary={
            "passed": 1,
            "failed": 2,
            "skipped": 1,
            "not_applicable": 1,
            "crashed": 1,
            "error": 2,
            "warning": 1,
            "info": 1,
        },
        identity=(
            ComponentIdentity("vocab-v1", "sha256:" + "1f" * 32, "stated", 32000),
            ComponentIdentity("normalizer", "sha256:" + "2e" * 32, "implied"),
        ),
        results=(
            CheckResult("roles/eos", Status.FAILED, "", (ROLES, PADDING), (), 0.02),
            CheckResult("library/encode", Status.FAILED, "", (MERGES, SURROGATE), (), 8.5),
            CheckResult("fertility/languages", Status.PASSED, "", (), measurements(), 2.1),
            CheckResult(
                "weights/rows",
                Status.SKIPPED,
                "the subject has no weights: audit the whole checkpoint folder",
            ),
            CheckResult("wordpiece/prefix", Status.NOT_APPLICABLE, "the tokenizer is BPE"),
            CheckResult("extra/broken", Status.CRASHED, "KeyError: 'model' (broken.py:7)"),
        ),
        comparison=Comparison(
            "my model",
            "tiktoken:cl100k_base",
            5120,
            37,
            "different",
            SPLIT,
            side_by_side=SIDE_BY_SIDE,
        ),
        timing=Timing(12.34, 6.2, 3.1, 1.4, 0.9, 57, 12_800),
        transcripts=(
            Transcript(
                "turns-1",
                "<|user|>Hello<|end|>Hi",
                (
                    TranscriptToken(32010, "<|user|>", "user", False),
                    TranscriptToken(15043, "Hello", "user", False),
                    TranscriptToken(6324, "Hi", "assistant", True),
                    TranscriptToken(32007, "<|end|>", "assistant", True),
                ),
            ),
            Transcript("no-mask", "a", (TranscriptToken(64, "a", "", None),)),
        ),
        traces=(TracedText("don't\n", (TRACED,)), TracedText("Hello, world!", (TRACED, ADDED))),
    )


@pytest.fixture
def quiet(full: Report) -> Report:
    """A passed audit that found and measured nothing."""
    results = (CheckResult("vocab/holes", Status.PASSED, seconds=0.01),)
    return replace(
        full,
        verdict=Verdict.PASS,
        verdict_reason="no errors",
        summary={"passed": 1},
        identity=(),
        results=results,
        comparison=None,
        subject=SubjectRecord("plain"),
    )


@pytest.fixture
def held(quiet: Report) -> Report:
    """A passed audit in which two errors are suppressed: by a reason, and by a baseline."""
    holes = Finding(Severity.ERROR, "3 ids have no token", check="vocab/holes", cause="inside")
    reason = "kept for ids of the old release"
    both = (
        Suppressed(holes, reason, SuppressedBy.CONFIGURATION, "2031-01-31"),
        Suppressed(
            replace(holes, cause="at the end"), "recorded in base.json", SuppressedBy.BASELINE
        ),
    )
    results = (CheckResult("vocab/holes", Status.PASSED, suppressed=both),)
    return replace(quiet, results=results, summary=summary(results))


@pytest.fixture
def hostile(full: Report) -> Report:
    """The full report with a string that attacks terminals and browsers wherever one can stand."""
    token = TokenView(7, HOSTILE)
    evidence = Evidence(
        "text", HOSTILE, None, (token,), (), HOSTILE, HOSTILE, 0, (), {HOSTILE: HOSTILE}, HOSTILE
    )
    piece = TracedPiece(HOSTILE, ((HOSTILE, HOSTILE),), (token,))
    traced = TracedPart(HOSTILE, None, HOSTILE, (piece,))
    finding = Finding(
        Severity.ERROR,
        HOSTILE,
        (Place(HOSTILE, HOSTILE, HOSTILE, HOSTILE),),
        (evidence,),
        HOSTILE,
        cause=HOSTILE,
    )
    measured = [
        Measurement(
            "s/n",
            HOSTILE,
            value,
            HOSTILE,
            1,
            HOSTILE,
            None,
            {"language": key, "name": key, HOSTILE: "1"},
        )
        for value, key in ((1.0, HOSTILE), (2.0, HOSTILE + "2"))
    ]
    alone = Measurement("s/alone", HOSTILE, 1.0, HOSTILE, 1, HOSTILE, None, {HOSTILE: HOSTILE})
    result = CheckResult(HOSTILE, Status.FAILED, HOSTILE, (finding,), (*measured, alone), 0.1)
    skipped = CheckResult(HOSTILE, Status.SKIPPED, HOSTILE)
    files = (FileRecord(HOSTILE, 1, HOSTILE, HOSTILE),)
    return replace(
        full,
        tool={HOSTILE: HOSTILE, "version": HOSTILE},
        command=(HOSTILE,),
        started=HOSTILE,
        environment={HOSTILE: HOSTILE},
        subject=SubjectRecord(
            HOSTILE, files, files, (FactRecord(HOSTILE, HOSTILE, HOSTILE, HOSTILE),), (HOSTILE,)
        ),
        scope=HOSTILE,
        verdict_reason=HOSTILE,
        identity=(ComponentIdentity(HOSTILE, HOSTILE, HOSTILE, 1),),
        results=(result, skipped),
        comparison=Comparison(HOSTILE, HOSTILE, 1, 1, "different", evidence),
        transcripts=(Transcript(HOSTILE, HOSTILE, (TranscriptToken(7, HOSTILE, HOSTILE, True),)),),
        traces=(TracedText(HOSTILE, (traced,)), TracedText(HOSTILE * 2, (traced,))),
    )
