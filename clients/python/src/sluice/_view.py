# SPDX-License-Identifier: Apache-2.0
"""Jobs as both clients show them, and lists for notebooks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from typing import Any, TypeVar, cast

from sluice import _html, models
from sluice._steps import Json
from sluice._watch import FINAL_STATES, Reading
from sluice.errors import JobFailed

T = TypeVar("T")


class JobView:
    """A job as it was last read."""

    def __init__(self, record: Mapping[str, Any], sequence: int | None = None) -> None:
        self._record = cast(Json, record)
        self._sequence = sequence

    @property
    def record(self) -> models.JobView:
        """The answer of the server by which the job was last read.

        After a submission, it has only the fields of :class:`sluice.models.JobAcknowledgement`,
        until the job is read.
        """
        return cast(models.JobView, self._record)

    @property
    def sequence(self) -> int | None:
        """Number of the last batch that the last reading is from.

        ``client.events(job=job, after=job.sequence)`` tells all that has changed since. None after
        a submission and for a job of a list, until the job is read by itself.
        """
        return self._sequence

    @property
    def id(self) -> str:
        """The id of the job."""
        return str(self._record["id"])

    @property
    def namespace(self) -> str:
        """The namespace of the job."""
        return str(self._meta("namespace", "default"))

    @property
    def name(self) -> str:
        """The name of the job; several jobs may have it."""
        return str(self._meta("name", "job"))

    @property
    def replayed(self) -> bool:
        """Whether the submission returned a job that an earlier one with the same key had made."""
        return bool(self._record.get("replayed", False))

    @property
    def status(self) -> models.JobStatus:
        """The ``status`` of the job; empty before the job is read."""
        status = self._record.get("status")
        return cast(models.JobStatus, status if isinstance(status, dict) else {})

    @property
    def state(self) -> str:
        """The state of the job when it was last read, such as ``RUNNING``."""
        return str(self.status.get("state", self._record.get("state", "SUBMITTED")))

    @property
    def reason(self) -> str:
        """Why the job waits or how it ended, when it was last read; empty if there is none."""
        return str(self.status.get("reason", ""))

    @property
    def done(self) -> bool:
        """Whether the job had ended when it was last read."""
        return self.state in FINAL_STATES

    @property
    def succeeded(self) -> bool:
        """Whether the job had succeeded when it was last read."""
        return self.state == "SUCCEEDED"

    def check(self) -> None:
        """Raise an error if the job ended without success.

        Raises:
            JobFailed: the job failed or was cancelled.
        """
        if self.done and not self.succeeded:
            because = f": {self.reason}" if self.reason else ""
            raise JobFailed(f"job {self.namespace}/{self.name} is {self.state}{because}")

    def _was_read(self, read: Reading) -> None:
        self._record = read.record
        self._sequence = read.sequence

    def _check_reached(self, states: Iterable[str]) -> None:
        """Raise an error if the job ended in another state than one that was waited for."""
        wanted = {state.upper() for state in states}
        reached = {"RUNNING", "SUCCEEDED"} if self.succeeded else {self.state}
        if not wanted & reached:
            because = f": {self.reason}" if self.reason else ""
            raise JobFailed(
                f"job {self.namespace}/{self.name} is {self.state}{because};"
                f" waited for {' or '.join(sorted(wanted))}"
            )

    def _meta(self, field: str, default: str) -> Any:
        metadata = self._record.get("metadata")
        found = metadata.get(field) if isinstance(metadata, dict) else None
        return found if found is not None else self._record.get(field, default)

    def _acted(self, answer: Json) -> None:
        """Take over the state that an action answered."""
        if "state" in answer and "status" in self._record:
            status = {**self.status, "state": answer["state"]}
            self._record = {**self._record, "status": status}

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.namespace}/{self.name} {self.state} {self.id}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, JobView) and other.id == self.id

    def __hash__(self) -> int:
        return hash(self.id)

    def row(self) -> list[object]:
        """Return the job as a row of a table."""
        spec = self._record.get("spec")
        queue = spec.get("queue") if isinstance(spec, dict) else None
        created = self.status.get("createdAt")
        return [self.namespace, self.name, queue, self.state, created, self.reason, self.id]

    def _repr_html_(self) -> str:
        head = _html.paragraph("Job", escape(f"{self.namespace}/{self.name}"))
        return head + jobs_html([self])


_COLUMNS = ["Namespace", "Name", "Queue", "State", "Created", "Reason", "Id"]


def jobs_html(jobs: Iterable[JobView]) -> str:
    """Return a table of jobs."""
    return _html.table(_COLUMNS, (job.row() for job in jobs))


def items_html(items: Iterable[object]) -> str:
    """Return a table of jobs, or of JSON objects with their plain fields."""
    entries = list(items)
    if entries and all(isinstance(entry, JobView) for entry in entries):
        return jobs_html(entry for entry in entries if isinstance(entry, JobView))
    records = [entry for entry in entries if isinstance(entry, dict)]
    columns: dict[str, None] = {}
    for record in records:
        for name, value in record.items():
            if not isinstance(value, (dict, list)):
                columns[name] = None
    names = list(columns)
    return _html.table(names, ([record.get(name) for name in names] for record in records))


class Listed(list[T]):
    """A list that notebooks show as a table."""

    def _repr_html_(self) -> str:
        return items_html(self)
