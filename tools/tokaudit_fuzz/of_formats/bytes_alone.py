"""Maps of bytes, which a class of bytes may read."""

from __future__ import annotations

from tokaudit_fuzz.sample import Files, Sample, written


def byte_maps() -> Files:
    maps = {"decompose_map": {"41": "c0 61"}, "merge_map": {"74 68": "c1"}}
    return {
        "byte_maps.json": written(maps),
        "tokenizer_config.json": written({"tokenizer_class": "MyT5Tokenizer"}),
    }


SAMPLE = Sample("bytes", (byte_maps,))
