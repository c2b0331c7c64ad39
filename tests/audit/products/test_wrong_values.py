"""What a program gives that is no value of its argument is refused by the argument's name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from public_functions import FUNCTIONS

import tokaudit
from tokaudit.foundation.settings.setting import settings_of
from tokaudit.products.gate.settings import GateSettings
from tokaudit_folders.folder import Folder

Call = Callable[[Path], object]

NO_NAMES: dict[str, Callable[[Any], object]] = {
    "audit": lambda name: tokaudit.audit(name),
    "chat": lambda name: tokaudit.chat(name),
    "compare": lambda name: tokaudit.compare(name, name),
    "compare_runtimes": lambda name: tokaudit.compare_runtimes(name),
    "fix": lambda name: tokaudit.fix(name),
    "identify": lambda name: tokaudit.identify(name),
    "manifest": lambda name: tokaudit.manifest(name),
    "open": lambda name: tokaudit.open(name),
    "run_check": lambda name: tokaudit.run_check("vocab/holes", name),
    "trace": lambda name: tokaudit.trace(name, "a"),
    "vectors": lambda name: tokaudit.vectors(name),
}
WRONG: dict[str, tuple[Call, str]] = {
    "a text of bytes": (
        lambda a: tokaudit.trace(a, b"ab"),  # type: ignore[arg-type]
        "text b'ab': is not a string",
    ),
    "a flag that is a word": (
        lambda a: tokaudit.trace(a, "ab", no_special="yes"),  # type: ignore[arg-type]
        "no_special 'yes': is neither True nor False",
    ),
    "a special token without an id": (
        lambda a: tokaudit.trace(a, "ab", special={"<s>": "x"}),  # type: ignore[dict-item]
        "special '<s>': 'x' is not a token id",
    ),
    "a conversation that is a mapping": (
        lambda a: tokaudit.chat(a, conversations=[{"role": "user"}]),  # type: ignore[list-item]
        "conversations {'role': 'user'}: is not a conversation; name a file of them",
    ),
    "conversations of an audit": (
        lambda a: tokaudit.audit(a, conversations=[3]),  # type: ignore[list-item]
        "conversations 3: is not a conversation; name a file of them",
    ),
    "a check by its name": (
        lambda a: tokaudit.audit(a, checks=["vocab/holes"]),  # type: ignore[list-item]
        "checks 'vocab/holes': is not a check; name installed ones by select",
    ),
    "a base that is a number": (
        lambda a: tokaudit.audit(a, base=3),  # type: ignore[arg-type]
        "base 3: is neither a path nor a name",
    ),
    "a corpus of numbers": (
        lambda a: tokaudit.audit(a, corpus=[3]),  # type: ignore[list-item]
        "corpus 3: is neither a path nor a name",
    ),
    "facts that are a list": (
        lambda a: tokaudit.manifest(a, facts=["a=b"]),  # type: ignore[arg-type]
        "facts ['a=b']: is not a mapping from name to value",
    ),
    "a key that is a number": (
        lambda a: tokaudit.manifest(a, sign=3),  # type: ignore[arg-type]
        "sign 3: is neither a path nor a name",
    ),
    "a manifest that is a number": (
        lambda a: tokaudit.verify(a, 3),  # type: ignore[arg-type]
        "manifest 3: is neither a path nor a name",
    ),
    "a report that is none": (
        lambda a: tokaudit.render(None),  # type: ignore[arg-type]
        "report None: is neither a path nor a name",
    ),
    "a report to check again": (
        lambda a: tokaudit.recheck(3),  # type: ignore[call-overload]
        "report 3: is neither a path nor a name",
    ),
    "a folder to train into": (
        lambda a: tokaudit.train([a], None, 300),  # type: ignore[arg-type]
        "out None: is neither a path nor a name",
    ),
    "a size that is a list": (
        lambda a: tokaudit.train([a], a / "m", [300]),  # type: ignore[arg-type]
        "vocab_size [300]: is not a number from 1 to 10,000,000",
    ),
    "a special token that is a number": (
        lambda a: tokaudit.train([a], a / "m", 300, special=[3]),  # type: ignore[list-item]
        "special 3: is not a token",
    ),
    "roles that are a list": (
        lambda a: tokaudit.train([a], a / "m", 300, roles=["eos=x"]),  # type: ignore[arg-type]
        "roles ['eos=x']: is not a mapping from role to token",
    ),
    "one candidate": (
        lambda a: tokaudit.who_wrote([a], a),  # type: ignore[arg-type]
        "is not a list; write [",
    ),
    "ids that are a number": (
        lambda a: tokaudit.data(3, a),  # type: ignore[arg-type]
        "data 3: is not a list",
    ),
}


@pytest.fixture
def subject(tmp_path: Path) -> Path:
    return Folder.bpe("ab").write(tmp_path / "subject")


@pytest.mark.parametrize("function", NO_NAMES)
def test_a_subject_that_is_no_name_is_refused(function: str) -> None:
    with pytest.raises(tokaudit.UsageError) as refused:
        NO_NAMES[function](3)
    assert str(refused.value) == "subject 3: is neither a path nor a name"


@pytest.mark.parametrize("what", WRONG)
def test_a_value_of_another_type_is_refused_by_its_name(subject: Path, what: str) -> None:
    call, words = WRONG[what]
    with pytest.raises(tokaudit.UsageError) as refused:
        call(subject)
    assert words in str(refused.value)


class Nothing:
    """What no argument takes."""


ARGUMENTS: dict[str, tuple[object, ...]] = {
    "audit": ("absent",),
    "run_check": ("vocab/holes", "absent"),
    "open": ("absent",),
    "identify": ("absent",),
    "manifest": ("absent",),
    "verify": ("absent", "absent.json"),
    "compare": ("absent", "absent"),
    "recheck": ("absent.json",),
    "chat": ("absent",),
    "hold_chats": ("absent",),
    "data": ("absent", "absent"),
    "who_wrote": ("absent", ["absent", "absent"]),
    "trace": ("absent", "a"),
    "train": (["absent"], "absent", 300),
    "train_sizes": (["absent"], "absent", [300]),
    "reproduce": ("absent", ["absent"]),
    "fix": ("absent",),
    "vectors": ("absent",),
    "replay": ("absent", "absent.json"),
    "compare_runtimes": ("absent",),
    "gate": (),
}
KINDS: dict[str, type] = {name: kind for name, (_, kind) in FUNCTIONS.items()}
KINDS["gate"] = GateSettings
OF_FUNCTIONS = [(name, each.name) for name in KINDS for each in settings_of(KINDS[name])]


@pytest.mark.parametrize(("function", "setting"), OF_FUNCTIONS)
def test_every_setting_of_every_function_refuses_what_it_does_not_take(
    function: str, setting: str
) -> None:
    with pytest.raises(tokaudit.UsageError) as refused:
        getattr(tokaudit, function)(*ARGUMENTS[function], **{setting: Nothing()})
    assert str(refused.value).startswith(f"{setting} <")
