"""Types of functions that take any number of arguments before their settings.

No type of Python says "any number of these, then the keywords of that class", so each number up to
five is said by itself.  A sequence that is unpacked is of any length.
"""

from __future__ import annotations

from typing import ParamSpec, Protocol, TypeVar, overload

First = TypeVar("First", contravariant=True)
Second = TypeVar("Second", contravariant=True)
More = TypeVar("More", contravariant=True)
Asked = TypeVar("Asked", contravariant=True)
Result = TypeVar("Result", covariant=True)
P = ParamSpec("P")


class TakesAfterOne(Protocol[First, More, Asked, Result]):
    """A function of one argument, any number of others, and its settings."""

    def __call__(self, first: First, /, *more: More, asked: Asked) -> Result: ...


class TakesAfterTwo(Protocol[First, Second, More, Asked, Result]):
    """A function of two arguments, any number of others, and its settings."""

    def __call__(self, first: First, second: Second, /, *more: More, asked: Asked) -> Result: ...


class AfterOne(Protocol[First, More, P, Result]):
    """A function of one argument, any number of others, and keywords."""

    @overload
    def __call__(self, first: First, /, *args: P.args, **kwargs: P.kwargs) -> Result: ...
    @overload
    def __call__(self, first: First, a: More, /, *args: P.args, **kwargs: P.kwargs) -> Result: ...
    @overload
    def __call__(
        self, first: First, a: More, b: More, /, *args: P.args, **kwargs: P.kwargs
    ) -> Result: ...
    @overload
    def __call__(
        self, first: First, a: More, b: More, c: More, /, *args: P.args, **kwargs: P.kwargs
    ) -> Result: ...
    @overload
    def __call__(
        self, first: First, a: More, b: More, c: More, d: More, /, *args: P.args, **kwargs: P.kwargs
    ) -> Result: ...


class AfterTwo(Protocol[First, Second, More, P, Result]):
    """A function of two arguments, any number of others, and keywords."""

    @overload
    def __call__(
        self, first: First, second: Second, /, *args: P.args, **kwargs: P.kwargs
    ) -> Result: ...
    @overload
    def __call__(
        self, first: First, second: Second, a: More, /, *args: P.args, **kwargs: P.kwargs
    ) -> Result: ...
    @overload
    def __call__(
        self, first: First, second: Second, a: More, b: More, /, *args: P.args, **kwargs: P.kwargs
    ) -> Result: ...
    @overload
    def __call__(
        self,
        first: First,
        second: Second,
        a: More,
        b: More,
        c: More,
        /,
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> Result: ...
