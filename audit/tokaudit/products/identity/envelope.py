"""Envelope of a signed manifest: DSSE 1.0 around the in-toto Statement.

What is signed is the payload's bytes together with its type, so that neither can be exchanged.
The id of a key is only a hint by which a reader finds the key: it decides nothing here.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tokaudit.foundation.errors import UnreadableError, UsageError
from tokaudit.products.identity.signing_keys import PrivateKey, PublicKey
from tokaudit.products.identity.strict_json import parsed

PAYLOAD_TYPE = "application/vnd.in-toto+json"
MOST_SIGNATURES = 64  # of one envelope; each costs a computation for whoever checks it
_URL_SAFE = str.maketrans("-_", "+/")


@dataclass(frozen=True)
class Opened:
    """Content of an envelope or bare manifest, and the keys of unchecked signatures."""

    value: Any
    unchecked: tuple[str, ...] = ()


@dataclass(frozen=True)
class Signature:
    """One signature, and the key id that the envelope states."""

    key_id: str
    value: bytes


def sealed(text: str, key: PrivateKey) -> dict[str, Any]:
    """Sign a manifest's text with one key, and return the envelope."""
    payload = text.encode("utf-8")
    value = base64.b64encode(key.sign(signed_bytes(PAYLOAD_TYPE, payload))).decode("ascii")
    return {
        "payload": base64.b64encode(payload).decode("ascii"),
        "payloadType": PAYLOAD_TYPE,
        "signatures": [{"keyid": key.id, "sig": value}],
    }


def write(envelope: Mapping[str, Any]) -> str:
    """Format the envelope as indented JSON."""
    return json.dumps(envelope, indent=2, sort_keys=True) + "\n"


def signed_bytes(payload_type: str, payload: bytes) -> bytes:
    """Return the bytes that a signature covers: type and payload, with lengths.

    >>> signed_bytes("t/x", b"hello")
    b'DSSEv1 3 t/x 5 hello'
    """
    kind = payload_type.encode("utf-8", "surrogatepass")
    return b"DSSEv1 %d %b %d %b" % (len(kind), kind, len(payload), payload)


def opened(value: Any, name: str, key: PublicKey | None = None) -> Opened:
    """Return the manifest in an envelope, or the value itself without one.

    With a key, an envelope without a valid signature of it is refused, and so is a value without
    an envelope: `UnreadableError`, as nothing is known of what a manifest said that was changed.
    """
    if not isinstance(value, Mapping) or "payloadType" not in value:
        if key is not None:
            raise UnreadableError(f"{name}: has no signature that {key.name} could check")
        return Opened(value)
    payload = _base64(value.get("payload"), f"{name}: /payload")
    kind, signatures = value["payloadType"], _signatures(value.get("signatures"), name)
    if key is not None:
        _refuse_unsigned(signed_bytes(str(kind), payload), signatures, key, name)
    if kind != PAYLOAD_TYPE:
        stated = json.dumps(kind)[:90]
        raise UsageError(f"{name}: /payloadType is {stated}; expected {json.dumps(PAYLOAD_TYPE)}")
    unchecked = () if key is not None else tuple(each.key_id for each in signatures)
    return Opened(parsed(payload, f"{name}: the payload"), unchecked)


def _refuse_unsigned(
    data: bytes, signatures: tuple[Signature, ...], key: PublicKey, name: str
) -> None:
    if any(key.fits(each.value, data) for each in signatures):
        return
    if key.id in {each.key_id for each in signatures}:
        reason = "the payload or the signature was changed"
    else:
        named = ", ".join(_short(each.key_id) for each in signatures[:3])
        reason = f"the signatures name the key {named}, but this key is {_short(key.id)}"
    raise UnreadableError(f"{name}: no signature matches the key {key.name}: {reason}")


def _signatures(stated: Any, name: str) -> tuple[Signature, ...]:
    if not isinstance(stated, list) or not 0 < len(stated) <= MOST_SIGNATURES:
        most = f"expected a list of 1 to {MOST_SIGNATURES}"
        raise UsageError(f"{name}: /signatures: {most}")
    return tuple(_signature(each, f"{name}: /signatures/{n}") for n, each in enumerate(stated))


def _signature(stated: Any, place: str) -> Signature:
    if not isinstance(stated, Mapping):
        raise UsageError(f"{place}: expected an object")
    return Signature(str(stated.get("keyid") or ""), _base64(stated.get("sig"), f"{place}/sig"))


def _base64(stated: Any, place: str) -> bytes:
    """Decode standard or URL-safe base64, both of which DSSE allows."""
    if not isinstance(stated, str):
        raise UsageError(f"{place}: is missing, or not a string")
    try:
        return base64.b64decode(stated.translate(_URL_SAFE).encode("ascii"), validate=True)
    except (UnicodeEncodeError, binascii.Error) as error:
        raise UnreadableError(f"{place}: is not base64") from error


def _short(key_id: str) -> str:
    return f"{key_id[:16]}..." if len(key_id) > 16 else key_id or "no key"
