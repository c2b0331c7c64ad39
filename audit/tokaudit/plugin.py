"""The one door for plug-ins: what checks, formats, adapters and reports import. Version 1.

Every name here is documented on docs/plugin.md and stays for all releases of the same version of
the door; what is not here is nobody's business outside, and may move in any release.

Importing it is cheap: what a name needs is imported when the name is first used.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as type checkers know it
if TYPE_CHECKING:
    from tokaudit.engine.check import Check as Check
    from tokaudit.engine.check import check as check
    from tokaudit.engine.evidence import TokenRow as TokenRow
    from tokaudit.engine.evidence import differing as differing
    from tokaudit.engine.evidence import first_difference as first_difference
    from tokaudit.engine.evidence import shown as shown
    from tokaudit.engine.evidence import text_evidence as text_evidence
    from tokaudit.engine.evidence import text_fields as text_fields
    from tokaudit.engine.evidence import token_names as token_names
    from tokaudit.engine.evidence import two_rows as two_rows
    from tokaudit.engine.evidence import view as view
    from tokaudit.engine.measure import interval as interval
    from tokaudit.engine.measure import interval_of_median as interval_of_median
    from tokaudit.engine.measure import interval_of_rate as interval_of_rate
    from tokaudit.engine.measure import ratio_of_sums as ratio_of_sums
    from tokaudit.engine.measure import wilson as wilson
    from tokaudit.engine.measured import Measured as Measured
    from tokaudit.engine.measured import Source as Source
    from tokaudit.engine.measured import Worse as Worse
    from tokaudit.engine.needs import Base as Base
    from tokaudit.engine.needs import BaseTrial as BaseTrial
    from tokaudit.engine.needs import ComparedRuntimes as ComparedRuntimes
    from tokaudit.engine.needs import Contents as Contents
    from tokaudit.engine.needs import Options as Options
    from tokaudit.engine.needs import Original as Original
    from tokaudit.engine.needs import Probes as Probes
    from tokaudit.engine.needs import Reference as Reference
    from tokaudit.engine.needs import ReferenceAnswers as ReferenceAnswers
    from tokaudit.engine.needs import ReferenceEntries as ReferenceEntries
    from tokaudit.engine.needs import Stopwatch as Stopwatch
    from tokaudit.engine.needs import TimedUpstream as TimedUpstream
    from tokaudit.engine.needs import Traces as Traces
    from tokaudit.engine.needs import Upstream as Upstream
    from tokaudit.engine.needs import UpstreamAnswers as UpstreamAnswers
    from tokaudit.engine.needs import UpstreamEntries as UpstreamEntries
    from tokaudit.engine.needs import UpstreamLoad as UpstreamLoad
    from tokaudit.engine.needs import Yardstick as Yardstick
    from tokaudit.engine.options import CHAT_USES as CHAT_USES
    from tokaudit.engine.resolver import need as need
    from tokaudit.engine.resolver import need_from_worker as need_from_worker
    from tokaudit.engine.resolver import without_files as without_files
    from tokaudit.engine.samples import Sample as Sample
    from tokaudit.engine.samples import Samples as Samples
    from tokaudit.engine.samples import is_spaced as is_spaced
    from tokaudit.engine.workers import Workers as Workers
    from tokaudit.foundation.errors import EncoderOutOfTime as EncoderOutOfTime
    from tokaudit.foundation.errors import NotApplicable as NotApplicable
    from tokaudit.foundation.errors import Skip as Skip
    from tokaudit.foundation.errors import TokauditError as TokauditError
    from tokaudit.foundation.errors import UnreadableError as UnreadableError
    from tokaudit.foundation.errors import UpstreamTrouble as UpstreamTrouble
    from tokaudit.report.causes.cause import Cause as Cause
    from tokaudit.report.comparison import PROVED as PROVED
    from tokaudit.report.comparison import TAKEN as TAKEN
    from tokaudit.report.comparison import Comparison as Comparison
    from tokaudit.report.comparison import CorpusSlice as CorpusSlice
    from tokaudit.report.comparison import Cost as Cost
    from tokaudit.report.comparison import Entries as Entries
    from tokaudit.report.comparison import Facet as Facet
    from tokaudit.report.comparison import Outcome as Outcome
    from tokaudit.report.comparison import Rate as Rate
    from tokaudit.report.comparison import Relation as Relation
    from tokaudit.report.comparison import SideBySide as SideBySide
    from tokaudit.report.comparison import Suitability as Suitability
    from tokaudit.report.model import About as About
    from tokaudit.report.model import Basis as Basis
    from tokaudit.report.model import CheckResult as CheckResult
    from tokaudit.report.model import Evidence as Evidence
    from tokaudit.report.model import Finding as Finding
    from tokaudit.report.model import Harm as Harm
    from tokaudit.report.model import Measurement as Measurement
    from tokaudit.report.model import Place as Place
    from tokaudit.report.model import Repairing as Repairing
    from tokaudit.report.model import Severity as Severity
    from tokaudit.report.model import Status as Status
    from tokaudit.report.model import Suppressed as Suppressed
    from tokaudit.report.model import SuppressedBy as SuppressedBy
    from tokaudit.report.model import TokenView as TokenView
    from tokaudit.report.model import Verdict as Verdict
    from tokaudit.report.reading import schema_parts as schema_parts
    from tokaudit.report.recorded import CheckRecord as CheckRecord
    from tokaudit.report.recorded import RuntimeRecord as RuntimeRecord
    from tokaudit.report.recorded import RuntimeSpeed as RuntimeSpeed
    from tokaudit.report.recorded import RuntimeState as RuntimeState
    from tokaudit.report.recorded import TracedBySides as TracedBySides
    from tokaudit.report.recorded import TracedPart as TracedPart
    from tokaudit.report.recorded import TracedText as TracedText
    from tokaudit.report.recorded import Transcript as Transcript
    from tokaudit.report.recorded import TranscriptToken as TranscriptToken
    from tokaudit.report.repair import Alternative as Alternative
    from tokaudit.report.repair import Change as Change
    from tokaudit.report.repair import ChangeKind as ChangeKind
    from tokaudit.report.repair import Decider as Decider
    from tokaudit.report.repair import Repair as Repair
    from tokaudit.report.repair import changing as changing
    from tokaudit.report.repair import choice as choice
    from tokaudit.report.repair import decision as decision
    from tokaudit.report.repair_words import labelled_lines as labelled_lines
    from tokaudit.report.repair_words import repair_lines as repair_lines
    from tokaudit.report.replacement import ModelRows as ModelRows
    from tokaudit.report.replacement import PairedFigure as PairedFigure
    from tokaudit.report.replacement import Replacement as Replacement
    from tokaudit.report.replacement import ShiftedDocument as ShiftedDocument
    from tokaudit.report.replacement import VocabularyUse as VocabularyUse
    from tokaudit.report.report import SCHEMA as SCHEMA
    from tokaudit.report.report import Report as Report
    from tokaudit.report.visible import EMPTY as EMPTY
    from tokaudit.report.visible import escaped_json as escaped_json
    from tokaudit.report.visible import runs as runs
    from tokaudit.report.visible import text_of as text_of
    from tokaudit.report.visible import visible as visible
    from tokaudit.report.visible import width as width
    from tokaudit.report.wording import cut as cut
    from tokaudit.report.wording import drawn as drawn
    from tokaudit.report.wording import first_text as first_text
    from tokaudit.report.wording import implied as implied
    from tokaudit.report.wording import located as located
    from tokaudit.report.wording import place_words as place_words
    from tokaudit.report.wording import spans as spans
    from tokaudit.report.wording import text_words as text_words
    from tokaudit.report.writer import Look as Look
    from tokaudit.report.writer import ReportWriter as ReportWriter
    from tokaudit.runtimes.protocol import DecodeOptions as DecodeOptions
    from tokaudit.runtimes.protocol import EncodeOptions as EncodeOptions
    from tokaudit.runtimes.protocol import Encoding as Encoding
    from tokaudit.runtimes.protocol import Tokenizer as Tokenizer
    from tokaudit.runtimes.protocol import TokenizerInfo as TokenizerInfo
    from tokaudit.runtimes.registry import Adapter as Adapter
    from tokaudit.runtimes.request import LoadRequest as LoadRequest
    from tokaudit.runtimes.subject_requests import padding_of as padding_of
    from tokaudit.runtimes.subject_requests import reference_request as reference_request
    from tokaudit.runtimes.subject_requests import upstream_request as upstream_request
    from tokaudit.subject.formats import Format as Format
    from tokaudit.subject.formats import all_formats as all_formats
    from tokaudit.subject.material import WHOLE as WHOLE
    from tokaudit.subject.material import Fact as Fact
    from tokaudit.subject.material import SourceFile as SourceFile
    from tokaudit.subject.material import Subject as Subject
    from tokaudit.subject.material import read_bytes as read_bytes
    from tokaudit.subject.representations import Representation as Representation
    from tokaudit.subject.representations import Representations as Representations
    from tokaudit.subject.representations import parse_all as parse_all
    from tokaudit.subject.tensors import Tensor as Tensor

VERSION = 1

# The names of each home, by what they are for; a test holds this table equal to the imports above.
_LISTED = {
    "Checks: what a check is, and how it ends": {
        "tokaudit.report.model": "About",
        "tokaudit.engine.check": "Check check",
        "tokaudit.engine.measured": "Measured Source Worse",
        "tokaudit.foundation.errors": (
            "EncoderOutOfTime NotApplicable Skip TokauditError UnreadableError UpstreamTrouble"
        ),
    },
    "What a check finds and measures": {
        "tokaudit.report.model": (
            "Basis CheckResult Evidence Finding Harm Measurement Place Repairing Severity Status "
            "Suppressed SuppressedBy TokenView Verdict"
        ),
        "tokaudit.report.repair": (
            "Alternative Change ChangeKind Decider Repair changing choice decision"
        ),
    },
    "What a check may ask for": {
        "tokaudit.engine.needs": (
            "Base BaseTrial ComparedRuntimes Contents Options Original Probes Reference "
            "ReferenceAnswers ReferenceEntries Stopwatch TimedUpstream Traces Upstream "
            "UpstreamAnswers UpstreamEntries UpstreamLoad Yardstick"
        ),
        "tokaudit.engine.options": "CHAT_USES",
        "tokaudit.engine.resolver": "need need_from_worker without_files",
        "tokaudit.engine.samples": "Sample Samples is_spaced",
        "tokaudit.engine.workers": "Workers",
        "tokaudit.subject.material": "Fact SourceFile Subject WHOLE read_bytes",
        "tokaudit.subject.representations": "Representation Representations parse_all",
        "tokaudit.subject.tensors": "Tensor",
    },
    "Words and figures of findings": {
        "tokaudit.engine.evidence": (
            "TokenRow differing first_difference shown text_evidence text_fields token_names "
            "two_rows view"
        ),
        "tokaudit.engine.measure": (
            "interval interval_of_median interval_of_rate ratio_of_sums wilson"
        ),
        "tokaudit.report.wording": "cut first_text implied located place_words text_words",
        "tokaudit.report.visible": "EMPTY escaped_json runs text_of visible width",
    },
    "Tokenizers that run": {
        "tokaudit.runtimes.protocol": (
            "DecodeOptions EncodeOptions Encoding Tokenizer TokenizerInfo"
        ),
        "tokaudit.runtimes.request": "LoadRequest",
        "tokaudit.runtimes.registry": "Adapter",
        "tokaudit.runtimes.subject_requests": "padding_of reference_request upstream_request",
    },
    "Formats of files": {
        "tokaudit.subject.formats": "Format all_formats",
    },
    "Reports": {
        "tokaudit.report.writer": "Look ReportWriter",
        "tokaudit.report.report": "Report SCHEMA",
        "tokaudit.report.comparison": (
            "Comparison CorpusSlice Cost Entries Facet Outcome PROVED Rate Relation SideBySide "
            "Suitability TAKEN"
        ),
        "tokaudit.report.recorded": (
            "CheckRecord RuntimeRecord RuntimeSpeed RuntimeState TracedBySides TracedPart "
            "TracedText Transcript TranscriptToken"
        ),
        "tokaudit.report.replacement": (
            "ModelRows PairedFigure Replacement ShiftedDocument VocabularyUse"
        ),
        "tokaudit.report.causes.cause": "Cause",
        "tokaudit.report.repair_words": "labelled_lines repair_lines",
        "tokaudit.report.wording": "drawn spans",
        "tokaudit.report.reading": "schema_parts",
    },
}
SECTIONS = {
    title: {name: home for home, names in homes.items() for name in names.split()}
    for title, homes in _LISTED.items()
}
_HOMES = {name: home for names in SECTIONS.values() for name, home in names.items()}
__all__ = sorted(_HOMES)


def __getattr__(name: str) -> object:
    """Import the home of a name when it is first used."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    found = globals()[name] = getattr(importlib.import_module(_HOMES[name]), name)
    return found


def __dir__() -> list[str]:
    """The names of the door."""
    return sorted({*globals(), *__all__})
