# SPDX-License-Identifier: Apache-2.0
"""The operations of the server, without input and output."""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterable, Mapping
from datetime import datetime, timezone
from typing import Any
from urllib.parse import quote

from sluice._steps import Json, Request, Retry, Sleep, Steps, exchange, within
from sluice.errors import (
    BadRequest,
    Gone,
    NotFound,
    SluiceError,
    TooManyRequests,
    Unavailable,
    Unreachable,
    WaitTimeout,
)

FINAL_STATES = frozenset({"SUCCEEDED", "FAILED", "CANCELLED"})

_WATCH_SECONDS = 30.0
_ANSWER_SECONDS = 30.0
_READ_SECONDS_MIN = 0.1
_POLL_SECONDS_MIN = 0.2
_POLL_SECONDS_MAX = 5.0


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


def time_text(time: datetime | str | None) -> str | None:
    """Return a time as the server reads it.

    Raises:
        ValueError: the time has no time zone.
    """
    if time is None or isinstance(time, str):
        return time
    if time.tzinfo is None:
        raise ValueError(f"a time needs a time zone: {time.isoformat()}")
    return time.astimezone(timezone.utc).isoformat().replace("+00:00", "Z")


def job_filters(
    *,
    namespace: str | None = None,
    name: str | None = None,
    queue: str | None = None,
    cluster_queue: str | None = None,
    state: str | Iterable[str] | None = None,
    held: bool | None = None,
    label: Mapping[str, str] | None = None,
    since: datetime | str | None = None,
    until: datetime | str | None = None,
) -> dict[str, Any]:
    """Return the query parameters of filters of jobs."""
    return {
        "namespace": namespace,
        "name": name,
        "queue": queue,
        "clusterQueue": cluster_queue,
        "state": state,
        "held": held,
        "label": labels(label),
        "since": time_text(since),
        "until": time_text(until),
    }


def labels(selected: Mapping[str, str] | None) -> list[str] | None:
    """Return the values of the parameter ``label``."""
    return None if selected is None else [f"{key}={value}" for key, value in selected.items()]


def job_path(job: str, *more: str) -> str:
    """Return the path of a job, or of something below it."""
    return "/".join(["/v1/jobs", quote(job, safe=""), *more])


class Api:
    """The operations, each as steps that either client drives."""

    def __init__(self, retry: Retry) -> None:
        self.retry = retry

    def get(self, path: str, given: Mapping[str, Any] | None = None) -> Steps[Json]:
        """Read a JSON object."""
        request = Request("GET", path, parameters(given or {}))
        return (yield from exchange(request, self.retry)).json()

    def post(self, path: str, given: Mapping[str, Any] | None = None) -> Steps[Json]:
        """Request an action that has the same effect when it is repeated."""
        request = Request("POST", path, parameters(given or {}))
        return (yield from exchange(request, self.retry)).json()

    def submit(
        self, path: str, body: bytes, *, key: str | None = None, dry_run: bool = False
    ) -> Steps[Json]:
        """Send manifests. All tries have the same Idempotency-Key, so jobs are made once.

        Args:
            key: the key; None: a new one. A dry run has a key only if one is given.
        """
        used = key if key is not None or dry_run else str(uuid.uuid4())
        headers = [("Content-Type", "application/yaml")]
        if used is not None:
            headers.append(("Idempotency-Key", used))
        request = Request(
            "POST",
            path,
            parameters({"dryRun": True if dry_run else None}),
            body,
            tuple(headers),
        )
        return (yield from exchange(request, self.retry)).json()

    def page(self, path: str, given: Mapping[str, Any], cursor: str | None) -> Steps[Json]:
        """Read one page of a list."""
        return self.get(path, {**given, "cursor": cursor})

    def find(self, kind: str, name: str, namespace: str | None, purpose: str) -> Steps[Json]:
        """Find the object that a name means."""
        given = {"name": name, "namespace": namespace, "purpose": purpose}
        return self.get(f"/v1/names/{quote(kind, safe='')}", given)

    def wait(self, job: str, seconds: float) -> Steps[Json]:
        """Wait for the end of a job and return the job.

        It watches the events of the job. If the server offers no events, it polls the job.

        Raises:
            WaitTimeout: the time is over and the job has not ended.
        """
        deadline = time.monotonic() + seconds
        state = "not known"
        try:
            after = yield from self._watch(job, None, deadline)
            polls = 0
            while True:
                record = yield from self._read(job, deadline)
                state = str(record.get("status", {}).get("state", ""))
                if state in FINAL_STATES:
                    return record
                remaining = deadline - time.monotonic()
                if remaining <= 0:
                    break
                if after is not None:
                    begun = time.monotonic()
                    after = yield from self._watch(job, after, deadline)
                    if time.monotonic() - begun < _READ_SECONDS_MIN:
                        # A big array has many events a second: do not read the job for each.
                        yield Sleep(_READ_SECONDS_MIN)
                else:
                    pause = min(_POLL_SECONDS_MAX, _POLL_SECONDS_MIN * 1.5 ** min(polls, 30))
                    polls += 1
                    yield Sleep(min(pause, remaining))
        except (Unreachable, Unavailable) as failure:
            if time.monotonic() + self.retry.pause_max < deadline:
                raise
            raise _timeout(job, seconds, state) from failure
        raise _timeout(job, seconds, state)

    def _read(self, job: str, deadline: float) -> Steps[Json]:
        request = Request("GET", job_path(job))
        # The last read may take a moment longer than the deadline, else a wait of 0 reads nothing.
        bounded = within(request, max(1.0, min(_ANSWER_SECONDS, deadline - time.monotonic())))
        return (yield from exchange(bounded, self.retry, deadline)).json()

    def _watch(self, job: str, after: str | None, deadline: float) -> Steps[str | None]:
        """Wait for an event of a job.

        Args:
            after: id of the last event; None: return the id of now at once.

        Returns:
            the id to continue from; None: the server cannot be watched, so poll it.
        """
        remaining = deadline - time.monotonic()
        if after is None:
            request = Request("GET", "/v1/events", parameters({"job": job, "kind": "Job"}))
            bounded = within(request, min(_ANSWER_SECONDS, remaining))
        else:
            wait = max(0.001, min(_WATCH_SECONDS, remaining))
            given = {
                "job": job,
                "kind": "Job",
                "after": after,
                "wait": f"{round(wait * 1000)}ms",
            }
            request = Request("GET", "/v1/events", parameters(given))
            bounded = within(request, min(wait + _ANSWER_SECONDS, remaining + 1.0))
        try:
            answer = (yield from exchange(bounded, self.retry, deadline)).json()
        except Gone:
            # The event is older than the server keeps. The caller reads the job after this.
            return None if after is None else (yield from self._watch(job, None, deadline))
        except (BadRequest, NotFound, TooManyRequests, Unavailable):
            return None
        except SluiceError as refused:
            if refused.status in (405, 406):
                return None
            raise
        following = answer.get("nextAfter")
        return following if isinstance(following, str) else None


def _timeout(job: str, seconds: float, state: str) -> WaitTimeout:
    return WaitTimeout(f"job {job} did not end within {seconds:g} s; its last state is {state}")
