"""llama.cpp, from the package `xllamacpp`: the vocabulary of a GGUF file, without weights.

The package has no call for that, but its one library exports llama.cpp's C interface.  There
`llama_model_params` is passed by value and its layout moves from one version to the next.  So the
switch `vocab_only` is set only where the defaults look as they do in the version that is pinned,
and the engine's own log must then confirm it; else the file is not run.
"""

from __future__ import annotations

import ctypes
import os
import tempfile
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tokaudit.foundation.installed_version import version
from tokaudit.runtimes.protocol import (
    DecodeOptions,
    EncodeOptions,
    Encoding,
    Tokenizer,
    TokenizerInfo,
)
from tokaudit.runtimes.registry import Adapter
from tokaudit.runtimes.request import LoadRequest
from tokaudit_reference.spec import SpecError
from tokaudit_reference.text import llama_cpp_unicode

NAME, PACKAGE, PINNED = "llama.cpp", "xllamacpp", "2026.10.11549"
CAPABILITIES = frozenset({"encode", "decode", "special", "vocab", "adds"})
SWITCHES_AT, SWITCHES = 72, bytes([0, 0, 1, 0, 0, 0, 0, 0])  # of llama_model_params by default
CONFIRMED = "vocab_only            = 1"
REASON, NO_REASON = "error loading model", "failed to load model from"
ERROR, MOST_LINES = 4, 200  # a level of ggml_log_level; lines of the log that are kept
MEMORY = 2_500_000_000  # bytes of address space: the library alone takes 0.3e9
LEAST_ROOM, ROOM_OF_A_TOKEN = 256, 16  # bytes of decoded text that are tried first


class Parameters(ctypes.Structure):
    """`llama_model_params` with one known switch, and spare room."""

    _fields_ = [("data", ctypes.c_ubyte * 256)]


class Log:
    """The log of the engine: its errors, and the confirmation of the switch."""

    def __init__(self, library: Any) -> None:
        self.errors: list[str] = []
        self.confirmed = False
        kind = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_char_p, ctypes.c_void_p)
        self._callback = kind(self._take)  # kept, as the engine calls it later
        library.llama_log_set(self._callback, None)

    def _take(self, level: int, line: bytes, _: object) -> None:
        text = line.decode("utf-8", "replace").strip()
        self.confirmed = self.confirmed or CONFIRMED in text
        if level == ERROR and len(self.errors) < MOST_LINES:
            self.errors.append(text)

    @property
    def why(self) -> str:
        """Return the most informative line about a refusal."""
        reasons = [line for line in self.errors if REASON in line and NO_REASON not in line]
        return " ".join((reasons or self.errors or ["it gives no reason"])[0].split())


class LlamaCpp:
    """A vocabulary loaded by llama.cpp."""

    capabilities = CAPABILITIES

    def __init__(self, library: Any, vocabulary: int, log: Log) -> None:
        """Store the library and the log, which the engine uses as long as it runs."""
        self._library, self._vocabulary, self._log = library, ctypes.c_void_p(vocabulary), log
        self._size = int(library.llama_vocab_n_tokens(self._vocabulary))
        self.info = TokenizerInfo(NAME, PACKAGE, version(PACKAGE), llama_cpp_unicode.VERSION)

    def vocab(self) -> dict[int, bytes | str]:
        """Map ids to tokens as the file writes them."""
        text = self._library.llama_vocab_get_text
        return {
            id: text(self._vocabulary, id).decode("utf-8", "replace") for id in range(self._size)
        }

    def encode(
        self, texts: Sequence[str], options: EncodeOptions = EncodeOptions()
    ) -> list[Encoding]:
        """Encode each text."""
        return [self._encoding(text, options) for text in texts]

    def decode(
        self, ids: Sequence[Sequence[int]], options: DecodeOptions = DecodeOptions()
    ) -> list[bytes | str]:
        """Decode each list of ids, with the engine's clean-up; or return its bytes."""
        found = [self._bytes(one, not options.skip_special_tokens) for one in ids]
        return [*found] if options.as_bytes else [data.decode("utf-8", "replace") for data in found]

    def _encoding(self, text: str, options: EncodeOptions) -> Encoding:
        try:
            data = text.encode()
        except UnicodeEncodeError as error:
            return Encoding(error=f"the text is not UTF-8: {error.reason}")
        ids = self._ids(data, options.add_special_tokens, options.parse_special)
        if any(not 0 <= id < self._size for id in ids):
            return Encoding(error="llama.cpp gives an id that its vocabulary does not have")
        return Encoding(ids=tuple(ids))

    def _ids(self, data: bytes, add: bool, parse: bool) -> list[int]:
        """Tokenize with room for one token per byte, and again if that is too little."""
        room = len(data) + 8
        while True:
            ids = (ctypes.c_int32 * room)()
            call = self._library.llama_tokenize
            count = call(self._vocabulary, data, len(data), ids, room, add, parse)
            if count >= 0:
                return list(ids[:count])
            room = -count

    def _bytes(self, ids: Sequence[int], special: bool) -> bytes:
        if any(not 0 <= id < self._size for id in ids):
            raise ValueError(f"an id beyond the {self._size} of the vocabulary")
        given = (ctypes.c_int32 * max(1, len(ids)))(*ids)
        room = LEAST_ROOM + ROOM_OF_A_TOKEN * len(ids)
        while True:
            buffer = ctypes.create_string_buffer(room)
            call = self._library.llama_detokenize
            size = call(self._vocabulary, given, len(ids), buffer, room, False, special)
            if size >= 0:
                return buffer.raw[:size]
            room = -size


def load(request: LoadRequest) -> Tokenizer:
    """Load the vocabulary of a GGUF file; raise with the engine's reason on refusal."""
    library = _library()
    log = Log(library)
    path = _without_weights(request.path)
    parameters = library.llama_model_default_params()
    if bytes(parameters.data[SWITCHES_AT : SWITCHES_AT + len(SWITCHES)]) != SWITCHES:
        raise RuntimeError(_unknown_layout())
    parameters.data[SWITCHES_AT] = 1
    model = library.llama_model_load_from_file(os.fsencode(path), parameters)
    if not model:
        raise ValueError(f"{NAME} refuses the file: {log.why}")
    if not log.confirmed:
        raise RuntimeError(_unknown_layout())
    return LlamaCpp(library, library.llama_model_get_vocab(ctypes.c_void_p(model)), log)


def _without_weights(path: str) -> str:
    """Return a copy with the keys alone, if the file holds more.

    A file whose keys are not read by us is for the engine to refuse.
    """
    from tokaudit.subject.formats.gguf.metadata import vocabulary_alone

    try:
        alone = vocabulary_alone(Path(path))
    except SpecError:
        return path
    if alone is None:
        return path
    handle, copy = tempfile.mkstemp(suffix=".gguf")
    with os.fdopen(handle, "wb") as file:
        file.write(alone)
    return copy


def _unknown_layout() -> str:
    found = version(PACKAGE)
    return f"{PACKAGE} {found} lays out its settings in a way that is not known; {PINNED} is known"


def _library() -> Any:
    """Load the package's library, with the types of the functions used."""
    spec = find_spec(PACKAGE)
    folders = (spec.submodule_search_locations or []) if spec else []
    [path] = [str(path) for each in folders for path in Path(each).glob(f"{PACKAGE}*.so")]
    library = ctypes.CDLL(path)
    library.llama_backend_init()
    pointer, number, switch = ctypes.c_void_p, ctypes.c_int32, ctypes.c_bool
    numbers, text = ctypes.POINTER(ctypes.c_int32), ctypes.c_char_p
    for name, result, arguments in (
        ("llama_model_default_params", Parameters, []),
        ("llama_model_load_from_file", pointer, [text, Parameters]),
        ("llama_model_get_vocab", pointer, [pointer]),
        ("llama_vocab_n_tokens", number, [pointer]),
        ("llama_vocab_get_text", text, [pointer, number]),
        ("llama_tokenize", number, [pointer, text, number, numbers, number, switch, switch]),
        ("llama_detokenize", number, [pointer, numbers, number, text, number, switch, switch]),
    ):
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


ADAPTER = Adapter(NAME, PACKAGE, load, minimum=PINNED, extra="gguf", memory=MEMORY)
