"""Send one bounded request to a web server, with safe redirects only.

A redirect is followed to `https` of a host of the same kind only: from the Internet never to a
private address, and without what identifies the user.
"""

from __future__ import annotations

import ipaddress
import re
import socket
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from email.message import Message
from http.client import HTTPException, HTTPMessage, HTTPResponse
from typing import IO, cast
from urllib.parse import urlsplit

from tokaudit.foundation.errors import UnreadableError
from tokaudit.subject.traffic import STALLED, Traffic

MOST_REDIRECTS = 5
AT_ONCE = 1 << 16  # bytes
TRIES = 3
AGAIN = (429, 500, 502, 503, 504)
LONGEST_PAUSE = 10.0  # seconds that a server may ask for
LONGEST_SHOWN = 300  # characters of a URL in a message
SECRET = ("authorization", "cookie")
RANGE = re.compile("bytes ([0-9]{1,19})-([0-9]{1,19})/([0-9]{1,19})")


@dataclass(frozen=True, slots=True)
class Answer:
    """A server's response: headers by lower-case names, and bytes."""

    headers: Mapping[str, str]
    data: bytes = b""

    @property
    def mark(self) -> str:
        """The ETag, whether weak or strong."""
        return self.headers.get("etag", "").removeprefix("W/").strip('"')


class Refused(UnreadableError):
    """Raised for an error response of a server; `code` is its number."""

    def __init__(self, where: str, code: int, why: str) -> None:
        super().__init__(f"{where}: {why}")
        self.code = code


def ask(
    url: str, traffic: Traffic, headers: Mapping[str, str], most: int, method: str = "GET"
) -> Answer:
    """Send a request and return the whole response, of at most `most` bytes."""
    opener = urllib.request.build_opener(_Redirects(url, traffic))
    asked = {"Accept-Encoding": "identity", "User-Agent": "tokaudit", **headers}
    request = urllib.request.Request(url, headers=asked, method=method)
    where = _shown(url)
    for attempt in range(TRIES):
        last = attempt == TRIES - 1
        with traffic.request(where):
            try:
                return _asked(opener, request, traffic, most)
            except urllib.error.HTTPError as error:
                error.close()
                if error.code not in AGAIN or last:
                    refused = Refused(where, error.code, _why(error))
                    traffic.refusal = refused if error.code in AGAIN else None
                    raise refused from None
                pause = _pause(error.headers, attempt)
            except (OSError, HTTPException, ValueError) as error:
                reason = getattr(error, "reason", error)
                if isinstance(error, ValueError) or last:
                    raise UnreadableError(f"{where}: cannot be read: {reason}") from None
                pause = float(attempt)
            time.sleep(min(pause, traffic.seconds_left(where)))
    raise AssertionError("the last attempt returns or raises")


def ask_range(
    url: str, traffic: Traffic, headers: Mapping[str, str], start: int, size: int, whole: int
) -> Answer:
    """Read a range of a file of `whole` bytes; refuse other bytes."""
    wanted = {**headers, "Range": f"bytes={start}-{start + size - 1}"}
    answer = ask(url, traffic, wanted, size)
    said = RANGE.fullmatch(answer.headers.get("content-range", ""))
    given = tuple(map(int, said.groups())) if said else (0, len(answer.data) - 1, len(answer.data))
    if given != (start, start + size - 1, whole) or len(answer.data) != size:
        raise UnreadableError(
            f"{_shown(url)}: the server sent other bytes than requested, or the file changed; "
            "download the folder, and name the local copy"
        )
    return answer


class _Redirects(urllib.request.HTTPRedirectHandler):
    """Follows redirects to allowed places only, without the user's credentials."""

    max_redirections = MOST_REDIRECTS

    def __init__(self, url: str, traffic: Traffic) -> None:
        self._first, self._traffic = urlsplit(url), traffic

    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: HTTPMessage,
        newurl: str,
    ) -> urllib.request.Request | None:
        """Return the redirected request, or refuse it."""
        fp.close()
        refuse_place(self._first.hostname or "", self._first.scheme, newurl)
        self._traffic.requests += 1
        following = super().redirect_request(req, fp, code, msg, headers, newurl)
        if following is not None:
            following.method = req.get_method()
            if urlsplit(newurl).netloc != urlsplit(req.full_url).netloc:
                for name in [each for each in following.headers if each.lower() in SECRET]:
                    following.remove_header(name)
        return following


def refuse_place(first: str, scheme: str, url: str) -> None:
    """Raise `UnreadableError` for an address that a server must not redirect to."""
    to = urlsplit(url)
    if to.scheme != "https" and not to.scheme == scheme == "http":
        raise UnreadableError(
            f"{first}: redirects to {to.scheme}://, which tokaudit does not follow"
        )
    host = to.hostname or ""
    if host != first and _kind(host) not in ("public", _kind(first)):
        raise UnreadableError(
            f"{first}: redirects to {host}, a private address, which tokaudit does not follow"
        )


def _kind(host: str) -> str:
    """Return the kind of a host's network: the Internet, this machine, or a private one."""
    try:
        found = {ipaddress.ip_address(each[4][0]) for each in socket.getaddrinfo(host, None)}
    except (OSError, ValueError):
        return "public"  # nobody connects to it
    if all(each.is_loopback for each in found):
        return "loopback"
    if any(each.is_link_local or each.is_loopback or each.is_multicast for each in found):
        return f"link-local {host}"
    return "private" if any(each.is_private for each in found) else "public"


def _asked(
    opener: urllib.request.OpenerDirector,
    request: urllib.request.Request,
    traffic: Traffic,
    most: int,
) -> Answer:
    where = _shown(request.full_url)
    patience = min(STALLED, traffic.seconds_left(where))
    with cast(HTTPResponse, opener.open(request, timeout=patience)) as response:
        headers = {name.lower(): value for name, value in response.headers.items()}
        if headers.get("content-encoding", "identity") != "identity":
            raise UnreadableError(
                f"{where}: the server sends compressed data, although the request did not allow "
                "this"
            )
        found = bytearray()
        while data := response.read1(AT_ONCE):
            found += data
            traffic.count(len(data), where)
            traffic.seconds_left(where)
            if len(found) > most:
                raise UnreadableError(
                    f"{where}: sends more than {most:,} bytes, the most that tokaudit accepts here"
                )
        return Answer(headers, bytes(found))


def _why(error: urllib.error.HTTPError) -> str:
    """Describe an error number, with what to do."""
    known = {
        401: "needs a login that has access to it: run `hf auth login`, or set HF_TOKEN",
        403: "is not for this login; ask its owners for access, then run `hf auth login`",
        404: "is not there, or not for this login",
        429: "the server says that it was asked too often; try again later",
    }
    said = error.headers.get("X-Error-Message", "") if error.headers else ""
    words = " ".join("".join(filter(str.isprintable, said)).split())[:200]
    why = known.get(error.code, f"the server answers {error.code}")
    return f"{why} ({words})" if words else why


def _pause(headers: Message | None, attempt: int) -> float:
    said = headers.get("Retry-After", "") if headers is not None else ""
    return min(LONGEST_PAUSE, float(said)) if said.isdecimal() else float(2**attempt)


def _shown(url: str) -> str:
    """Return a URL without possible secrets: user, password and query."""
    parts = urlsplit(url)
    shown = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"
    return shown if len(shown) <= LONGEST_SHOWN else f"{shown[:LONGEST_SHOWN]}..."
