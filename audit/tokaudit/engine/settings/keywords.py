"""Turn the fields of a settings class into keyword arguments of a function."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar, overload

from tokaudit.engine.settings.any_number import AfterOne, AfterTwo, TakesAfterOne, TakesAfterTwo
from tokaudit.foundation.settings.setting import checked

Asked = TypeVar("Asked")
AskedOf = TypeVar("AskedOf", covariant=True)
First = TypeVar("First")
Second = TypeVar("Second")
Third = TypeVar("Third")
Result = TypeVar("Result")
P = ParamSpec("P")


class Keywords(Protocol[P, AskedOf]):
    """A decorator that replaces a function's last argument, its settings, by keywords."""

    @overload
    def __call__(self, function: Callable[[AskedOf], Result]) -> Callable[P, Result]: ...
    @overload
    def __call__(
        self, function: Callable[[First, AskedOf], Result]
    ) -> Callable[Concatenate[First, P], Result]: ...
    @overload
    def __call__(
        self, function: Callable[[First, Second, AskedOf], Result]
    ) -> Callable[Concatenate[First, Second, P], Result]: ...
    @overload
    def __call__(
        self, function: Callable[[First, Second, Third, AskedOf], Result]
    ) -> Callable[Concatenate[First, Second, Third, P], Result]: ...
    @overload
    def __call__(
        self, function: TakesAfterOne[First, Second, AskedOf, Result]
    ) -> AfterOne[First, Second, P, Result]: ...
    @overload
    def __call__(
        self, function: TakesAfterTwo[First, Second, Third, AskedOf, Result]
    ) -> AfterTwo[First, Second, Third, P, Result]: ...


def keywords(settings: Callable[P, Asked]) -> Keywords[P, Asked]:
    """Let callers pass each setting by name, after the other arguments.

    Type checkers see every keyword with its type, and so does `inspect.signature`.  The function
    gets settings whose values are valid; `UsageError` is raised for one that is not.
    """

    def made(function: Callable[..., Any]) -> Any:
        *others, last = inspect.signature(function).parameters.values()
        named = inspect.signature(settings).parameters.values()
        result = inspect.signature(function).return_annotation
        signature = inspect.Signature([*others, *named], return_annotation=result)

        @functools.wraps(function)
        def called(*args: object, **given: object) -> Any:
            try:
                bound = signature.bind(*args, **given)
            except TypeError as error:
                raise TypeError(f"{function.__name__}() {error}") from None
            stated = {key: bound.arguments.pop(key) for key in _keywords_of(bound, others)}
            make: Callable[..., Asked] = settings
            asked = checked(make(**stated))
            if last.kind is last.KEYWORD_ONLY:  # after any number of arguments
                return function(*bound.args, **{last.name: asked})
            return function(*bound.args, asked)

        called.__signature__ = signature  # type: ignore[attr-defined]
        return called

    return made


def _keywords_of(bound: inspect.BoundArguments, others: list[inspect.Parameter]) -> tuple[str, ...]:
    """Return the names of the settings that a call passes."""
    return tuple(set(bound.arguments) - {each.name for each in others})
