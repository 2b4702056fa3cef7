# SPDX-License-Identifier: Apache-2.0
"""Explanations of waiting jobs, previews, and results of an apply."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, cast

from sluice import _html, models

__all__ = ["Applied", "Explanation", "Preview"]


class Explanation:
    """Why a job is not running. ``str()`` of it is a sentence for people."""

    def __init__(self, job: str, record: Mapping[str, Any]) -> None:
        self.job = job
        """Namespace and name of the job."""
        self.record = cast(models.JobExplanation, record)
        """The whole answer of the server."""

    @property
    def state(self) -> str:
        """The state of the job."""
        return str(self.record.get("state", ""))

    @property
    def reason(self) -> str:
        """The reason as a sentence; empty if there is none."""
        return str(self.record.get("reason", ""))

    @property
    def blocker(self) -> str | None:
        """The code of the obstacle; None if the job does not wait."""
        return _text(self.record, "blocker")

    @property
    def cure(self) -> str | None:
        """What can remove the blocker: TIME, PREEMPTION, CAPACITY, QUOTA or USER."""
        return _text(self.record, "cure")

    @property
    def ahead(self) -> int | None:
        """Number of jobs of the queue that are tried before this one."""
        ahead = self.record.get("ahead")
        return ahead if isinstance(ahead, int) else None

    @property
    def starts_by(self) -> str | None:
        """Latest start, in ISO 8601; None if it depends on work without a time limit."""
        return _text(self.record, "startsBy")

    @property
    def until(self) -> str | None:
        """When the blocker ends by itself, in ISO 8601."""
        return _text(self.record, "until")

    @property
    def in_the_way(self) -> list[str]:
        """Names of the first attempts that hold what the job needs."""
        return [str(holder.get("name", "")) for holder in _first(self.record.get("inTheWay"))]

    @property
    def smallest_change(self) -> str | None:
        """The smallest addition that would let the job start; None if the job does not wait."""
        change = self.record.get("smallestChange")
        if not isinstance(change, dict):
            return None
        parts: Sequence[Mapping[str, Any]] = change.get("parts") or [change]
        return ", and ".join(_change(part) for part in parts)

    def __str__(self) -> str:
        sentence = f"{self.job} is {self.state}"
        if self.reason:
            sentence += f": {self.reason}"
        if self.ahead:
            sentence += (
                f"; {self.ahead} {'job comes' if self.ahead == 1 else 'jobs come'} before it"
            )
        if self.starts_by:
            sentence += f"; it starts by {self.starts_by}"
        if self.smallest_change:
            sentence += f". Smallest change: {self.smallest_change}"
        return sentence

    def __repr__(self) -> str:
        return f"<Explanation {self}>"

    def _repr_html_(self) -> str:
        head = _html.paragraph(escape(self.job), "is", _html.state(self.state))
        return head + _html.pairs(
            [
                ("Reason", self.reason),
                ("Blocker", self.blocker),
                ("Cure", self.cure),
                ("Jobs before it", self.ahead),
                ("Until", self.until),
                ("Starts by", self.starts_by),
                ("In the way", ", ".join(self.in_the_way)),
                ("Smallest change", self.smallest_change),
            ]
        )


class Applied:
    """The results of an apply."""

    def __init__(self, record: Mapping[str, Any]) -> None:
        self.record = cast(models.ApplyAnswer, record)
        """The whole answer of the server."""

    @property
    def results(self) -> list[models.ApplyResult]:
        """One entry for each object and job, with kind, namespace, name and result."""
        return list(self.record.get("results", []))

    @property
    def warnings(self) -> list[str]:
        """Warnings as sentences."""
        return [str(warning) for warning in self.record.get("warnings", [])]

    def __str__(self) -> str:
        lines = [f"{_named(result)} {result.get('result', '')}" for result in self.results]
        return "\n".join([*lines, *(f"warning: {warning}" for warning in self.warnings)])

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {len(self.results)} objects>"

    def _repr_html_(self) -> str:
        columns = ["kind", "namespace", "name", "result"]
        rows = [[result.get(column) for column in columns] for result in self.results]
        warnings = "".join(_html.paragraph(escape(warning)) for warning in self.warnings)
        return _html.table(["Kind", "Namespace", "Name", "Result"], rows) + warnings


class Preview(Applied):
    """The answer to a dry run: what would be written, and which decisions would change.

    Nothing was changed.
    """

    @property
    def complete(self) -> bool:
        """Whether the server followed all consequences to their end."""
        return bool(self._preview.get("complete", True))

    @property
    def state(self) -> str | None:
        """The expected state of the first job: ADMITTED or PENDING; None without a job."""
        return next((str(job["state"]) for job in self._jobs), None)

    @property
    def reason(self) -> str | None:
        """Why the first job would wait; None if it would not."""
        return next((_text(job, "reason") for job in self._jobs), None)

    @property
    def gains(self) -> list[models.JobGain]:
        """The first jobs that would be admitted because of the change."""
        return _first(self._preview.get("gains"))

    @property
    def evictions(self) -> list[models.AttemptEviction]:
        """The first attempts that would be told to end."""
        return _first(self._preview.get("evictions"))

    @property
    def waits(self) -> list[models.JobWait]:
        """The first jobs that would wait because of the change."""
        return _first(self._preview.get("waits"))

    @property
    def _preview(self) -> Mapping[str, Any]:
        preview = self.record.get("preview")
        return preview if isinstance(preview, dict) else {}

    @property
    def _jobs(self) -> list[models.ApplyResult]:
        return [result for result in self.results if "state" in result]

    def __str__(self) -> str:
        lines = []
        for result in self.results:
            line = f"{_named(result)} would be {result.get('result', '')}"
            if "state" in result:
                line += f", then {result['state']}"
            if "reason" in result:
                line += f": {result['reason']}"
            lines.append(line)
        for title, entries in self._sections():
            lines += [f"{title}: {_full_name(entry)}{_why(entry)}" for entry in entries]
        lines += [f"warning: {warning}" for warning in self.warnings]
        if not self.complete:
            lines.append("The preview is incomplete: the server stopped early.")
        return "\n".join([*lines, "Nothing was changed."])

    def _sections(self) -> list[tuple[str, Sequence[Mapping[str, Any]]]]:
        return [
            ("told to end", self.evictions),
            ("admitted because of it", self.gains),
            ("waits because of it", self.waits),
        ]

    def _repr_html_(self) -> str:
        lines = (_html.paragraph(escape(line)) for line in str(self).splitlines())
        return "".join(lines)


def _text(record: Mapping[str, Any], field: str) -> str | None:
    value = record.get(field)
    return None if value is None else str(value)


def _first(listed: object) -> list[Any]:
    return list(listed.get("first", [])) if isinstance(listed, dict) else []


def _named(result: Mapping[str, Any]) -> str:
    parts = [str(result.get("kind", "")).lower(), result.get("namespace"), result.get("name")]
    return "/".join(str(part) for part in parts if part)


def _full_name(entry: Mapping[str, Any]) -> str:
    return f"{entry.get('namespace', '')}/{entry.get('name', '')}"


def _why(entry: Mapping[str, Any]) -> str:
    return f": {entry['reason']}" if entry.get("reason") else ""


def _change(change: Mapping[str, Any]) -> str:
    kind = str(change.get("kind", ""))
    subject = change.get("subject", "")
    amount = str(change.get("amount", ""))
    slices = "slice" if amount == "1" else "slices"
    sentences = {
        "ADD_QUOTA": f"{amount} more of {change.get('resource', '')} in flavor {subject}",
        "ADD_SLICES": f"{amount} more free {slices} of flavor {subject}",
        "ADD_NODES": f"hosts of flavor {subject} for {amount} more pods or bundles, close together",
        "CHANGE_TOPOLOGY_REQUEST": f"a topology request that flavor {subject} can meet",
        "CHANGE_COMPUTE_CLASS": f"a rung of compute class {subject} that the queue has",
        "RELEASE_JOB": "a release of the job",
        "RAISE_SUBMITTER_LIMIT": (
            f"{amount} more running jobs of one submitter in LocalQueue {subject}"
        ),
        "RESUME_QUEUE": f"queue {subject} admits again",
        "SELECT_NAMESPACE": f"the ClusterQueue selects namespace {subject}",
        "ADD_TOLERATION": f"a toleration of the taints of flavor {subject}",
        "CHANGE_NODE_SELECTOR": f"a selector of labels that flavor {subject} offers",
        "WAIT": "none; wait",
        "NONE": "none: no more quota, slices or hosts would start it",
        "UNKNOWN": "not known: too many jobs compete for what would be added",
    }
    return sentences.get(kind, kind)
