"""Keys in PEM files to sign and check a manifest: Ed25519, and ECDSA on P-256 and P-384.

The computation is that of the package `cryptography`, which is imported when a key is used.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokaudit.foundation.errors import UnreadableError, UsageError
from tokaudit.subject.material import SourceFile, read_bytes

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric import ec, ed25519

    Private = ed25519.Ed25519PrivateKey | ec.EllipticCurvePrivateKey
    Public = ed25519.Ed25519PublicKey | ec.EllipticCurvePublicKey

LARGEST = 64 * 1024  # bytes of a key's file
KINDS = "Ed25519, ECDSA P-256 or ECDSA P-384"
INSTALL = "pip install 'tokaudit[sign]'"


@dataclass(frozen=True)
class PrivateKey:
    """A private key that signs, and the id of its public key."""

    id: str
    sign: Callable[[bytes], bytes]


@dataclass(frozen=True)
class PublicKey:
    """A public key that checks signatures."""

    id: str
    name: str
    fits: Callable[[bytes, bytes], bool]


def private_key(path: Path) -> PrivateKey:
    """Load a private key from a PEM file; raise `UnreadableError` for any other file."""
    refuse_missing()
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    data = _pem(path)
    if b"ENCRYPTED" in data:
        plain = "give a key without a password (openssl pkey -in KEY -out PLAIN)"
        raise UnreadableError(f"{path}: is an encrypted key; {plain}")
    key = _loaded(lambda: load_pem_private_key(data, None), path, "a private key")
    if not _known(key):
        raise UnreadableError(f"{path}: is not a key of a supported kind; expected {KINDS}")
    known: Private = key
    return PrivateKey(_id(known.public_key()), lambda text: _signature(known, text))


def public_key(path: Path) -> PublicKey:
    """Load a public key from a PEM file; raise `UnreadableError` for any other file."""
    refuse_missing()
    from cryptography.hazmat.primitives.serialization import load_pem_public_key

    data = _pem(path)
    if b"PRIVATE KEY" in data:
        raise UnreadableError(
            f"{path}: is a private key; give the public key, which checks signatures"
        )
    key = _loaded(lambda: load_pem_public_key(data), path, "a public key")
    if not _known(key):
        raise UnreadableError(f"{path}: is not a key of a supported kind; expected {KINDS}")
    known: Public = key
    return PublicKey(_id(known), str(path), lambda value, text: _fits(known, value, text))


def refuse_missing() -> None:
    """Raise `UsageError` with the command that installs the signature library."""
    try:
        import cryptography  # noqa: F401 - whether it is there
    except ImportError as error:
        raise UsageError(f"signatures: cryptography is not installed; run: {INSTALL}") from error


def _pem(path: Path) -> bytes:
    return read_bytes(SourceFile(str(path), path, 0, "key"), LARGEST)


def _loaded(load: Callable[[], Any], path: Path, what: str) -> Any:
    from cryptography.exceptions import UnsupportedAlgorithm

    try:
        return load()
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise UnreadableError(f"{path}: is not {what} in PEM format") from error


def _known(key: object) -> bool:
    from cryptography.hazmat.primitives.asymmetric import ec, ed25519

    if isinstance(key, ec.EllipticCurvePrivateKey | ec.EllipticCurvePublicKey):
        return key.curve.name in ("secp256r1", "secp384r1")
    return isinstance(key, ed25519.Ed25519PrivateKey | ed25519.Ed25519PublicKey)


def _id(key: Public) -> str:
    """Return the SHA-256 of the key as `openssl pkey -pubin -outform DER` writes it."""
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    written = key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    return hashlib.sha256(written).hexdigest()


def _signature(key: Private, text: bytes) -> bytes:
    from cryptography.hazmat.primitives.asymmetric import ec

    if isinstance(key, ec.EllipticCurvePrivateKey):
        return key.sign(text, _scheme(key.curve))
    return key.sign(text)


def _fits(key: Public, value: bytes, text: bytes) -> bool:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric import ec

    try:
        if isinstance(key, ec.EllipticCurvePublicKey):
            key.verify(value, text, _scheme(key.curve))
        else:
            key.verify(value, text)
    except InvalidSignature:
        return False
    return True


def _scheme(curve: ec.EllipticCurve) -> ec.ECDSA:
    """Return ECDSA with a hash as long as the curve: SHA-256 for P-256, SHA-384 for P-384."""
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec

    return ec.ECDSA(hashes.SHA384() if curve.key_size == 384 else hashes.SHA256())
