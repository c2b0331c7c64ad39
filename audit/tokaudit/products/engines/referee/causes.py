"""Causes of a disagreement of a runtime with its file."""

from __future__ import annotations

from enum import StrEnum


class Cause(StrEnum):
    """The cause in a runtime of other ids or another text."""

    UNICODE = "Unicode version"
    ADDED = "added tokens"
    NORMALIZER = "normalizer"
    SPLIT = "split"
    MERGES = "merges"
    BYTE_FALLBACK = "byte fallback"
    POST_PROCESSOR = "post-processor"
    PADDING = "padding"
    DECODE = "decode"
    STREAM = "stream"
    BATCH = "batch"
    CACHE = "cache"
    THREADS = "threads"
    LENGTH = "length"
    TEMPLATE = "template"
    REFUSED = "refused texts"
    UNEXPLAINED = "not explained"


OF_IDS = (
    *(Cause.UNICODE, Cause.ADDED, Cause.NORMALIZER, Cause.SPLIT, Cause.MERGES),
    *(Cause.BYTE_FALLBACK, Cause.POST_PROCESSOR, Cause.PADDING, Cause.LENGTH),
    Cause.UNEXPLAINED,
)
"""Those that a text by itself shows in its ids."""

MEANING = {
    Cause.UNICODE: "its tables of Unicode are of another version",
    Cause.ADDED: "added tokens are found, or trimmed around, differently",
    Cause.NORMALIZER: "the text is changed differently before it is cut",
    Cause.SPLIT: "the text is cut into other pieces",
    Cause.MERGES: "the model makes other tokens of one piece",
    Cause.BYTE_FALLBACK: "what the vocabulary does not have becomes other tokens",
    Cause.POST_PROCESSOR: "other special tokens are added around the text",
    Cause.PADDING: "it pads each text, as settings of the file say that the library can leave out",
    Cause.DECODE: "the same ids become another text",
    Cause.STREAM: "ids decoded one by one become another text than together",
    Cause.BATCH: "ids in a batch differ from those of each text alone",
    Cause.CACHE: "ids of the same text differ when it is encoded again",
    Cause.THREADS: "ids differ between several threads and one",
    Cause.LENGTH: "ids of long texts alone differ",
    Cause.TEMPLATE: "it renders conversations as other texts than the folder's template",
    Cause.REFUSED: "it gives no ids for texts that the file can encode",
    Cause.UNEXPLAINED: "ids differ; the time ended before the cause was found",
}
