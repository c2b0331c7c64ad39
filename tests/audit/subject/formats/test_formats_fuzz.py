"""Whatever is done to a tokenizer's files, they parse or are refused, in words and at once.

Every format brings a small sound sample; a format without one fails the first test.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from law_examples import some

from tokaudit.foundation.errors import UnreadableError
from tokaudit.subject.formats import Format, all_formats
from tokaudit.subject.material import SourceFile
from tokaudit.subject.opening import open_subject
from tokaudit.subject.representations import parse_all
from tokaudit_fuzz.mutation import changed_files
from tokaudit_fuzz.sample import Files
from tokaudit_fuzz.samples import SAMPLES, built
from tokaudit_reference.spec import SpecError, TokenizerSpec

AT_MOST = 1.0  # seconds of the processor
CASES = [
    pytest.param(format, build, id=f"{format.name} {number}")
    for format in all_formats()
    for number, build in enumerate(SAMPLES.get(format.name, ()), start=1)
]
AGAIN = settings(
    deadline=None,
    derandomize=True,
    database=None,
    max_examples=some(80),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


def test_every_format_brings_a_sample() -> None:
    assert {format.name for format in all_formats()} <= SAMPLES.keys()


def parsed(format: Format, folder: Path, files: Files) -> TokenizerSpec | None:
    """The spec of files that were written there, or None for a refusal, in time."""
    for name, data in files.items():
        (folder / name).write_bytes(data)
    name = next(iter(files))
    started = time.process_time()
    try:
        whole = open_subject(folder)
        file = SourceFile(name, folder / name, len(files[name]), format.name)
        others = (other for other in whole.files if other.name != name)
        return format.parse(replace(whole, files=(*others, file)), file)
    except (SpecError, UnreadableError) as error:
        assert any(file in str(error) for file in files) or str(folder) in str(error)
        return None
    finally:
        assert time.process_time() - started < AT_MOST


@pytest.mark.parametrize(("format", "build"), CASES)
def test_the_sample_of_a_format_is_recognised_and_parses(
    format: Format, build: Callable[[], Files], tmp_path: Path
) -> None:
    files = built(build)
    spec = parsed(format, tmp_path, files)
    assert spec is not None and spec.pieces and spec.format == format.name
    listed = b"".join(files.values()).count(b"added_tokens_decoder")
    assert len([token for token in spec.added_tokens if token.id == 512]) == listed
    first = parse_all(open_subject(tmp_path)).parsed[0][0]
    assert (first.format, first.files[0]) == (format.name, next(iter(files)))


@pytest.mark.parametrize(("format", "build"), CASES)
def test_a_changed_file_parses_or_is_refused(
    format: Format, build: Callable[[], Files], tmp_path: Path
) -> None:
    sample = built(build)

    @AGAIN
    @given(changed_files(sample, most=1))
    def run(changed: Files) -> None:
        parsed(format, tmp_path, changed)

    run()


@pytest.mark.parametrize(("format", "build"), CASES)
def test_a_file_that_is_cut_off_parses_or_is_refused(
    format: Format, build: Callable[[], Files], tmp_path: Path
) -> None:
    sample = built(build)
    for name, data in sample.items():
        stride = max(1, len(data) // 25)
        for length in range(0, len(data), stride):
            parsed(format, tmp_path, {**sample, name: data[:length]})
