"""Laws of a first batch, each a question with its own id.

A law yields findings; their severity is the harm under the use that was stated, and a use that was
not stated makes no error of what depends on it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from tokaudit.engine.check import Check, check
from tokaudit.foundation.errors import NotApplicable
from tokaudit.products.preflight.first_batch import IGNORED, LABELS, FirstBatch, Row
from tokaudit.products.preflight.ground import (
    GENERATING,
    TRAINING,
    Ground,
    counted,
    fault,
    spans,
    tokens_of,
)
from tokaudit.products.preflight.model_sizes import ModelFacts
from tokaudit.report.model import Basis, Evidence, Finding, Harm, Place, Severity
from tokaudit.subject.material import Subject
from tokaudit_reference.spec import TokenizerSpec

MOST = 0.9  # of the labels that are not their ids: then one rule explains them
PADDING_OF_ENDS = 3  # ends in a row that no text has


@dataclass(frozen=True, slots=True)
class Law:
    """One question, in a report's words, and the function that answers it."""

    id: str
    title: str
    why: str
    remedy: str
    harm: Harm
    function: Callable[[Ground], Iterator[Finding]]


def sizes(spec: TokenizerSpec, model: ModelFacts) -> Iterator[Finding]:
    """Compare the ids of the tokenizer with each size of the model."""
    ids = {*spec.pieces, *(token.id for token in spec.added_tokens)}
    for size in model.sizes:
        beyond = sorted(id for id in ids if id >= size.count)
        if beyond:
            yield Finding(
                Severity.ERROR,
                f"{size.stated_by} has room for {size.count:,} ids, but "
                f"{counted(len(beyond), 'token')} of the tokenizer "
                f"{'is' if len(beyond) == 1 else 'are'} beyond, the first with id {beyond[0]}.",
                (Place(size.component, value=size.count),),
                (Evidence("ids", ids=tuple(beyond[:20])),),
                cause=f"{size.component} rows",
            )
        elif size.count > max(ids, default=-1) + 1 and size.component == "config":
            yield Finding(
                Severity.INFO,
                f"{size.stated_by} has room for {size.count:,} ids, the tokenizer has "
                f"{max(ids, default=-1) + 1:,}: the rest is never written or read.",
                (Place(size.component, value=size.count),),
                cause="spare rows",
            )


def ids_in_range(ground: Ground) -> Iterator[Finding]:
    """Compare ids and labels with the rows of the model, and with the tokenizer."""
    rows = ground.model.least(writes=False)
    room = ground.tokens.size if rows is None else rows.count
    by = "the tokenizer" if rows is None else rows.stated_by
    outside = [
        (number, row, place)
        for number, row in enumerate(ground.batch.rows)
        for place, id in enumerate(row.ids)
        if not 0 <= id < room
    ]
    if outside:
        number, row, place = outside[0]
        yield fault(
            Severity.ERROR,
            "id out of range",
            f"{counted(len(outside), 'id')} of the batch cannot be looked up: {by} has "
            f"{room:,} ids, and row {number} has {ground.tokens.named(row.ids[place])} at "
            f"{place}.",
            row,
            place,
        )
    yield from _labels_in_range(ground)
    size = ground.tokens.size
    unnamed = [id for row in ground.batch.rows for id in row.ids if size <= id < room]
    if unnamed:
        yield Finding(
            ground.severity(),
            f"{counted(len(unnamed), 'id')} of the batch is of no token: the tokenizer has "
            f"{size:,} ids, the batch {unnamed[0]}. Another tokenizer may have written it.",
            (Place("batch"),),
            (Evidence("ids", ids=tuple(unnamed[:20])),),
            cause="id without token",
        )


def _labels_in_range(ground: Ground) -> Iterator[Finding]:
    size = ground.model.least(writes=True)
    room = ground.tokens.size if size is None else size.count
    for number, row in enumerate(ground.batch.rows):
        for place, label in enumerate(row.labels or ()):
            if label != IGNORED and not 0 <= label < room:
                yield fault(
                    Severity.ERROR,
                    "label out of range",
                    f"Row {number} has the label {label} at {place}: labels are ids below "
                    f"{room:,}, or {IGNORED} where no loss is taken.",
                    row,
                    place,
                )
                return


def rows_have_ids(ground: Ground) -> Iterator[Finding]:
    """Find rows that are empty or wholly masked."""
    rows = ground.batch.rows
    if not rows:
        yield fault(Severity.ERROR, "no rows", "The batch has no rows.")
    empty = [number for number, row in enumerate(rows) if not row.ids]
    if empty:
        yield fault(
            Severity.ERROR,
            "empty row",
            f"{counted(len(empty), 'row')} of {len(rows):,} have no ids, the first row {empty[0]}.",
        )
    hidden = [row for row in rows if row.ids and row.mask is not None and not any(row.mask)]
    if hidden:
        yield fault(
            Severity.ERROR,
            "all masked out",
            f"{counted(len(hidden), 'row')} of {len(rows):,} have an attention mask of zeros, so "
            "attention has nothing to look at.",
            hidden[0],
        )


def labels_are_ids(ground: Ground) -> Iterator[Finding]:
    """Compare labels with the ids next to them."""
    if LABELS in ground.batch.left_aside:
        yield from _labels_of_other_form(ground)
        return
    if not ground.batch.has_labels:
        raise NotApplicable("the batch has no labels")
    rows = [row for row in ground.batch.rows if row.labels is not None and row.ids]
    silent = [row for row in rows if all(label == IGNORED for label in row.labels or ())]
    if silent:
        every = len(silent) == len(rows)
        yield fault(
            Severity.ERROR if every else Severity.WARNING,
            "nothing trained",
            f"{'No row' if every else counted(len(silent), 'row')} of {len(rows):,} "
            f"{'has a label' if every else 'have no label'} other than {IGNORED}, so "
            f"{'the loss is zero or not a number' if every else 'nothing is learned from them'}.",
            silent[0],
        )
    if not ground.model.is_encoder_decoder:
        yield from _other_labels(ground, rows)


def _labels_of_other_form(ground: Ground) -> Iterator[Finding]:
    """Report labels that are not next to ids: of a class, a decoder, or wrong lengths."""
    form = ground.batch.left_aside[LABELS]
    if ground.trains and not ground.model.is_encoder_decoder:
        yield fault(Severity.ERROR, "other lengths", f"labels {form}, which ids do not have.")
        return
    raise NotApplicable(f"the column 'labels' {form}, unlike the labels of a causal language model")


def _other_labels(ground: Ground, rows: list[Row]) -> Iterator[Finding]:
    """Report labels that differ from their ids, unless ignored or masked."""
    others = [
        (row, place)
        for row in rows
        for place, (id, label) in enumerate(zip(row.ids, row.labels or (), strict=True))
        if label not in (IGNORED, id)
    ]
    masked = sum(row.ids[place] in ground.tokens.mask for row, place in others)
    if not others or 2 * masked > len(others):
        return
    row, place = others[0]
    following = sum(
        (row.labels or ())[place] == next(iter(row.ids[place + 1 : place + 2]), None)
        for row, place in others
        if place + 1 < len(row.ids)
    )
    able = sum(place + 1 < len(row.ids) for row, place in others)
    if able and following >= MOST * able:
        severity = ground.severity(*TRAINING)
        yield fault(
            severity if ground.model.shifts_labels else Severity.WARNING,
            "shifted",
            f"{counted(len(others), 'label')} are the id one place further on. Models of "
            "transformers move labels themselves, so this trains the token after next; it is "
            "right only where the loss moves nothing.",
            row,
            place,
        )
        return
    yield fault(
        ground.severity(*TRAINING),
        "other id",
        f"{counted(len(others), 'label')} are neither the id of their place nor {IGNORED}, the "
        f"first at {place}: label {(row.labels or ())[place]} for id {row.ids[place]}.",
        row,
        place,
    )


def padding_is_masked(ground: Ground) -> Iterator[Finding]:
    """Find padding that is attended to or trained, and text that is masked."""
    trained, attended, hidden = [], [], []
    pad = ground.tokens.pad
    for _, row, start, stop in ground.rows():
        outside = [*range(start), *range(stop, len(row.ids))]
        labels = row.labels or ()
        trained += [(row, place) for place in outside if labels and labels[place] != IGNORED]
        hidden += [(row, place) for place in outside if pad and row.ids[place] not in pad]
        attended += [(row, place) for place in _attended(row, start, stop, ground)]
    if trained:
        yield fault(
            ground.severity(*TRAINING),
            "pad trained",
            f"{counted(len(trained), 'place')} of padding have a label: the model learns to write "
            f"{ground.tokens.named(trained[0][0].ids[trained[0][1]])} where it is to stop.",
            *trained[0],
        )
    if attended:
        yield fault(
            ground.severity(),
            "pad attended",
            f"{counted(len(attended), 'place')} of padding are not masked, so that real tokens "
            "attend to them or positions count them.",
            *attended[0],
        )
    if hidden:
        yield fault(
            Severity.WARNING,
            "text masked",
            f"{counted(len(hidden), 'id')} that are not the pad token are masked out, the first "
            f"{ground.tokens.named(hidden[0][0].ids[hidden[0][1]])}.",
            *hidden[0],
        )


def _attended(row: Row, start: int, stop: int, ground: Ground) -> Iterator[int]:
    """Yield padding that the mask does not hide; without a mask, padding on the left."""
    tokens = ground.tokens
    if row.mask is None:
        yield from range(start)
        return
    left, right = start, stop
    while left < stop and row.ids[left] in tokens.pad - tokens.bos - tokens.ends:
        left += 1
    while right > left and row.ids[right - 1] in tokens.pad - tokens.bos:
        right -= 1
    by_end = right < stop and row.ids[right] in tokens.ends
    if left < right and not (by_end and stop - right < PADDING_OF_ENDS):
        yield from (*range(start, left), *range(right + by_end, stop))


def ends_are_trained(ground: Ground) -> Iterator[Finding]:
    """Find trained words after which the end of the turn or of the text has no label."""
    if not ground.batch.has_labels or not ground.tokens.ends or ground.use in GENERATING:
        raise NotApplicable(
            "the check runs only for a batch with labels, a tokenizer with an end token, and a use "
            "that trains; one of the three is missing"
        )
    ends, learned, short, cut, some = ground.tokens.ends, 0, 0, [], None
    for _, row, start, stop in ground.rows():
        labels = row.labels or ()
        # Count padded rows: a full one may have lost its end to a cut.
        short += stop - start < len(row.ids)
        for begin, end in spans(labels, start, stop, IGNORED) if labels else ():
            some = some or (row, end - 1)
            if any(label in ends for label in labels[begin:end]):
                learned += 1
            elif end < stop and row.ids[end] in ends:
                # Note an end right after trained words: the labels stop one id too early.
                cut.append((row, end))
    if cut:
        row, place = cut[0]
        yield fault(
            Severity.WARNING if learned else ground.severity(*TRAINING),
            "end not trained",
            f"After {counted(len(cut), 'part')} with labels the end "
            f"{ground.tokens.named(row.ids[place])} has the label {IGNORED}: the model never "
            "learns to stop there.",
            row,
            place,
        )
    elif some and not learned and short and ground.trains:
        # Miss ends only where none is learned and some row had room for one.
        yield fault(
            Severity.WARNING,
            "no end",
            "No row has a label for the end of a turn or of the text, and not every row is as long "
            "as the batch: the model never learns to stop.",
            *some,
        )


def one_beginning(ground: Ground) -> Iterator[Finding]:
    """Find a beginning of text that is repeated, or missing."""
    bos = ground.tokens.bos - ground.tokens.ends
    if not bos:
        raise NotApplicable("the tokenizer has no BOS token, or its BOS token also ends texts")
    twice = [
        (row, place)
        for _, row, start, stop in ground.rows()
        for place in range(start + 1, stop)
        if row.ids[place] in bos and row.ids[place - 1] in bos
    ]
    if twice:
        row, place = twice[0]
        yield fault(
            ground.severity(),
            "doubled",
            f"{ground.tokens.named(row.ids[place])} is there twice in a row, "
            f"{counted(len(twice), 'time')}: the chat template and the tokenizer both write it.",
            row,
            place,
        )
    if ground.tokens.adds_bos and not any(bos & {*row.ids} for row in ground.batch.rows):
        yield fault(
            Severity.WARNING,
            "missing",
            f"No row has {ground.tokens.named(min(bos))}, which the tokenizer puts before every "
            "text.",
        )


def side_fits_use(ground: Ground) -> Iterator[Finding]:
    """Find padding on the right of prompts that are continued, and on both sides of a batch."""
    left = [(row, 0) for _, row, start, _ in ground.rows() if start]
    right = [(row, stop) for _, row, start, stop in ground.rows() if start < stop < len(row.ids)]
    if right and ground.use in GENERATING:
        yield fault(
            Severity.ERROR,
            "right",
            f"{counted(len(right), 'row')} are padded on the right: generation goes on from the "
            "last place, which is padding. Prompts are padded on the left.",
            *right[0],
        )
    elif left and right:
        yield fault(
            Severity.WARNING,
            "both sides",
            f"{counted(len(left), 'row')} are padded on the left and {len(right):,} on the right.",
            *left[0],
        )


def positions_go_on(ground: Ground) -> Iterator[Finding]:
    """Find positions that neither increase by one nor restart from 0."""
    jumps = [
        (row, place)
        for _, row, start, stop in ground.rows()
        if row.positions is not None
        for place in range(start, stop)
        if place > start and row.positions[place] not in (0, row.positions[place - 1] + 1)
    ]
    if not any(row.positions is not None for row in ground.batch.rows):
        raise NotApplicable("the batch has no position_ids of the same shape as its input_ids")
    if jumps:
        row, place = jumps[0]
        yield fault(
            ground.severity(),
            "jump",
            f"{counted(len(jumps), 'position')} neither go on by one nor begin from 0, the first "
            f"{(row.positions or ())[place]} at {place}.",
            row,
            place,
        )


LAWS = (
    Law(
        "preflight/ids",
        "Every id and label has a row",
        "A lookup beyond the rows stops the run, or reads other memory on some devices.",
        "Resize the embeddings to the tokenizer, or tokenize with the tokenizer of this model.",
        Harm.CRASH,
        ids_in_range,
    ),
    Law(
        "preflight/rows",
        "Every row has ids that are attended to",
        "A row without ids stops the model, or makes its loss not a number.",
        "Leave empty texts out before the collator.",
        Harm.CRASH,
        rows_have_ids,
    ),
    Law(
        "preflight/labels",
        "Labels are the ids or -100",
        "Models move labels by one place themselves, and take no loss of -100.",
        "Give the ids themselves as labels, with -100 where nothing is to be learned.",
        Harm.OTHER_PROMPT,
        labels_are_ids,
    ),
    Law(
        "preflight/padding",
        "Padding is masked in mask and labels",
        "Padding that is attended to changes what real tokens become; padding with labels is "
        "learned.",
        "Make the mask and the labels by the lengths of the rows, in the collator.",
        Harm.OTHER_PROMPT,
        padding_is_masked,
    ),
    Law(
        "preflight/ends",
        "The end after an answer has a label",
        "A model that never learns the end of a turn goes on until its limit. Collators that mask "
        "every id of the pad token also mask the end of text where both are one token.",
        "Use another pad token than the end token, and give the end after each answer its label.",
        Harm.OTHER_PROMPT,
        ends_are_trained,
    ),
    Law(
        "preflight/beginning",
        "Texts begin once",
        "A second beginning of text is a prompt that the model has not seen.",
        "Tokenize what a chat template wrote with add_special_tokens=False.",
        Harm.OTHER_PROMPT,
        one_beginning,
    ),
    Law(
        "preflight/side",
        "Padding is on the side the use needs",
        "Generation goes on from the last place of each row.",
        "Set padding_side of the tokenizer before batches are made.",
        Harm.OTHER_PROMPT,
        side_fits_use,
    ),
    Law(
        "preflight/positions",
        "Positions count up from zero",
        "A position that jumps is read by the model as a gap in the text.",
        "Let the positions of each text of a packed row begin from 0.",
        Harm.OTHER_PROMPT,
        positions_go_on,
    ),
)


class BatchChecks:
    """The laws as checks of one batch, which name its tokens once for all."""

    def __init__(self, model: ModelFacts, batch: FirstBatch, use: str | None) -> None:
        self._given = (model, batch, use)
        self._ground: Ground | None = None

    @property
    def names(self) -> Mapping[int, str]:
        """Return the names of tokens; empty if no law ran."""
        return {} if self._ground is None else self._ground.tokens.names

    def checks(self) -> list[Check]:
        """Build one check for each law."""
        return [self._check(law) for law in LAWS]

    def _check(self, law: Law) -> Check:
        def ask(spec: TokenizerSpec, subject: Subject) -> Iterator[Finding]:
            return law.function(self._ground_of(spec, subject))

        return check(
            law.id,
            title=law.title,
            why=law.why,
            remedy=law.remedy,
            severity=Severity.ERROR,
            harm=law.harm,
            basis=Basis.CROSS_FILE,
            no_example="It judges the rows of a running program.",
        )(ask)

    def _ground_of(self, spec: TokenizerSpec, subject: Subject) -> Ground:
        """Build the common input once; two laws at the same time build equal ones."""
        if self._ground is None:
            model, batch, use = self._given
            self._ground = Ground(batch, tokens_of(spec, subject, model), model, use)
        return self._ground


def size_check(model: ModelFacts) -> Check:
    """Build the check of a model's sizes."""

    def ask(spec: TokenizerSpec) -> Iterator[Finding]:
        if not model.sizes:
            raise NotApplicable("no model, config or vocabulary size was given")
        return sizes(spec, model)

    return check(
        "preflight/sizes",
        title="The model has a row for each token",
        why="A token beyond the rows stops the first step that has it, or trains nothing.",
        remedy="Resize the embeddings to the length of the tokenizer, or load the tokenizer of "
        "the model.",
        severity=Severity.ERROR,
        harm=Harm.CRASH,
        basis=Basis.WEIGHTS,
        no_example="It judges the model of a running program.",
    )(ask)
