"""A running server that the user named by its address: what it gives for texts and for ids.

Three forms are known: llama-server's, that of vLLM and SGLang, and that of TGI, which only encodes.
The one that answers a first text is taken.  Nothing is followed elsewhere, an answer has a limit of
time and of size, and the worker may connect to that port alone.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Any
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

NAME = "server"
SECONDS, LARGEST = 10.0, 32 * 1024 * 1024  # of one answer, and its bytes
FIRST = "a"  # the text by which the form is found


@dataclass(frozen=True)
class Form:
    """How a kind of server is asked: the body for a text, the ids of its answer, and back again."""

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
    """The host and port of a server, which is asked one thing at a time."""

    def __init__(self, url: str) -> None:
        self.host, self.port = host_and_port(url)

    def ask(self, path: str, body: dict[str, Any]) -> Any:
        """The answer, as JSON; raises `RuntimeError` for any other."""
        import http.client  # with TLS, which takes longer to import than the rest of the adapters

        connection = http.client.HTTPConnection(self.host, self.port, timeout=SECONDS)
        try:
            sent = json.dumps(body).encode()
            connection.request("POST", path, sent, {"Content-Type": "application/json"})
            answer = connection.getresponse()
            data = answer.read(LARGEST + 1)
        except (OSError, http.client.HTTPException) as error:
            raise RuntimeError(f"{self.host}:{self.port} gives no answer: {error}") from error
        finally:
            connection.close()
        if len(data) > LARGEST:
            raise RuntimeError(f"an answer of more than {LARGEST:,} bytes")
        if answer.status != 200:
            raise RuntimeError(f"{path} answers with status {answer.status}")
        return json.loads(data)


class ServedTokenizer:
    """A server of one of the forms."""

    def __init__(self, address: Address, form: Form) -> None:
        self._address, self._form = address, form
        self.capabilities = form.capabilities
        self.info = TokenizerInfo(NAME, f"{address.host}:{address.port}", f"({form.name})")

    def vocab(self) -> dict[int, bytes | str]:
        """Nothing: servers have no call for it."""
        return {}

    def encode(
        self, texts: Sequence[str], options: EncodeOptions = EncodeOptions()
    ) -> list[Encoding]:
        """One encoding for each text; what the server refuses is an error of that text."""
        return [self._one(text, options) for text in texts]

    def _one(self, text: str, options: EncodeOptions) -> Encoding:
        try:
            return Encoding(ids=_asked(self._address, self._form, text, options))
        except (RuntimeError, ValueError, KeyError, TypeError) as error:
            return Encoding(error=f"{type(error).__name__}: {error}"[:300])

    def decode(
        self, ids: Sequence[Sequence[int]], options: DecodeOptions = DecodeOptions()
    ) -> list[bytes | str]:
        """Text for each list of ids."""
        if self._form.text is None:
            raise UsageError(f"a server of the form {self._form.name} does not decode")
        answers = (self._address.ask("/detokenize", {"tokens": list(one)}) for one in ids)
        return [self._form.text(answer) for answer in answers]


def _asked(address: Address, form: Form, text: str, options: EncodeOptions) -> tuple[int, ...]:
    found = form.ids(address.ask("/tokenize", form.body(text, options)))
    if not isinstance(found, list) or not all(type(id) is int for id in found):
        raise ValueError("the tokens of the answer are not a list of numbers")
    return tuple(found)


def host_and_port(url: str) -> tuple[str, int]:
    """The address of a server; names but localhost would have to be looked up, and are not.

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
    """The one port that a worker may connect to."""
    return (host_and_port(request.place)[1],)


def load(request: LoadRequest) -> Tokenizer:
    """The form is that of the first answer that looks as one should."""
    address, reasons = Address(request.place), []
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
