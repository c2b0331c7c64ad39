"""What every registered adapter owes the protocol, on tiny real material, in a worker."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest
from processes import starts_processes

from tokaudit.runtimes.protocol import DecodeOptions, EncodeOptions
from tokaudit.runtimes.registry import all_adapters, lacks
from tokaudit.runtimes.request import LoadRequest
from tokaudit.runtimes.worker.client import UpstreamRefused, WorkerTokenizer

FAKES = Path(__file__).parent / "fakes"
ABILITIES = {
    *("encode", "decode", "decode_bytes", "offsets", "special", "pad", "limits", "pairs"),
    *("piece", "type_ids", "vocab", "adds", "parses"),
    *("batch", "threads", "reload", "stream"),
}
WITHOUT_SMALL_FILES = ("bpe-openai", "gpt-tokenizer", "tiktoken-wasm", "mistral-common", "server")
TEXT = "the cat, the mat and the hat"


def _material() -> ModuleType:
    place = importlib.util.spec_from_file_location("tiny_material", FAKES / "tiny_material.py")
    assert place is not None and place.loader is not None
    module = importlib.util.module_from_spec(place)
    place.loader.exec_module(module)
    return module


MATERIAL = _material()


@pytest.fixture(scope="module", params=sorted(all_adapters()))
@starts_processes
def tokenizer(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[WorkerTokenizer]:
    """A worker with tiny material for each adapter; one without `make_<name>` fails here."""
    if missing := lacks(request.param):
        pytest.skip(missing)
    if request.param in WITHOUT_SMALL_FILES:
        pytest.skip("it has its own vocabularies, and reads no small file")
    make: Callable[[Path], LoadRequest] = MATERIAL.maker(request.param)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(FAKES))
        with WorkerTokenizer(
            make(tmp_path_factory.mktemp(request.param.replace("/", "-")))
        ) as opened:
            _ = opened.info
            yield opened


def _needs(tokenizer: WorkerTokenizer, ability: str) -> None:
    if ability not in tokenizer.capabilities:
        pytest.skip(f"{tokenizer.request.adapter} does not claim {ability}")


def test_it_says_who_answers_and_what_it_can_do(tokenizer: WorkerTokenizer) -> None:
    assert tokenizer.info.adapter == tokenizer.request.adapter
    assert tokenizer.info.package
    assert {"encode"} <= tokenizer.capabilities <= ABILITIES


def test_it_names_the_version_of_the_package_it_requires(tokenizer: WorkerTokenizer) -> None:
    adapter = all_adapters()[tokenizer.request.adapter]
    if not adapter.package:
        pytest.skip("it requires no package")
    assert adapter.minimum
    assert tokenizer.info.version[0].isdigit()


def test_texts_are_answered_each_in_its_place(tokenizer: WorkerTokenizer) -> None:
    together = tokenizer.encode(["", TEXT, "the", TEXT])
    alone = [tokenizer.encode([text])[0] for text in ("", TEXT, "the")]
    assert together == [*alone, alone[1]]
    assert together[0].ids == ()
    assert len(together[1].ids) > len(together[2].ids) > 0


def test_a_lone_surrogate_spoils_no_other_text(tokenizer: WorkerTokenizer) -> None:
    found = tokenizer.encode(["the", "a\ud800b", "the"])
    assert found[0] == found[2] == tokenizer.encode(["the"])[0]
    assert found[1].ids or found[1].error
    assert not found[1].killed


def test_what_it_decodes_is_the_text(tokenizer: WorkerTokenizer) -> None:
    if not {"decode", "decode_bytes"} & tokenizer.capabilities:
        pytest.skip("it does not claim to decode")
    ids = [found.ids for found in tokenizer.encode([TEXT, "hat"])]
    as_bytes = "decode_bytes" in tokenizer.capabilities
    expected = [TEXT.encode(), b"hat"] if as_bytes else [TEXT, "hat"]
    assert tokenizer.decode(ids) == expected


def test_its_vocabulary_names_every_id_it_gives(tokenizer: WorkerTokenizer) -> None:
    _needs(tokenizer, "vocab")
    assert set(tokenizer.encode([TEXT])[0].ids) <= set(tokenizer.vocab())


def test_its_offsets_are_intervals_in_code_points(tokenizer: WorkerTokenizer) -> None:
    _needs(tokenizer, "offsets")
    text = "𝄞𝄞 the"
    found = tokenizer.encode([text], EncodeOptions(offsets=True))[0]
    assert found.offsets is not None
    assert len(found.offsets) == len(found.ids)
    assert found.offsets[0][0] == 0
    assert found.offsets[-1][1] == 6


def test_to_ask_for_offsets_too_changes_no_id(tokenizer: WorkerTokenizer) -> None:
    _needs(tokenizer, "offsets")
    for add in (False, True):
        plain = tokenizer.encode([TEXT], EncodeOptions(add_special_tokens=add))[0]
        placed = tokenizer.encode([TEXT], EncodeOptions(add_special_tokens=add, offsets=True))[0]
        assert placed.error is None
        assert placed.ids == plain.ids
        assert placed.offsets is not None and len(placed.offsets) == len(plain.ids)


def test_a_piece_is_given_to_the_model_alone(tokenizer: WorkerTokenizer) -> None:
    _needs(tokenizer, "piece")
    asked = tokenizer.encode(["the<s>"], EncodeOptions(piece=True))[0]
    assert asked.ids == tokenizer.encode(["the<s>"], EncodeOptions(parse_special=False))[0].ids


def test_its_special_tokens_are_read_from_text_only_when_asked(tokenizer: WorkerTokenizer) -> None:
    _needs(tokenizer, "special")
    text = "the<s>the"
    parsed = tokenizer.encode([text])[0].ids
    plain = tokenizer.encode([text], EncodeOptions(parse_special=False))[0].ids
    assert len(parsed) == 3
    assert parsed[1] not in plain


def test_a_pair_is_one_text_and_then_the_other(tokenizer: WorkerTokenizer) -> None:
    _needs(tokenizer, "pairs")
    first, second = (each.ids for each in tokenizer.encode(["the", "hat"]))
    found = tokenizer.encode(["the"], EncodeOptions(second="hat"))[0].ids
    assert found == (*first, *second)


def test_it_pads_to_the_longest_with_a_mask(tokenizer: WorkerTokenizer) -> None:
    _needs(tokenizer, "pad")
    short, long = tokenizer.encode(["the", TEXT], EncodeOptions(pad=True))
    assert len(short.ids) == len(long.ids)
    assert short.attention_mask == (1,) + (0,) * (len(long.ids) - 1)
    assert long.attention_mask == (1,) * len(long.ids)
    assert tokenizer.encode(["the"])[0].ids == short.ids[:1]


def test_special_tokens_are_skipped_only_when_asked(tokenizer: WorkerTokenizer) -> None:
    _needs(tokenizer, "special")
    if not {"decode", "decode_bytes"} & tokenizer.capabilities:
        pytest.skip("it does not claim to decode")
    ids = [tokenizer.encode(["the<s>the"])[0].ids]
    kept, skipped = (tokenizer.decode(ids, DecodeOptions(skip))[0] for skip in (False, True))
    assert len(kept) == len("the<s>the")
    assert len(skipped) == len("thethe")


def test_times_are_measured_for_each_repeat(tokenizer: WorkerTokenizer) -> None:
    seconds = tokenizer.timed_encode([TEXT] * 3, repeats=4)
    assert len(seconds) == 4
    assert all(0 < one < 10 for one in seconds)


def test_what_is_not_there_is_refused_with_a_reason(tokenizer: WorkerTokenizer) -> None:
    missing = replace(tokenizer.request, path="/no/such:thing", spec=b"")
    with WorkerTokenizer(missing) as opened, pytest.raises(UpstreamRefused) as refused:
        opened.encode(["the"])
    assert ": " in refused.value.message


@pytest.mark.parametrize(
    ("ability", "options"),
    [
        ("batch", EncodeOptions(alone=True)),
        ("threads", EncodeOptions(threads=3)),
        ("reload", EncodeOptions(reloaded=True)),
    ],
)
def test_other_ways_to_ask_give_the_same_ids_in_the_same_places(
    tokenizer: WorkerTokenizer, ability: str, options: EncodeOptions
) -> None:
    _needs(tokenizer, ability)
    texts = [TEXT, "", "hat", "the", TEXT]
    found = [one.ids for one in tokenizer.encode(texts, options)]
    assert found == [one.ids for one in tokenizer.encode(texts)]


def test_what_it_streams_is_what_it_decodes(tokenizer: WorkerTokenizer) -> None:
    _needs(tokenizer, "stream")
    ids = [found.ids for found in tokenizer.encode([TEXT, "hat"])]
    assert tokenizer.decode(ids, DecodeOptions(streamed=True)) == [TEXT, "hat"]
