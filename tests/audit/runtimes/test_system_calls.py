"""The list of system calls, and the filter that is made of it, on both machines."""

from __future__ import annotations

import errno
import os
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokaudit.runtimes.worker.confinement.seccomp import (
    ALLOW,
    ANY_BIT,
    AT_LEAST,
    EQUAL,
    FAIL,
    LOAD,
    MACHINES,
    RETURN,
    Line,
    Machine,
    program,
    rules,
)

both = pytest.mark.parametrize("machine", MACHINES, ids=lambda one: one.name)
THREAD, FORK = 0x3D0F00, 0x1200011  # flags of `clone` as the C library gives them
NEVER = {
    "x86_64": {"execve": 59, "fork": 57, "vfork": 58, "ptrace": 101, "bpf": 321, "setsid": 112},
    "aarch64": {"execve": 221, "ptrace": 117, "bpf": 280, "setsid": 157, "keyctl": 219},
}


def answer(lines: list[Line], number: int, architecture: int, *arguments: int) -> int:
    """What the kernel does about a call: runs the filter as Linux would."""
    data = {0: number, 4: architecture}
    data |= {16 + 8 * place: value & 0xFFFFFFFF for place, value in enumerate(arguments)}
    at = register = 0
    while True:
        operation, yes, no, value = lines[at]
        at += 1
        match operation:
            case _ if operation == LOAD:
                register = data.get(value, 0)
            case _ if operation == RETURN:
                return value
            case _:
                holds = {
                    EQUAL: register == value,
                    AT_LEAST: register >= value,
                    ANY_BIT: bool(register & value),
                }[operation]
                at += yes if holds else no


def asked(machine: Machine, number: int, *arguments: int) -> int:
    lines = program(machine, rules(machine))
    return answer(lines, number, machine.architecture, *arguments)


@both
def test_each_call_of_the_list_has_a_number_of_its_own(machine: Machine) -> None:
    counted = Counter(rule.number for rule in rules(machine))
    assert max(counted.values()) == 1
    assert len(counted) > 90


@both
@given(number=st.integers(0, 2**32 - 1))
def test_a_call_is_allowed_only_if_it_is_in_the_list(machine: Machine, number: int) -> None:
    listed = {rule.number for rule in rules(machine)}
    assert number in listed or asked(machine, number) != ALLOW


@both
def test_what_starts_programs_or_looks_into_others_is_not_in_the_list(machine: Machine) -> None:
    found = {name: asked(machine, number) for name, number in NEVER[machine.name].items()}
    assert set(found.values()) == {FAIL | errno.EPERM}


@both
def test_a_thread_can_be_started_and_a_process_cannot(machine: Machine) -> None:
    clone = next(rule.number for rule in rules(machine) if rule.name == "clone")
    assert asked(machine, clone, THREAD) == ALLOW
    assert asked(machine, clone, FORK) == FAIL | errno.EPERM
    assert asked(machine, 435) == FAIL | errno.ENOSYS  # clone3


@both
@pytest.mark.parametrize("name", ["kill", "tgkill", "prlimit64", "sched_setaffinity"])
def test_a_call_about_processes_is_about_this_one_only(machine: Machine, name: str) -> None:
    number = next(rule.number for rule in rules(machine) if rule.name == name)
    assert asked(machine, number, os.getpid()) == ALLOW
    for other in (os.getppid(), 1, -1, -os.getpid()):
        assert asked(machine, number, other) == FAIL | errno.EPERM


@both
def test_numbers_of_another_way_to_call_are_refused(machine: Machine) -> None:
    lines = program(machine, rules(machine))
    read = next(rule.number for rule in rules(machine) if rule.name == "read")
    assert answer(lines, read, machine.architecture) == ALLOW
    assert answer(lines, read, 0x40000003) == FAIL | errno.EPERM  # of 32 bits
    assert asked(machine, 0x40000000 + read) == FAIL | errno.EPERM


@both
def test_calls_that_do_not_exist_yet_do_not_exist(machine: Machine) -> None:
    assert asked(machine, 600) == FAIL | errno.ENOSYS


@both
@pytest.mark.parametrize("name", ["unlink", "unlinkat", "rmdir"])
def test_a_removal_succeeds_and_does_nothing(machine: Machine, name: str) -> None:
    numbers = {"x86_64": {"unlink": 87, "unlinkat": 263, "rmdir": 84}, "aarch64": {"unlinkat": 35}}
    if number := numbers[machine.name].get(name):
        assert asked(machine, number) == FAIL


@both
def test_a_file_without_a_name_is_refused(machine: Machine) -> None:
    number = next(rule.number for rule in rules(machine) if rule.name == "openat")
    assert asked(machine, number, 0, 0, os.O_CREAT | os.O_RDWR) == ALLOW
    assert asked(machine, number, 0, 0, os.O_DIRECTORY | os.O_RDONLY) == ALLOW
    assert asked(machine, number, 0, 0, os.O_TMPFILE | os.O_RDWR) == FAIL | errno.EPERM
