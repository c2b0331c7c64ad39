"""A signed manifest: made and checked by the installed command, and read by another's library."""

from __future__ import annotations

import base64
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_public_key,
)
from securesystemslib.dsse import Envelope
from securesystemslib.exceptions import VerificationError
from securesystemslib.signer import SSlibKey

import tokaudit
from tokaudit.cli import main
from tokaudit.products.identity.envelope import sealed
from tokaudit.products.identity.signing_keys import private_key, public_key
from tokaudit.products.identity.statement import read_for_gate
from tokaudit_folders.folder import Folder

KINDS: dict[str, Callable[[], Any]] = {
    "ed25519": ed25519.Ed25519PrivateKey.generate,
    "p256": lambda: ec.generate_private_key(ec.SECP256R1()),
    "p384": lambda: ec.generate_private_key(ec.SECP384R1()),
    "rsa": lambda: rsa.generate_private_key(65537, 2048),
    "p521": lambda: ec.generate_private_key(ec.SECP521R1()),
}
SCHEMES = {
    "ed25519": ("ed25519", "ed25519"),
    "p256": ("ecdsa", "ecdsa-sha2-nistp256"),
    "p384": ("ecdsa", "ecdsa-sha2-nistp384"),
}


@dataclass(frozen=True)
class Place:
    """A folder with a tokenizer, keys of each kind, and a manifest signed with the first."""

    folder: Path

    @property
    def subject(self) -> str:
        return str(self.folder / "model")

    @property
    def signed(self) -> str:
        return str(self.folder / "signed.json")

    @property
    def payload(self) -> str:
        """The manifest that was signed."""
        return base64.b64decode(json.loads(Path(self.signed).read_text())["payload"]).decode()

    def key(self, name: str) -> str:
        return str(self.folder / f"{name}.pem")

    def changed(self, change: Callable[[Any], object]) -> str:
        """The signed manifest with something changed."""
        envelope = json.loads(Path(self.signed).read_text())
        change(envelope)
        path = self.folder / "changed.json"
        path.write_text(json.dumps(envelope))
        return str(path)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory, tokaudit_in_fork: Any) -> Place:
    """Everything that the tests of this file read; made once, as keys and manifests cost time."""
    found = Place(tmp_path_factory.mktemp("signing"))
    Folder.bpe("ab", [["a", "b"]]).write(found.folder / "model")
    for name, generate in KINDS.items():
        key = generate()
        write_key(Path(found.key(name)), key, NoEncryption())
        public = key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
        Path(found.key(f"{name}-public")).write_bytes(public)
    write_key(Path(found.key("encrypted")), key, BestAvailableEncryption(b"password"))
    given = ("--sign", found.key("ed25519"), "--out", found.signed)
    made = tokaudit_in_fork("manifest", found.subject, *given)
    assert made.returncode == 0, made.stderr
    return found


def write_key(path: Path, key: Any, encryption: Any) -> None:
    path.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, encryption))


def test_a_signed_manifest_is_verified_with_the_public_key(
    place: Place, tokaudit_in_fork: Any
) -> None:
    key = ("--key", place.key("ed25519-public"))
    done = tokaudit_in_fork("verify", place.subject, place.signed, *key)
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == f"PASS  {place.subject}: no drift\n"


def test_an_envelope_states_its_payload_type_and_the_digest_of_the_key(place: Place) -> None:
    envelope = json.loads(Path(place.signed).read_text())
    assert envelope["payloadType"] == "application/vnd.in-toto+json"
    ids = [each["keyid"] for each in envelope["signatures"]]
    assert ids == [public_key(Path(place.key("ed25519-public"))).id]
    statement = json.loads(place.payload)
    assert statement["_type"] == "https://in-toto.io/Statement/v1"
    assert statement["subject"][0]["name"] == "tokenizer.json"


def foreign_key(place: Place, kind: str) -> SSlibKey:
    """The public key as securesystemslib has it, under the id that we give it."""
    pem = Path(place.key(f"{kind}-public"))
    loaded = load_pem_public_key(pem.read_bytes())
    public = pem.read_text()
    if isinstance(loaded, ed25519.Ed25519PublicKey):
        public = loaded.public_bytes_raw().hex()
    keytype, scheme = SCHEMES[kind]
    return SSlibKey(public_key(pem).id, keytype, scheme, {"public": public})


def test_the_function_signs_as_the_command_does(place: Place) -> None:
    made = tokaudit.manifest(place.subject, sign=place.key("ed25519"))
    assert made == json.loads(Path(place.signed).read_text())


@pytest.mark.parametrize("kind", SCHEMES)
def test_securesystemslib_verifies_the_envelope_and_refuses_a_changed_payload(
    place: Place, kind: str
) -> None:
    made = sealed(place.payload, private_key(Path(place.key(kind))))
    envelope = Envelope.from_dict(made)
    assert list(envelope.verify([foreign_key(place, kind)], 1)) == list(envelope.signatures)
    envelope.payload = envelope.payload.replace(b"vocab", b"Vocab")
    with pytest.raises(VerificationError):
        envelope.verify([foreign_key(place, kind)], 1)


def flip(text: str, at: int) -> str:
    """The base64 text with another bit in one byte."""
    data = bytearray(base64.b64decode(text))
    data[at] ^= 1
    return base64.b64encode(data).decode()


def flip_payload(envelope: Any) -> None:
    envelope["payload"] = flip(envelope["payload"], 40)


def flip_signature(envelope: Any) -> None:
    envelope["signatures"][0]["sig"] = flip(envelope["signatures"][0]["sig"], 3)


def other_type(envelope: Any) -> None:
    envelope["payloadType"] = "text/plain"


CHANGED = "no signature matches the key {key}: the payload or the signature was changed"
# What is changed in the envelope, the exit code, and what is said.
TABLE: dict[str, tuple[Callable[[Any], object], int, str]] = {
    "a byte of the payload": (flip_payload, 3, CHANGED),
    "a byte of the signature": (flip_signature, 3, CHANGED),
    "the type": (other_type, 3, CHANGED),
    "an empty signature": (lambda e: e["signatures"][0].update(sig=""), 3, CHANGED),
    "no base64": (lambda e: e.update(payload="*"), 3, "/payload: is not base64"),
    "no payload": (lambda e: e.pop("payload"), 2, "/payload: is missing, or not a string"),
    "no signatures": (
        lambda e: e.update(signatures=[]),
        2,
        "/signatures: expected a list of 1 to 64",
    ),
    "a signature that is text": (
        lambda e: e.update(signatures=["x"]),
        2,
        "/signatures/0: expected an object",
    ),
}


@pytest.mark.parametrize("row", TABLE)
def test_a_changed_envelope_is_refused_in_one_line(
    place: Place, row: str, capsys: pytest.CaptureFixture[str]
) -> None:
    change, code, said = TABLE[row]
    path, key = place.changed(change), place.key("ed25519-public")
    assert main(["verify", place.subject, path, "--key", key]) == code
    assert capsys.readouterr().err == f"tokaudit: {path}: {said.format(key=key)}\n"


def test_the_installed_command_refuses_a_changed_byte(place: Place, tokaudit_command: Any) -> None:
    key = ("--key", place.key("ed25519-public"))
    done = tokaudit_command("verify", place.subject, place.changed(flip_payload), *key)
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.endswith("the payload or the signature was changed\n")


def test_another_type_of_payload_is_refused_where_nobody_checks(
    place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["verify", place.subject, place.changed(other_type)]) == 2
    assert '/payloadType is "text/plain"; expected' in capsys.readouterr().err


def test_the_wrong_key_is_refused_and_both_are_named(
    place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    ours, other = (public_key(Path(place.key(f"{k}-public"))) for k in ("ed25519", "p256"))
    assert main(["verify", place.subject, place.signed, "--key", other.name]) == 3
    said = f"the signatures name the key {ours.id[:16]}..., but this key is {other.id[:16]}...\n"
    assert capsys.readouterr().err.endswith(said)


def test_an_unsigned_manifest_is_refused_where_a_key_is_given(
    place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    path = place.folder / "unsigned.json"
    path.write_text(place.payload)
    key = place.key("ed25519-public")
    assert main(["verify", place.subject, str(path), "--key", key]) == 3
    assert capsys.readouterr().err == f"tokaudit: {path}: has no signature that {key} could check\n"


def test_a_signature_that_nobody_checked_is_noted(
    place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["verify", place.subject, place.signed]) == 0
    id = public_key(Path(place.key("ed25519-public"))).id
    said = f"note: signature of {id}: was not checked; give the key\n"
    assert capsys.readouterr().out == said


def test_one_of_several_signatures_is_enough(place: Place) -> None:
    """Also where it states no id of a key, and is written in base64 for URLs."""
    envelope = json.loads(Path(place.signed).read_text())
    (ours,) = envelope["signatures"]
    url_safe = ours["sig"].replace("+", "-").replace("/", "_")
    envelope["signatures"] = [{"keyid": "other", "sig": "AAAA"}, {"sig": url_safe}]
    key = place.key("ed25519-public")
    assert tokaudit.verify(place.subject, envelope, key=key) == []


# Which file is given as a key, for signing or for checking, and what is said of it.
KEYS = {
    ("encrypted", "--sign"): "is an encrypted key; give a key without a password",
    ("ed25519-public", "--sign"): "is not a private key in PEM",
    (
        "rsa",
        "--sign",
    ): "is not a key of a supported kind; expected Ed25519, ECDSA P-256 or ECDSA P-384",
    ("p521", "--sign"): "is not a key of a supported kind",
    ("missing", "--sign"): "cannot be opened: No such file or directory",
    ("ed25519", "--key"): "is a private key; give the public key, which checks signatures",
    ("rsa-public", "--key"): "is not a key of a supported kind",
    ("noise", "--key"): "is not a public key in PEM",
    ("noise", "--sign"): "is not a private key in PEM",
}


@pytest.mark.parametrize(("name", "option"), KEYS)
def test_a_file_that_is_no_key_is_refused_in_one_line(
    place: Place, name: str, option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (place.folder / "noise.pem").write_bytes(b"-----BEGIN NOTHING-----\x00\xff")
    command = ["verify", place.subject, place.signed]
    if option == "--sign":
        command = ["manifest", place.subject]
    assert main([*command, option, place.key(name)]) == 3
    said = capsys.readouterr()
    assert said.err.startswith(f"tokaudit: {place.key(name)}: {KEYS[name, option]}")
    assert (said.out, said.err.count("\n")) == ("", 1)


def test_a_key_is_not_written_over(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    key = place.key("ed25519")
    assert main(["manifest", place.subject, "--sign", key, "--out", key]) == 2
    assert private_key(Path(key)).id == public_key(Path(place.key("ed25519-public"))).id


@pytest.mark.parametrize("option", ["--sign", "--key"])
def test_without_the_library_the_command_that_installs_it_is_named(
    place: Place,
    option: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setitem(sys.modules, "cryptography", None)
    command = {"--sign": ["manifest", place.subject], "--key": ["verify", place.subject, "x"]}
    assert main([*command[option], option, place.key("ed25519")]) == 2
    needs = "signatures: cryptography is not installed; run: pip install 'tokaudit[sign]'"
    assert capsys.readouterr().err == f"tokaudit: {needs}\n"


def test_what_pytest_reads_must_be_checked(place: Place) -> None:
    signed, key = Path(place.signed), Path(place.key("ed25519-public"))
    assert read_for_gate(signed, key)["_type"] == "https://in-toto.io/Statement/v1"
    with pytest.raises(tokaudit.UsageError, match="is signed; write the key 'key' too"):
        read_for_gate(signed, None)


def test_a_gate_checks_the_signature_and_refuses_to_skip_it(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(place.folder)
    subject = '[[subjects]]\npath = "model"\nmanifest = "signed.json"\n'
    choose = 'select = ["vocab/holes"]\n'
    codes = []
    for key in ("", 'key = "p256-public.pem"\n', 'key = "ed25519-public.pem"\n'):
        (place.folder / "tokaudit.toml").write_text(choose + subject + key)
        codes.append(main(["gate", "--out", "gate.json"]))
    assert codes == [2, 3, 0]
