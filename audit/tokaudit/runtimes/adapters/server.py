"""Adapter for a running server at a user's address.

Three forms are known: llama-server's, that of vLLM and SGLang, and that of TGI, which only encodes.
The one that answers a first text is taken.  Nothing is followed elsewhere, an answer has a limit of
time and of size, and the worker may connect to that port alone.  A server that gives none several
times in a row is asked nothing more: else each of hundreds of texts would be waited for.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from tokaudit.foundation.errors import UsageError
from tokaudit.runtimes.protocol import (
    DecodeOptions,
    EncodeOptions,
    Encoding,
    Tokenizer,
    TokenizerInfo,
)
from tokaudit.runtimes.registry import Adapter
from tokaudit.runtimes.request import LoadRequest

if TYPE_CHECKING:
    from http.client import HTTPResponse

NAME = "server"
LARGEST = 32 * 1024 * 1024  # bytes of one answer
AT_ONCE = 64 * 1024  # bytes of an answer that are read between two looks at the clock
MOST_WITHOUT = 3  # answers in a row that do not come or do not end
FIRST = "a"  # the text by which the form is found


@dataclass(frozen=True)
class Form:
    """The request format of a kind of server: bodies, ids in answers, and text."""

    name: str
    body: Callable[[str, EncodeOptions], dict[str, Any]]
    ids: Callable[[Any], list[int]]
    text: Callable[[Any], str] | None = None
    capabilities: frozenset[str] = frozenset({"encode"})


FORMS = (
    Form(
        "llama-server",
        lambda text, how: {
            "content": text,
            "add_special": how.add_special_tokens,
            "parse_special": how.parse_special,
        },
        lambda found: found["tokens"],
        lambda found: str(found["content"]),
        frozenset({"encode", "decode", "special", "adds"}),
    ),
    Form(
        "vLLM or SGLang",
        lambda text, how: {"prompt": text, "add_special_tokens": how.add_special_tokens},
        lambda found: found["tokens"],
        lambda found: str(found["prompt"] if "prompt" in found else found["text"]),
        frozenset({"encode", "decode", "parses", "adds"}),
    ),
    Form(
        "TGI",
        lambda text, how: {"inputs": text},
        lambda found: [token["id"] for token in found],
        capabilities=frozenset({"encode", "parses"}),
    ),
)


class Address:
    """The host and port of a server, with one request at a time and a time limit."""

    def __init__(self, url: str, patience: float) -> None:
        self.host, self.port = host_and_port(url)
        self._patience = patience  # seconds
        self._without = 0  # answers in a row that did not come or did not end

    def ask(self, path: str, body: dict[str, Any]) -> Any:
        """Send a request and return JSON; raise `RuntimeError` for any other answer."""
        if self._without >= MOST_WITHOUT:
            raise RuntimeError(f"{self._who} gave no answer {MOST_WITHOUT} times: given up")
        self._without += 1
        status, data = self._answer(path, json.dumps(body).encode())
        self._without = 0
        if status != 200:
            raise RuntimeError(f"{path} answers with status {status}")
        return json.loads(data)

    @property
    def _who(self) -> str:
        return f"{self.host}:{self.port}"

    def _answer(self, path: str, sent: bytes) -> tuple[int, bytes]:
        """Return status and bytes of an answer within limits of time and size."""
        import http.client  # with TLS, which takes longer to import than the rest of the adapters

        connection = http.client.HTTPConnection(self.host, self.port, timeout=self._patience)
        try:
            connection.request("POST", path, sent, {"Content-Type": "application/json"})
            answer = connection.getresponse()
            return answer.status, _read(answer, self._patience)
        except TimeoutError as error:
            raise RuntimeError(f"{self._who}: no answer within {self._patience:g} s") from error
        except (OSError, http.client.HTTPException) as error:
            raise RuntimeError(f"{self._who} gives no answer: {error}") from error
        finally:
            connection.close()


def _read(answer: HTTPResponse, patience: float) -> bytes:
    """Read a whole answer; raise `TimeoutError` if it comes too slowly."""
    data, until = bytearray(), time.monotonic() + patience
    while part := answer.read1(AT_ONCE):
        data += part
        if len(data) > LARGEST:
            raise RuntimeError(f"an answer of more than {LARGEST:,} bytes")
        if time.monotonic() > until:
            raise TimeoutError
    return bytes(data)


class ServedTokenizer:
    """A server with a known request format."""

    def __init__(self, address: Address, form: Form) -> None:
        self._address, self._form = address, form
        self.capabilities = form.capabilities
        self.info = TokenizerInfo(NAME, f"{address.host}:{address.port}", f"({form.name})")

    def vocab(self) -> dict[int, bytes | str]:
        """Return nothing: servers have no call for it."""
        return {}

    def encode(
        self, texts: Sequence[str], options: EncodeOptions = EncodeOptions()
    ) -> list[Encoding]:
        """Encode each text; a refusal is that text's error."""
        return [self._one(text, options) for text in texts]

    def _one(self, text: str, options: EncodeOptions) -> Encoding:
        try:
            return Encoding(ids=_asked(self._address, self._form, text, options))
        except (RuntimeError, ValueError, KeyError, TypeError) as error:
            return Encoding(error=f"{type(error).__name__}: {error}"[:300])

    def decode(
        self, ids: Sequence[Sequence[int]], options: DecodeOptions = DecodeOptions()
    ) -> list[bytes | str]:
        """Decode each list of ids."""
        if self._form.text is None:
            raise UsageError(f"a server of the kind {self._form.name} cannot decode ids")
        answers = (self._address.ask("/detokenize", {"tokens": list(one)}) for one in ids)
        return [self._form.text(answer) for answer in answers]


def _asked(address: Address, form: Form, text: str, options: EncodeOptions) -> tuple[int, ...]:
    found = form.ids(address.ask("/tokenize", form.body(text, options)))
    if not isinstance(found, list) or not all(type(id) is int for id in found):
        raise ValueError("the tokens of the answer are not a list of numbers")
    return tuple(found)


def host_and_port(url: str) -> tuple[str, int]:
    """Parse a server's address; only localhost is resolved.

    >>> host_and_port("http://localhost:8080")
    ('127.0.0.1', 8080)
    """
    parts = urlsplit(url)
    host = "127.0.0.1" if parts.hostname == "localhost" else parts.hostname or ""
    try:
        ip_address(host)
        port = parts.port or 80
    except ValueError as error:
        raise UsageError(f"{url}: name the host by its IP address, or as localhost") from error
    if parts.scheme != "http" or parts.username or parts.path not in ("", "/"):
        raise UsageError(f"{url}: expected http://HOST:PORT")
    return host, port


def ports(request: LoadRequest) -> Iterable[int]:
    """Return the single port that a worker may connect to."""
    return (host_and_port(request.place)[1],)


def load(request: LoadRequest) -> Tokenizer:
    """Load by trying formats until an answer is valid."""
    address, reasons = Address(request.place, request.patience), []
    for form in FORMS:
        try:
            ids = _asked(address, form, FIRST, EncodeOptions())
        except (RuntimeError, ValueError, KeyError, TypeError) as error:
            reasons.append(f"{form.name}: {type(error).__name__} {error}")
            continue
        if ids:
            return ServedTokenizer(address, form)
        reasons.append(f"{form.name}: no token for {FIRST!r}")
    raise ValueError(f"no known form of server; as {'; as '.join(reasons)}"[:1000])


ADAPTER = Adapter(NAME, "", load, ports=ports)
