"""Read the pickle of a torch checkpoint as data: its tensors' types, shapes and offsets.

A pickle is a program for a small stack machine, and the instruction that calls a function is why
loading one from a stranger runs the stranger's code.  This machine has nothing to call: the few
names that torch writes for a tensor make records of ours, every other name ends the reading, and
so does every instruction that makes objects of a class.  So it needs no process of its own, as a
reader of JSON needs none.  The instructions are parsed by `pickletools`, which makes nothing but
numbers and texts.

Sources: `torch/serialization.py` and `torch/_utils.py` of PyTorch 2; `Lib/pickletools.py`.
"""

from __future__ import annotations

import io
import pickletools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tokaudit.foundation.errors import UnreadableError
from tokaudit.subject.weights.torch_records import (
    OF_TENSORS,
    ForeignName,
    Name,
    Record,
    Vocabulary,
    entry_key,
    storage_of,
)

MOST_STEPS = 4_000_000  # a tensor takes some thirty; models have a few thousand tensors


def read_pickle(data: io.BytesIO, known: Vocabulary = OF_TENSORS) -> Any:
    """Read the next pickle of `data` as dicts, lists, numbers, texts and `SavedTensor`.

    `known` is what it may name; what it has to leave out are records of classes that hold data.
    Raises `UnreadableError` for what is no pickle of tensors, with the name that it wants to call.
    """
    machine = _Machine(known)
    try:
        for count, (code, argument, _) in enumerate(pickletools.genops(data)):
            if count >= MOST_STEPS:
                raise UnreadableError(
                    f"its pickle has more than {MOST_STEPS:,} instructions, the most that tokaudit "
                    "reads"
                )
            if code.name == "STOP":
                return machine.pop()
            machine.do(code.name, argument)
    except (ValueError, IndexError, KeyError, TypeError, DeprecationWarning) as error:
        raise UnreadableError(f"is not a pickle that torch writes: {str(error)[:80]}") from error
    raise UnreadableError("ends in the middle of its pickle")


@dataclass(slots=True)
class _Machine:
    known: Vocabulary
    stack: list[Any] = field(default_factory=list)
    outer: list[list[Any]] = field(default_factory=list)  # the stacks below each mark
    memo: dict[int, Any] = field(default_factory=dict)

    def do(self, name: str, argument: Any) -> None:
        if name in ARGUMENTS:
            self.stack.append(argument)
        elif name in CONSTANTS:
            self.stack.append(CONSTANTS[name]())
        elif name in INSTRUCTIONS:
            INSTRUCTIONS[name](self, argument)
        else:
            raise ForeignName(f"has the instruction {name}, which no tensor needs")

    def pop(self) -> Any:
        return self.stack.pop()

    def after_mark(self) -> list[Any]:
        """Pop everything since the last mark off the stack."""
        items, self.stack = self.stack, self.outer.pop()
        return items


def _mark(machine: _Machine, _: Any) -> None:
    machine.outer.append(machine.stack)
    machine.stack = []


def _tuple(size: int) -> Callable[[_Machine, Any], None]:
    def make(machine: _Machine, _: Any) -> None:
        items = tuple(machine.stack[-size:])
        del machine.stack[-size:]
        machine.stack.append(items)

    return make


def _from_mark(kind: Callable[[list[Any]], Any]) -> Callable[[_Machine, Any], None]:
    def make(machine: _Machine, _: Any) -> None:
        items = machine.after_mark()
        machine.stack.append(kind(items))

    return make


def _pairs(items: list[Any]) -> dict[Any, Any]:
    return {entry_key(key): value for key, value in zip(items[::2], items[1::2], strict=True)}


def _append(machine: _Machine, _: Any) -> None:
    item = machine.pop()
    _top(machine, list).append(item)


def _appends(machine: _Machine, _: Any) -> None:
    items = machine.after_mark()
    _top(machine, list).extend(items)


def _set_item(machine: _Machine, _: Any) -> None:
    value, key = machine.pop(), machine.pop()
    _top(machine, dict)[entry_key(key)] = value


def _set_items(machine: _Machine, _: Any) -> None:
    items = machine.after_mark()
    _top(machine, dict).update(_pairs(items))


def _top(machine: _Machine, kind: type) -> Any:
    if not isinstance(machine.stack[-1], kind):
        raise UnreadableError(
            f"its pickle treats a {type(machine.stack[-1]).__name__} as a {kind.__name__}"
        )
    return machine.stack[-1]


def _make(machine: _Machine, _: Any) -> None:
    """Push an object of a pure data class, without its arguments."""
    machine.pop()
    kind = machine.pop()
    if not isinstance(kind, Name) or not machine.known.makes(kind.name):
        raise ForeignName("has the instruction NEWOBJ, which no tensor needs")
    machine.stack.append(Record(kind.name))


def _build(machine: _Machine, _: Any) -> None:
    """Set the attributes of a record; those of a dictionary hold no tensor."""
    state = machine.pop()
    if isinstance(machine.stack[-1], Record):
        machine.stack[-1].state = state
    else:
        _top(machine, dict)


def _keep(machine: _Machine, at: int) -> None:
    machine.memo[at] = machine.stack[-1]


def _keep_next(machine: _Machine, _: Any) -> None:
    machine.memo[len(machine.memo)] = machine.stack[-1]


def _fetch(machine: _Machine, at: int) -> None:
    machine.stack.append(machine.memo[at])


def _global(machine: _Machine, argument: str) -> None:
    machine.stack.append(machine.known.name(argument.replace(" ", ".")))


def _stack_global(machine: _Machine, _: Any) -> None:
    name, module = machine.pop(), machine.pop()
    machine.stack.append(machine.known.name(f"{module}.{name}"))


def _call(machine: _Machine, _: Any) -> None:
    arguments, function = machine.pop(), machine.pop()
    if not isinstance(function, Name) or function.name not in machine.known.calls:
        raise ForeignName("calls what is not a function of torch's tensors")
    machine.stack.append(machine.known.calls[function.name](*arguments))


def _persistent(machine: _Machine, _: Any) -> None:
    machine.stack.append(storage_of(*machine.pop()))


CONSTANTS: Mapping[str, Callable[[], Any]] = {
    "NONE": lambda: None,
    "NEWTRUE": lambda: True,
    "NEWFALSE": lambda: False,
    "EMPTY_DICT": dict,
    "EMPTY_LIST": list,
    "EMPTY_TUPLE": tuple,
}
ARGUMENTS = (
    *("INT", "BININT", "BININT1", "BININT2", "LONG", "LONG1", "LONG4", "FLOAT", "BINFLOAT"),
    *("STRING", "BINSTRING", "SHORT_BINSTRING", "BINBYTES", "SHORT_BINBYTES", "BINBYTES8"),
    *("UNICODE", "BINUNICODE", "SHORT_BINUNICODE", "BINUNICODE8"),
)
"""The instructions that put their argument on the stack."""
INSTRUCTIONS: Mapping[str, Callable[[_Machine, Any], None]] = {
    "PROTO": lambda _machine, _version: None,
    "FRAME": lambda _machine, _size: None,
    "MARK": _mark,
    "POP": lambda machine, _: machine.stack.pop(),
    "POP_MARK": lambda machine, _: machine.after_mark().clear(),
    "DUP": lambda machine, _: machine.stack.append(machine.stack[-1]),
    "TUPLE": _from_mark(tuple),
    "TUPLE1": _tuple(1),
    "TUPLE2": _tuple(2),
    "TUPLE3": _tuple(3),
    "LIST": _from_mark(list),
    "DICT": _from_mark(_pairs),
    "APPEND": _append,
    "APPENDS": _appends,
    "SETITEM": _set_item,
    "SETITEMS": _set_items,
    "BUILD": _build,
    "PUT": _keep,
    "BINPUT": _keep,
    "LONG_BINPUT": _keep,
    "MEMOIZE": _keep_next,
    "GET": _fetch,
    "BINGET": _fetch,
    "LONG_BINGET": _fetch,
    "GLOBAL": _global,
    "STACK_GLOBAL": _stack_global,
    "REDUCE": _call,
    "NEWOBJ": _make,
    "BINPERSID": _persistent,
}
