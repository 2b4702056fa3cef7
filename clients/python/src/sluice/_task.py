# SPDX-License-Identifier: Apache-2.0
"""Functions that run as jobs, by reference: module, name and JSON arguments."""

from __future__ import annotations

import functools
import importlib
import inspect
import json
import math
from collections.abc import Callable, Mapping
from typing import Any, Generic, ParamSpec, TypeVar, cast, overload

from typing_extensions import Unpack

from sluice._default import default_client
from sluice.client import Client, Job
from sluice.manifest import JobOptions

P = ParamSpec("P")
R = TypeVar("R")

# Linux refuses a longer word of a command (MAX_ARG_STRLEN), and counts its end.
_WORD_BYTES_MAX = 128 * 1024 - 1
_PYTHON = "python3"


class TaskError(TypeError):
    """A function cannot run as a job, or its arguments are not JSON."""


class Task(Generic[P, R]):
    """A function that can run as a job. A call of it runs in this process.

    A job gets the function by reference: its module is imported there, so the module must be
    installed in the job's Python. Results are not returned.
    """

    def __init__(
        self,
        function: Callable[P, R],
        options: Mapping[str, Any],
        client: Client | None = None,
        python: str = _PYTHON,
    ) -> None:
        _check_importable(function)
        self._function = function
        self._options = dict(options)
        self._client = client
        self._python = python
        functools.update_wrapper(self, function)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        return self._function(*args, **kwargs)

    @property
    def function(self) -> Callable[P, R]:
        """The function itself."""
        return self._function

    @property
    def reference(self) -> str:
        """Module and name, such as ``project.train:main``."""
        return f"{self._function.__module__}:{self._function.__qualname__}"

    def on(
        self,
        client: Client | None = None,
        *,
        python: str | None = None,
        **options: Unpack[JobOptions],
    ) -> Task[P, R]:
        """Return the same task with a client, a Python program, or further options."""
        return Task(
            self._function,
            {**self._options, **options},
            client or self._client,
            python or self._python,
        )

    def command(self, *args: P.args, **kwargs: P.kwargs) -> list[str]:
        """Return the command that calls the function with these arguments.

        Raises:
            TaskError: a job could not import the function, or an argument is not JSON.
        """
        self._check_reference()
        try:
            inspect.signature(self._function).bind(*args, **kwargs)
        except TypeError as wrong:
            raise TaskError(f"{self.reference}: {wrong}") from None
        call: dict[str, object] = {}
        if args:
            call["args"] = [_json(value, f"args[{at}]") for at, value in enumerate(args)]
        if kwargs:
            call["kwargs"] = {name: _json(value, name) for name, value in kwargs.items()}
        text = json.dumps(call)
        if len(text.encode()) > _WORD_BYTES_MAX:
            raise TaskError(
                f"the arguments of {self.reference} have {len(text)} bytes as JSON; Linux allows"
                f" {_WORD_BYTES_MAX}. Pass the path of a file"
            )
        return [self._python, "-m", "sluice.task", self.reference, text]

    def submit(self, *args: P.args, **kwargs: P.kwargs) -> Job:
        """Submit a job that calls the function with these arguments, and return at once."""
        client = self._client or default_client()
        options = cast(JobOptions, {"name": _job_name(self._function.__name__), **self._options})
        return client.run(self.command(*args, **kwargs), **options)

    def _check_reference(self) -> None:
        module = self._function.__module__
        if module == "__main__":
            raise TaskError(
                f"{self._function.__qualname__} is defined in __main__, which a job cannot import;"
                " move it into a module"
            )
        found = importlib.import_module(module)
        named = getattr(found, self._function.__qualname__, None)
        own = named.function if isinstance(named, Task) else named
        if own is not self._function:
            raise TaskError(f"{self.reference} is not this function, so a job would call another")

    def __repr__(self) -> str:
        return f"<Task {self.reference}>"


@overload
def task(function: Callable[P, R], /) -> Task[P, R]: ...


@overload
def task(
    *, client: Client | None = None, python: str = _PYTHON, **options: Unpack[JobOptions]
) -> Callable[[Callable[P, R]], Task[P, R]]: ...


def task(
    function: Callable[P, R] | None = None,
    /,
    *,
    client: Client | None = None,
    python: str = _PYTHON,
    **options: Unpack[JobOptions],
) -> Task[P, R] | Callable[[Callable[P, R]], Task[P, R]]:
    """Make a function submittable: ``@sluice.task`` or ``@sluice.task(queue="main", ...)``.

    Args:
        client: the client that submits. Default: :func:`sluice.default_client`.
        python: the Python program of the job.
        options: see :class:`sluice.JobOptions`.

    Raises:
        TaskError: the function has no name by which a module could be asked for it: a lambda, a
            method, or a function inside another one.
    """
    if function is not None:
        return Task(function, options, client, python)

    def decorate(decorated: Callable[P, R]) -> Task[P, R]:
        return Task(decorated, options, client, python)

    return decorate


def _check_importable(function: Callable[..., object]) -> None:
    name = getattr(function, "__qualname__", None)
    if not inspect.isfunction(function) or name is None:
        raise TaskError(f"a task is a function, not {function!r}")
    if function.__name__ == "<lambda>":
        raise TaskError("a lambda has no name by which a job could import it; write a function")
    if "." in name:
        raise TaskError(
            f"{name} is defined inside another function or class, so a job cannot import it by"
            " name; move it to the top of its module"
        )
    if inspect.iscoroutinefunction(function) or inspect.isgeneratorfunction(function):
        raise TaskError(f"{name} does not run when it is called; a task is a plain function")


def _json(value: object, place: str) -> object:
    """Return a value that arrives as it is; refuse one that JSON would change."""
    if value is None or isinstance(value, (bool, str)) or type(value) is int:
        return value
    if type(value) is float:
        if math.isfinite(value):
            return value
        raise TaskError(f"{place} is {value}, which JSON does not have")
    if type(value) is list:
        return [_json(entry, f"{place}[{at}]") for at, entry in enumerate(value)]
    if type(value) is dict:
        for key in value:
            if not isinstance(key, str):
                raise TaskError(f"{place} has the key {key!r}; keys of JSON are text")
        return {key: _json(entry, f"{place}[{key!r}]") for key, entry in value.items()}
    raise TaskError(
        f"{place} is a {type(value).__name__}; arguments are None, bool, int, float, str, list"
        " or dict"
    )


def _job_name(name: str) -> str:
    """Return a function's name as the name of a job: a DNS label."""
    letters = [letter if letter.isascii() and letter.isalnum() else "-" for letter in name.lower()]
    return "".join(letters).strip("-")[:63].strip("-") or "task"
