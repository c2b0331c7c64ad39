"""What a chat template reads is part of what a side states about it."""

from __future__ import annotations

from pathlib import Path

from tokaudit.engine.sides.side import Side
from tokaudit.products.compare.facets.compared import certified
from tokaudit.products.compare.proofs.claim import Claim
from tokaudit.products.compare.proofs.equal.check import objection
from tokaudit.report.comparison import Facet, Outcome
from tokaudit.subject.opening import open_subject
from tokaudit.subject.representations import parse_all
from tokaudit_folders.folder import Folder


def written(token: str, folder: Path) -> Path:
    """A tokenizer whose template writes a token of a role."""
    made = Folder.bpe("ab").file("chat_template.jinja", "{{ bos_token }}")
    return made.tokenizer_config(bos_token=token).write(folder)


def test_a_proof_of_equal_templates_is_void_where_they_write_other_tokens(tmp_path: Path) -> None:
    sides = []
    for token in "ab":
        subject = open_subject(str(written(token, tmp_path / token)))
        sides.append(Side(token, parse_all(subject).parsed[0][1], subject))
    stated = certified(Facet("chat template", Outcome.IDENTICAL, "equal"), *sides)
    assert stated.certificate is not None
    for other, why in zip(sides, ("", "the two sides do not state the same"), strict=True):
        both = sides[0].subject, other.subject
        claim = Claim(stated.name, stated.certificate, sides[0].spec, other.spec, both)
        assert objection(claim) == why
