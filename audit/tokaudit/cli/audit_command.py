"""`tokaudit audit SUBJECT`: ask every check and report."""

from __future__ import annotations

import argparse

from tokaudit.cli.subject_arguments import (
    add_color,
    add_conversations,
    add_hash_weights,
    add_opening_arguments,
    opening,
)
from tokaudit.report.model import Severity
from tokaudit.report.writer import DEFAULT

ORDER = [Severity.INFO, Severity.WARNING, Severity.ERROR]
EXAMPLES = """\
examples:
  tokaudit audit path/to/checkpoint
  tokaudit audit path/to/checkpoint --base path/to/base --require embeddings
  tokaudit audit path/to/checkpoint --select vocab,merges/order --tier quick
  tokaudit audit pkg:package --out report.html --out report.json
  tokaudit audit path/to/checkpoint --out reports/
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What to audit, against what, which checks, and where the report goes."""
    add_opening_arguments(parser)
    _add_comparisons(parser)
    _add_choice_of_checks(parser)
    _add_outputs(parser)


def _add_comparisons(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--base",
        metavar="SUBJECT",
        help="compare every component with this tokenizer's (default: none)",
    )
    parser.add_argument(
        "--against",
        metavar="ENCODER",
        help="compare ids with a subject, call:module:object or cmd:program; the last two run "
        "code (default: none)",
    )


def _add_choice_of_checks(parser: argparse.ArgumentParser) -> None:
    for name, does in (
        ("select", "ask only these checks or suites, whatever the tier (default: all of the tier)"),
        ("ignore", "do not ask these checks or suites (default: none)"),
        ("require", "these must be decided for a pass (default: those marked as required)"),
    ):
        parser.add_argument(
            f"--{name}",
            action="extend",
            type=_commas,
            default=[],
            metavar="CHECK[,CHECK]",
            help=f"{does}; may be given again",
        )
    parser.add_argument(
        "--tier",
        default="default",
        metavar="TIER",
        help="how much text is drawn: quick, default or full (default: default)",
    )
    parser.add_argument(
        "--jobs", type=int, default=1, metavar="N", help="checks asked at once (default: 1)"
    )
    parser.add_argument(
        "--seed", type=int, default=0, metavar="N", help="what sampling starts from (default: 0)"
    )
    parser.add_argument(
        "--timeout",
        type=float,
        metavar="SECONDS",
        help="skip what is not reached by then (default: 240, 1800 or 14400, by tier)",
    )
    parser.add_argument(
        "--question-timeout",
        type=float,
        default=60.0,
        metavar="SECONDS",
        help="for one question to a worker, and a sixth of it in processor time (default: 60)",
    )
    parser.add_argument(
        "--memory",
        type=int,
        default=1500,
        metavar="MB",
        help="megabytes for all processes of the audit together (default: 1500)",
    )
    parser.add_argument(
        "--corpus",
        action="append",
        default=[],
        metavar="FILE",
        help="count the tokens of this text too; may be given again (default: none)",
    )

    add_conversations(parser)
    parser.add_argument(
        "--read-embeddings",
        action="store_true",
        help="read rows of the embedding, at most 4,096, and measure their norms (default: "
        "look for rows of zeros and broken numbers alone)",
    )


def _add_outputs(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--out",
        action="append",
        default=[],
        metavar="FILE|DIR/",
        help="write the report in the format of the suffix, or page, data and manifest into a "
        "folder; may be given again (default: stdout)",
    )
    parser.add_argument(
        "--format",
        metavar="NAME",
        help="how to write the report (default: what the suffix of --out says, else terminal)",
    )
    parser.add_argument(
        "--manifest", metavar="FILE", help="also write the manifest (default: it is not written)"
    )
    add_hash_weights(parser)
    add_color(parser)
    parser.add_argument(
        "--fail-on",
        choices=[*map(str, ORDER), "never"],
        default=str(Severity.ERROR),
        help="the least severity that makes the exit code 1 (default: error)",
    )


def run(options: argparse.Namespace) -> int:
    """Audit, deliver, summarise; the exit code says how it ended."""
    from tokaudit.api.auditing import requested
    from tokaudit.api.opening import repository_of
    from tokaudit.api.repository import carry_out_all
    from tokaudit.api.shared_files import shared_out
    from tokaudit.cli.look import summarise
    from tokaudit.cli.output import plan
    from tokaudit.cli.progress import Progress
    from tokaudit.cli.refusal import reported
    from tokaudit.cli.streams import written
    from tokaudit.engine.verdict import exit_code
    from tokaudit.identity.statement import statement_of

    inputs = [options.subject, options.base, options.against, *options.corpus]
    inputs += [options.conversations] if options.conversations else []
    planned = plan(options.out, options.format, options.manifest, inputs, options.color)
    request = requested(
        base=options.base,
        against=options.against,
        select=options.select,
        ignore=options.ignore,
        require=options.require,
        tier=options.tier,
        jobs=options.jobs,
        seed=options.seed,
        corpus=options.corpus,
        conversations=options.conversations,
        timeout=options.timeout,
        question_timeout=options.question_timeout,
        memory=options.memory,
        read_embeddings=options.read_embeddings,
        whole_identity=bool(planned.manifests),
    )
    with (
        reported(planned, options.subject, "audit/subject"),
        Progress(options.quiet, "opening", options.color) as progress,
    ):
        given = opening(options)
        given["files"], request = shared_out(options.subject, request, given["files"])
        repository = repository_of(options.subject, **given)
        done = carry_out_all(repository, request, progress.result)
        report, statement = done.report, None
        if planned.manifests:
            statement = statement_of(
                done.whole,
                done.main,
                hash_weights=options.hash_weights,
                beside=repository.files,
            )
    code = written(exit_code(report, options.fail_on), lambda: planned.deliver(report, statement))
    if not options.quiet and (options.out or options.format not in (None, DEFAULT)):
        summarise(report, options.color)
    return code


def _commas(text: str) -> list[str]:
    """The names in a list with commas.

    >>> _commas("vocab, merges/order")
    ['vocab', 'merges/order']
    """
    return [name.strip() for name in text.split(",")]
