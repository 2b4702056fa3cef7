# SPDX-License-Identifier: Apache-2.0
"""Waits for a state of a job, and reads the job's output meanwhile."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Collection
from typing import cast

from sluice import (
    AsyncClient,
    AsyncJob,
    Gone,
    NotFound,
    ServerFault,
    SluiceError,
    TooManyRequests,
    Unreachable,
)

from sluice_airflow.log_tail import LogTail

__all__ = ["FINAL_STATES", "JobWatch"]

FINAL_STATES = frozenset({"SUCCEEDED", "FAILED", "CANCELLED"})

_WAIT_SECONDS = 30.0
_READ_SECONDS_MIN = 1.0
_PAUSE_SECONDS_MIN = 2.0
_PAUSE_SECONDS_MAX = 60.0
_TAIL_BYTES = 64 * 1024
_PIECE_BYTES_MAX = 1024 * 1024
_ATTEMPTS_MAX = 5
_TRANSIENT = (Unreachable, ServerFault, TooManyRequests)


class JobWatch:
    """Waits until a job has one of some states, or has ended.

    It waits for events of the job and reads the job after each. A server that cannot be reached
    is no reason to give up: the job continues, and so does the watch.

    Args:
        client: a client of the server. Its own repetitions should be few.
        job: id of the job.
        say: takes a line for the task's log.
        states: states to wait for, besides the final ones.
        after: id of an event of the job, to continue from; None: from now on.
        log_seconds: seconds between two readings of the output; None: do not read it. The server
            serves few readers at a time, so each reading is short and has at most 64 KiB of each
            pod, 1 MiB in all.
        log_index: index of an array whose output is read.
    """

    def __init__(
        self,
        client: AsyncClient,
        job: str,
        *,
        say: Callable[[str], None],
        states: Collection[str] = FINAL_STATES,
        after: str | None = None,
        log_seconds: float | None = None,
        log_index: int = 0,
    ) -> None:
        self._client = client
        self._id = job
        self._say = say
        self._states = FINAL_STATES | {state.upper() for state in states}
        self._after = after
        self._log_seconds = log_seconds
        self._log_index = log_index
        self._attempt = 0
        self._tail = LogTail()
        self._said: tuple[str, object] | None = None
        self._log_read = 0.0
        self._log_failure = ""

    async def run(self) -> AsyncJob:
        """Wait, and return the job.

        Raises:
            SluiceError: the server refuses to tell about the job, such as for a wrong token.
        """
        failures = 0
        while True:
            try:
                job = await self._step()
                if job is not None:
                    return job
                failures = 0
            except _TRANSIENT as failure:
                if failures == 0:
                    self._say(f"job {self._id} cannot be watched, trying again: {failure}")
                pause = min(_PAUSE_SECONDS_MAX, _PAUSE_SECONDS_MIN * 2.0 ** min(failures, 10))
                failures += 1
                await asyncio.sleep(pause)

    async def _step(self) -> AsyncJob | None:
        begun = time.monotonic()
        if self._after is None:
            # The id is read before the job, so no change between the two is missed.
            self._after = await self._next_id(None)
        job = await self._client.jobs.get(self._id)
        self._report(job)
        reached = job.state in self._states
        if self._log_seconds is not None:
            due = begun - self._log_read >= self._log_seconds
            if due or reached:
                self._log_read = begun
                await self._read_logs(job)
        if reached:
            return job
        self._after = await self._next_id(self._after)
        # A big array has many events a second: do not read the job for each.
        await asyncio.sleep(max(0.0, begun + _READ_SECONDS_MIN - time.monotonic()))
        return None

    async def _next_id(self, after: str | None) -> str | None:
        """Wait for an event after this one, and return the id to continue from."""
        given: dict[str, object] = {"job": self._id, "kind": ["Job", "Attempt"]}
        if after is not None:
            wait = _WAIT_SECONDS
            if self._log_seconds is not None:
                wait = min(wait, max(_READ_SECONDS_MIN, self._log_seconds))
            given |= {"after": after, "wait": f"{round(wait * 1000)}ms"}
        try:
            answer = await self._client.get("/v1/events", **given)
        except Gone:
            return None  # the event is older than the server keeps; the job is read next
        following = answer.get("nextAfter")
        return following if isinstance(following, str) else None

    def _report(self, job: AsyncJob) -> None:
        """Say the state of the job if it differs from what was said last."""
        now = (job.state, job.status.get("blocker"))
        if now == self._said:
            return
        self._said = now
        because = f": {job.reason}" if job.reason else ""
        self._say(f"job {job.namespace}/{job.name} is {job.state}{because}")

    async def _read_logs(self, job: AsyncJob) -> None:
        attempts = job.status.get("attempts")
        newest = attempts if isinstance(attempts, int) else 0
        if newest == 0:
            return
        try:
            if "array" in job.record.get("spec", {}):
                # Attempts are counted over all indices, so the number of the newest is not known.
                await self._read_log(job, None, last=job.done)
                return
            if newest - self._attempt > _ATTEMPTS_MAX:
                self._turn_to(newest - _ATTEMPTS_MAX)
            for attempt in range(max(1, self._attempt), newest + 1):
                if attempt != self._attempt:
                    self._turn_to(attempt)
                    self._say(f"output of attempt {attempt}:")
                await self._read_log(job, attempt, last=attempt < newest or job.done)
        except SluiceError as failure:
            # The output is a convenience: the wait goes on without it.
            if str(failure) != self._log_failure:
                self._log_failure = str(failure)
                self._say(f"the output of job {self._id} cannot be read now: {failure}")

    def _turn_to(self, attempt: int) -> None:
        self._attempt = attempt
        self._tail = LogTail()

    async def _read_log(self, job: AsyncJob, attempt: int | None, *, last: bool) -> None:
        lines: list[str] = []
        room = _PIECE_BYTES_MAX
        read = job.logs(index=self._log_index, attempt=attempt, tail=_TAIL_BYTES)
        stream = cast("AsyncGenerator[str, None]", read)
        try:
            async for line in stream:
                room -= len(line) + 1
                if room < 0:
                    break
                lines.append(line)
        except NotFound:
            return  # the attempt has not started, or its log is no longer kept
        finally:
            await stream.aclose()
        for line in self._tail.feed(lines, last=last):
            self._say(line)
