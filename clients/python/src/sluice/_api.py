# SPDX-License-Identifier: Apache-2.0
"""The operations of the server, without input and output."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping
from datetime import datetime, timezone
from typing import Any
from urllib.parse import quote

from sluice._steps import Json, Request, Retry, Steps, exchange, job_path, parameters
from sluice._watch import FINAL_STATES, JOB_STATES, JobWait, Reading, Watch, reading


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


class Api:
    """The operations, each as steps that either client drives."""

    def __init__(self, retry: Retry) -> None:
        self.retry = retry

    def get(self, path: str, given: Mapping[str, Any] | None = None) -> Steps[Json]:
        """Read a JSON object."""
        request = Request("GET", path, parameters(given or {}))
        return (yield from exchange(request, self.retry)).json()

    def read(self, path: str, given: Mapping[str, Any] | None = None) -> Steps[Reading]:
        """Read a JSON object, and the number of the last batch that it is from."""
        return reading(Request("GET", path, parameters(given or {})), self.retry)

    def job(self, id: str) -> Steps[Reading]:
        """Read a job."""
        return self.read(job_path(id))

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

    def page(self, path: str, given: Mapping[str, Any], cursor: str | None) -> Steps[Reading]:
        """Read one page of a list."""
        return self.read(path, {**given, "cursor": cursor})

    def find(self, kind: str, name: str, namespace: str | None, purpose: str) -> Steps[Json]:
        """Find the object that a name means."""
        given = {"name": name, "namespace": namespace, "purpose": purpose}
        return self.get(f"/v1/names/{quote(kind, safe='')}", given)

    def wait(
        self, job: str, seconds: float, states: Iterable[str] = FINAL_STATES
    ) -> Steps[Reading]:
        """Wait until a job has one of the states, or has ended, and return the job.

        Raises:
            ValueError: there is no such state.
            WaitTimeout: the time is over.
        """
        wanted = frozenset(state.upper() for state in states)
        if not wanted or not wanted <= JOB_STATES:
            unknown = ", ".join(sorted(wanted - JOB_STATES)) or "none"
            raise ValueError(
                f"a job has the states {', '.join(sorted(JOB_STATES))}; given: {unknown}"
            )
        return JobWait(job, wanted, self.retry).steps(seconds)

    def watch(
        self,
        *,
        job: str | None,
        run: str | None,
        queue: str | None,
        cluster_queue: str | None,
        namespace: str | None,
        kind: str | Iterable[str] | None,
        after: str | int | None,
    ) -> Watch:
        """Return a watch of the events that meet all of the filters."""
        given = {
            "job": job,
            "run": run,
            "queue": queue,
            "clusterQueue": cluster_queue,
            "namespace": namespace,
            # An iterator would be used up by the first request.
            "kind": kind if kind is None or isinstance(kind, str) else list(kind),
        }
        return Watch(self.retry, given, None if after is None else str(after))
