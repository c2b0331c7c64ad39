"""Ids on disk named by `--data`, counted once for all checks of the suite `data`."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from tokaudit.engine.collected import Collector
from tokaudit.engine.evidence import token_names
from tokaudit.engine.needs import Options, Upstream
from tokaudit.engine.resolver import first, need, need_from_worker
from tokaudit.engine.settings.data import columns_of
from tokaudit.engine.workers import Workers
from tokaudit.foundation.errors import NotApplicable, Skip, UpstreamTrouble
from tokaudit.foundation.installed_version import own_version
from tokaudit.products.data.files.files import IdDescription, files_of
from tokaudit.products.data.files.opening import Corpus, open_data
from tokaudit.products.data.ids.plan import Draw, Plan, ids_of, units_of
from tokaudit.products.data.work.roles import expected_of
from tokaudit.products.data.work.scan import DataScan
from tokaudit.runtimes.subject_requests import reference_request, tokenizer_digest
from tokaudit.runtimes.worker.client import WorkerTokenizer
from tokaudit.subject.material import Subject
from tokaudit.subject.weights import WeightHeaders
from tokaudit_reference.spec import TokenizerSpec

MOST_NAMED = 2  # files or folders of data
DRAWN_IDS = {"quick": 200_000, "default": 2_000_000, "full": 50_000_000}


@first
@need
def id_corpus(options: Options, spec: TokenizerSpec, workers: Workers) -> Corpus:
    """Open the shards, each by the first format that recognises it."""
    if not options.data:
        raise NotApplicable("no files of token ids were named with --data")
    from tokaudit.products.data.shards.jail import ShardWorker

    with ShardWorker(limits=workers.limits) as worker:
        return open_data(options.data, _given(options, spec), worker.opened)


def _given(options: Options, spec: TokenizerSpec) -> IdDescription:
    """Return the user's settings for the files."""
    return IdDescription(options.dtype or "", spec.size(), columns_of(options.column))


@need_from_worker
def data_scan(
    corpus: Corpus,
    subject: Subject,
    spec: TokenizerSpec,
    headers: WeightHeaders | None,
    options: Options,
    workers: Workers,
    upstream: Upstream | None,
) -> DataScan:
    """Count ids on disk, by the library if there is one, else by the reference."""
    from tokaudit.products.data.shards.carrying_out import Way, carry_out
    from tokaudit.products.data.shards.jail import ShardWorker
    from tokaudit.products.data.shards.job import Job

    tokenizer = workers.opened["upstream"] if upstream is not None else _reference(workers, spec)
    if tokenizer is not None and not {"decode", "decode_bytes"} & tokenizer.capabilities:
        tokenizer = None
    expected, share = expected_of(subject, spec, headers), _share(corpus, options)
    plan = Plan(expected, Draw(share, options.seed))
    job = Job(own_version(), plan, _given(options, spec))
    if tokenizer is not None:
        job = replace(job, tokenizer=tokenizer_digest(spec, tokenizer)).loading(tokenizer.request)
    files = {file.name: file for file in files_of(options.data)}
    shards = {files[shard.info.name]: shard for shard in corpus.shards}
    with ShardWorker(tokenizer.request if tokenizer else None, workers.limits) as worker:
        way = Way(
            options.jobs,
            worker.measured,
            str(options.resume or ""),
            partial(workers.on_step, "reading ids"),
            options.ray or "",
        )
        tallies = carry_out(job, shards, way)
    return DataScan(
        {shard.info.name: shard.info for shard in corpus.shards},
        tallies,
        corpus.unreadable,
        corpus.others,
        expected,
        token_names(spec),
        tokenizer,
        share,
    )


def _reference(workers: Workers, spec: TokenizerSpec) -> WorkerTokenizer | None:
    """Open the reference, only if no library runs the tokenizer."""
    try:
        return workers.open("reference for ids", reference_request(spec))
    except UpstreamTrouble:
        return None


def _share(corpus: Corpus, options: Options) -> float:
    """Return the share of documents to decode, by sample size or tier."""
    infos = [shard.info for shard in corpus.shards]
    if not infos:
        (_, why), *more = corpus.unreadable
        raise Skip(f"no shard could be opened: {why}{_and_more(len(more))}")
    if options.sample is not None:
        return min(1.0, options.sample / sum(map(units_of, infos)))
    return min(1.0, DRAWN_IDS[options.tier] / max(1, sum(map(ids_of, infos))))


def _and_more(count: int) -> str:
    return f"; nor could {count:,} other{'s' if count > 1 else ''}" if count else ""


def shards_read(scan: DataScan, options: Options) -> str:
    """Describe the shards read, their source, and the decoded part."""
    part = "all" if scan.decoded >= 1 else f"{scan.decoded:.2%} of the"
    named = ", ".join(map(str, options.data[:MOST_NAMED]))
    more = f" and {len(options.data) - MOST_NAMED:,} more" if options.data[MOST_NAMED:] else ""
    shards = _counted(len(scan.shards), "shard")
    found = f"; data: {named}{more} ({part} ids of {shards} decoded)"
    if scan.share < 1 and scan.judged:
        found += f", {_counted(scan.judged, scan.unit)} judged{scan.missed_by_the_sample}"
    left = f"; not examined: {_counted(len(scan.others), 'file')} without ids that are known"
    return found + (left if scan.others else "")


def _counted(count: int, what: str) -> str:
    return f"{count:,} {what}{'s' if count != 1 else ''}"


IN_SCOPE = Collector("scope", shards_read)
