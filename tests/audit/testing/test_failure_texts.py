"""What failed items say: one item for each cause says what to do, the others name it."""

from __future__ import annotations

from pathlib import Path

import pytest
from audits_in_a_row import audit_in_a_row

from tokaudit.products.demo.checkpoints import write_checkpoints
from tokaudit.testing.wording import causes_by_identity, failure_text, followed

CAUSE = "embeddings/config-vocab-size:vocab-size"


@pytest.mark.usefixtures("processes", "workers_in_forks")
def test_one_item_of_a_cause_says_what_to_do_and_the_others_name_it(tmp_path: Path) -> None:
    write_checkpoints(tmp_path)
    report = audit_in_a_row(tmp_path / "cut", select=["embeddings"])
    causes = causes_by_identity(report)
    failed = [each for each in report.results if any(each.findings)]
    errors = {each.identity for each in report.errors}
    assert {followed(each, causes, errors) for each in failed} == {"", CAUSE}
    texts = {each.check: failure_text(each, causes) for each in failed}
    assert set(causes.values()) == {CAUSE}
    assert "what to do: " in texts.pop("embeddings/config-vocab-size")
    assert len(texts) == 2
    for text in texts.values():
        assert text.splitlines()[1:] == [f"  follows from {CAUSE}, whose item says what to do"]
