# SPDX-License-Identifier: Apache-2.0
"""Waits that follow the journal's events, without input and output."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

from sluice import models
from sluice._steps import (
    Answer,
    Json,
    Request,
    Retry,
    Sleep,
    Steps,
    exchange,
    job_path,
    parameters,
    within,
)
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
JOB_STATES = frozenset({"SUBMITTED", "PENDING", "ADMITTED", "RUNNING", "DRAINING"}) | FINAL_STATES

_PAGE_SECONDS = 30.0
_ANSWER_SECONDS = 30.0
_PACE_SECONDS = 0.1
_POLL_SECONDS_MIN = 0.2
_POLL_SECONDS_MAX = 5.0


def sequence_of(answer: Answer) -> int | None:
    """Return the number of the last batch that an answer is from; None if it does not say."""
    number = answer.headers.get("Sluice-Sequence", "")
    return int(number) if number.isdecimal() else None


@dataclass(frozen=True)
class Reading:
    """A JSON object of the server, and the place in the journal that it is from."""

    record: Json
    sequence: int | None

    @property
    def state(self) -> str:
        """The state, if it is a job."""
        return str(self.record.get("status", {}).get("state", ""))


def reading(request: Request, retry: Retry, deadline: float | None = None) -> Steps[Reading]:
    """Read a JSON object."""
    answer = yield from exchange(request, retry, deadline)
    return Reading(answer.json(), sequence_of(answer))


class Watch:
    """Follows the events after a place in the journal.

    The place moves with each page that was received whole. A page whose connection was lost is
    asked for again, so no event is lost and none comes twice.

    Args:
        given: parameters that select events.
        after: id of an event or number of a batch; None: from the first request on.
        late_seconds: how much later than its time a page may come.
    """

    def __init__(
        self,
        retry: Retry,
        given: Mapping[str, Any],
        after: str | None,
        late_seconds: float = _ANSWER_SECONDS,
    ) -> None:
        self.after = after
        self._retry = retry
        self._given = given
        self._late_seconds = late_seconds

    @property
    def sequence(self) -> int:
        """The batch of the place."""
        number = (self.after or "0").partition(".")[0]
        return int(number) if number.isdecimal() else 0

    def page(self, seconds: float, deadline: float) -> Steps[list[models.WatchedEvent]]:
        """Wait for events, and return those that came; none if none came in time.

        Args:
            seconds: longest wait. It is cut to what the server allows.
            deadline: time of the monotonic clock after which no request is repeated.

        Raises:
            Gone: the events after the place are no longer there, or not yet.
        """
        if self.after is None:
            # Without a wait: if a waiting request without a place were repeated after a lost
            # connection, it would begin at a later place.
            yield from self._ask({}, _ANSWER_SECONDS, deadline)
        wait = min(_PAGE_SECONDS, max(0.0, seconds))
        given = {"after": self.after, "wait": f"{round(wait * 1000)}ms"}
        return (yield from self._ask(given, wait + self._late_seconds, deadline))

    def next(self, seconds: float) -> Steps[list[models.WatchedEvent]]:
        """Wait for events, however long, and return those that came; none if none came in time."""
        deadline = time.monotonic() + seconds
        while True:
            begun = time.monotonic()
            events = yield from self.page(deadline - begun, deadline)
            now = time.monotonic()
            if events or now >= deadline:
                return events
            if now - begun < _PACE_SECONDS:
                yield Sleep(min(_PACE_SECONDS, deadline - now))

    def _ask(
        self, given: Mapping[str, Any], seconds: float, deadline: float
    ) -> Steps[list[models.WatchedEvent]]:
        request = Request("GET", "/v1/events", parameters({**self._given, **given}))
        answer = (yield from exchange(within(request, seconds), self._retry, deadline)).json()
        following = answer.get("nextAfter")
        if not isinstance(following, str):
            raise SluiceError("the server did not answer a page of events: nextAfter is missing")
        self.after = following
        return cast("list[models.WatchedEvent]", answer.get("items", []))


class Place:
    """The events of a watch that were received and not yet taken."""

    def __init__(self, watch: Watch) -> None:
        self.watch = watch
        self.after = watch.after
        """The place after the last event taken."""
        self._received: deque[models.WatchedEvent] = deque()
        self._ended = False

    @property
    def waits(self) -> bool:
        """Whether the next event must be waited for."""
        return not self._received and not self._ended

    def came(self, events: list[models.WatchedEvent]) -> None:
        """Receive events; none: there will be no more."""
        self._received.extend(events)
        if not events:
            self._ended = True
            self.after = self.watch.after

    def take(self) -> models.WatchedEvent | None:
        """Take the next event; None: the end."""
        if not self._received:
            return None
        event = self._received.popleft()
        self.after = event["id"]
        return event


class JobWait:
    """Waits until a job has one of several states, or a final state.

    It reads the job, follows the job's events from there, and reads the job again when they tell of
    a change. If events cannot be followed, it polls the job.

    Args:
        states: the states waited for.
    """

    def __init__(self, job: str, states: frozenset[str], retry: Retry) -> None:
        self._job = job
        self._states = states
        self._retry = retry
        self._final = states <= FINAL_STATES
        self._watch: Watch | None = None
        self._watchable = True
        self._watch_at = 0.0
        self._polls = 0

    def steps(self, seconds: float) -> Steps[Reading]:
        """Wait, and return the job.

        Raises:
            WaitTimeout: the time is over and the job has none of the states.
        """
        deadline = time.monotonic() + seconds
        state = "not known"
        try:
            while True:
                read = yield from self._read(deadline)
                state = read.state
                if state in self._states | FINAL_STATES:
                    return read
                if time.monotonic() >= deadline:
                    break
                if not (yield from self._change(read, deadline)):
                    yield Sleep(self._pause(deadline))
        except (Unreachable, Unavailable) as failure:
            if time.monotonic() + self._retry.pause_max < deadline:
                raise
            raise self._timeout(seconds, state) from failure
        raise self._timeout(seconds, state)

    def _read(self, deadline: float) -> Steps[Reading]:
        # The last read may take a moment longer than the deadline, else a wait of 0 reads nothing.
        bound = max(1.0, min(_ANSWER_SECONDS, deadline - time.monotonic()))
        request = within(Request("GET", job_path(self._job)), bound)
        return reading(request, self._retry, deadline)

    def _change(self, read: Reading, deadline: float) -> Steps[bool]:
        """Wait for an event after which the job is to be read again, or for the deadline.

        Returns:
            False: there was no wait; the caller polls.
        """
        if read.sequence is None or not self._watchable or time.monotonic() < self._watch_at:
            return False
        if self._watch is None:
            self._watch = self._new_watch(read.sequence)
        elif read.sequence < self._watch.sequence:
            return False  # another server answered, which does not know of the event yet
        try:
            yield from self._follow(self._watch, deadline)
        except Gone:
            # Deleted, or a restored journal: go on from the next reading.
            self._watch = None
        except (Unreachable, TooManyRequests, Unavailable) as failure:
            # The next reading repeats its request. The watch then goes on where it was.
            self._watch_at = time.monotonic() + (failure.retry_after or 0.0)
        except (BadRequest, NotFound):
            self._watchable = False
        except SluiceError as refused:
            if refused.status not in (405, 406):
                raise
            self._watchable = False
        else:
            self._polls = 0
            return True
        return False

    def _new_watch(self, after: int) -> Watch:
        given = {"job": self._job, "kind": "Job" if self._final else ["Job", "Attempt"]}
        return Watch(replace(self._retry, tries=1), given, str(after), late_seconds=1.0)

    def _follow(self, watch: Watch, deadline: float) -> Steps[None]:
        while (remaining := deadline - time.monotonic()) > 0:
            begun = time.monotonic()
            events = yield from watch.page(remaining, deadline)
            if any(event["object"].get("state") in FINAL_STATES for event in events):
                return
            if time.monotonic() - begun < _PACE_SECONDS:
                # A big array has many events a second: do not read a page or the job for each.
                yield Sleep(_PACE_SECONDS)
            if events and not self._final:
                return

    def _pause(self, deadline: float) -> float:
        pause = min(_POLL_SECONDS_MAX, _POLL_SECONDS_MIN * 1.5 ** min(self._polls, 30))
        self._polls += 1
        return max(0.0, min(pause, deadline - time.monotonic()))

    def _timeout(self, seconds: float, state: str) -> WaitTimeout:
        what = "did not end" if self._final else f"was not {' or '.join(sorted(self._states))}"
        return WaitTimeout(
            f"job {self._job} {what} within {seconds:g} s; its last state is {state}"
        )
