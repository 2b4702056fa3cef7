# SPDX-License-Identifier: Apache-2.0
"""The protocol without input and output, shared by both clients.

An operation is a generator, a value of type :data:`Steps`. It yields the requests to send and the
pauses to make, and is sent the answers. :func:`run` drives it with blocking calls, and
:func:`run_async` in an event loop.
"""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import Awaitable, Callable, Generator, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias, TypeVar, cast
from urllib.parse import quote

from sluice.errors import SluiceError, Unreachable, error_of

T = TypeVar("T")
Json: TypeAlias = dict[str, Any]

_REPEATED_STATUSES = frozenset({429, 502, 503, 504})


@dataclass(frozen=True)
class Request:
    """One request to the server."""

    method: str
    path: str
    params: tuple[tuple[str, str], ...] = ()
    body: bytes | None = None
    headers: tuple[tuple[str, str], ...] = ()
    repeatable: bool = True
    """Whether a repetition has no effect beyond that of the first request."""
    read_seconds: float | None = None
    """Longest wait for the answer; None: that of the client."""


def parameters(given: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """Return query parameters; those that are None are left out, and lists are repeated."""
    written: list[tuple[str, str]] = []
    for name, value in given.items():
        if value is None:
            continue
        several = not isinstance(value, (str, bytes)) and isinstance(value, Iterable)
        for one in value if several else [value]:
            written.append((name, str(one).lower() if isinstance(one, bool) else str(one)))
    return tuple(written)


def job_path(job: str, *more: str) -> str:
    """Return the path of a job, or of something below it."""
    return "/".join(["/v1/jobs", quote(job, safe=""), *more])


@dataclass(frozen=True)
class Answer:
    """The answer to a request."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> Json:
        """Return the body as a JSON object; an empty body is an empty object."""
        if not self.body.strip():
            return {}
        try:
            parsed = json.loads(self.body)
        except ValueError as not_json:
            raise SluiceError(f"the server did not answer JSON: {not_json}") from not_json
        if not isinstance(parsed, dict):
            raise SluiceError("the server did not answer a JSON object")
        return parsed


@dataclass(frozen=True)
class Sleep:
    """A pause."""

    seconds: float


Steps: TypeAlias = Generator[Request | Sleep, Answer | None, T]


@dataclass(frozen=True)
class Retry:
    """How often, and for how long, a request is repeated.

    A request is repeated after a status of 429, 502, 503 or 504 and after a failed connection, if
    a repetition is safe. Pause number n, from 0, is random: between half of ``pause * 2**n``
    seconds and all of it, and at most ``pause_max``. It is never shorter than the server asks for
    by ``Retry-After``.
    """

    tries: int = 12
    """Most requests, the first one included."""
    seconds: float = 60.0
    """Longest time from the first request to the start of the last one."""
    pause: float = 0.25
    """Base of the pauses, in seconds."""
    pause_max: float = 8.0
    """Longest pause that the client chooses, in seconds."""

    def __post_init__(self) -> None:
        if self.tries < 1 or self.seconds < 0 or self.pause < 0 or self.pause_max < 0:
            raise ValueError(f"tries must be at least 1, and no time negative: {self}")

    def pause_before(self, repetition: int, retry_after: float | None) -> float:
        """Return the seconds to wait before a repetition, counted from 0."""
        longest = min(self.pause_max, self.pause * 2.0 ** min(repetition, 60))
        jittered = longest * random.uniform(0.5, 1.0)
        if retry_after is None:
            return jittered
        return max(jittered, retry_after + random.uniform(0.0, min(self.pause, self.pause_max)))


def exchange(request: Request, retry: Retry, deadline: float | None = None) -> Steps[Answer]:
    """Send a request until it succeeds, its error is final, or the bounds of ``retry`` are reached.

    Args:
        deadline: time of the monotonic clock after which nothing is repeated.

    Raises:
        SluiceError: the error of the last try.
    """
    begun = time.monotonic()
    end = begun + retry.seconds
    if deadline is not None:
        end = min(end, deadline)
    for repetition in range(retry.tries):
        try:
            answer = yield request
        except Unreachable as unreachable:
            failure: SluiceError = unreachable
            repeated = True
        else:
            assert answer is not None
            if 200 <= answer.status <= 299:
                return answer
            failure = error_of(answer.status, answer.headers, answer.body, time.time())
            repeated = answer.status in _REPEATED_STATUSES
        if not (repeated and request.repeatable) or repetition + 1 == retry.tries:
            raise failure
        pause = retry.pause_before(repetition, failure.retry_after)
        if time.monotonic() + pause > end:
            raise failure
        yield Sleep(pause)
    raise AssertionError("unreachable: the last try returns or raises")


def within(request: Request, seconds: float) -> Request:
    """Return the request with a bound of the wait for its answer."""
    return replace(request, read_seconds=max(0.1, seconds))


def run(steps: Steps[T], send: Callable[[Request], Answer]) -> T:
    """Drive an operation with blocking calls."""
    try:
        step = next(steps)
        while True:
            if isinstance(step, Sleep):
                time.sleep(step.seconds)
                step = steps.send(None)
                continue
            try:
                answer = send(step)
            except Unreachable as unreachable:
                step = steps.throw(unreachable)
            else:
                step = steps.send(answer)
    except StopIteration as end:
        return cast(T, end.value)


async def run_async(steps: Steps[T], send: Callable[[Request], Awaitable[Answer]]) -> T:
    """Drive an operation in an event loop."""
    try:
        step = next(steps)
        while True:
            if isinstance(step, Sleep):
                await asyncio.sleep(step.seconds)
                step = steps.send(None)
                continue
            try:
                answer = await send(step)
            except Unreachable as unreachable:
                step = steps.throw(unreachable)
            else:
                step = steps.send(answer)
    except StopIteration as end:
        return cast(T, end.value)


class LineSplitter:
    """Splits a stream of bytes into lines, at line feeds only."""

    def __init__(self) -> None:
        self._rest = bytearray()

    def feed(self, chunk: bytes) -> list[str]:
        """Return the lines that this chunk completes."""
        if b"\n" not in chunk:
            self._rest += chunk
            return []
        lines = (bytes(self._rest) + chunk).split(b"\n")
        self._rest = bytearray(lines.pop())
        return [line.decode("utf-8", errors="replace") for line in lines]

    def end(self) -> list[str]:
        """Return the last line, if it has no line feed."""
        last = [self._rest.decode("utf-8", errors="replace")] if self._rest else []
        self._rest = bytearray()
        return last
