# SPDX-License-Identifier: Apache-2.0
"""The identity of one try of an Airflow task, as its Sluice job carries it."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any

__all__ = ["TaskTry", "job_name"]

_PREFIX = "airflow.apache.org/"
_LABEL_LENGTH_MAX = 63
_DIGEST_LENGTH = 10


@dataclass(frozen=True)
class TaskTry:
    """One try of a task instance."""

    dag_id: str
    run_id: str
    task_id: str
    map_index: int
    """Index of a mapped task; -1 if the task is not mapped."""
    try_number: int
    """Number of the try, from 1."""
    instance: str = ""
    """Id that Airflow gave this try."""
    run_started: str = ""
    """When the DAG run started. It tells apart runs of the same id: those of another Airflow, or of
    a run that was deleted or cleared and created again."""

    @classmethod
    def of(cls, context: Mapping[str, Any]) -> TaskTry:
        """Return the try that a task's context describes."""
        ti = context["ti"]
        return cls(
            dag_id=str(ti.dag_id),
            run_id=str(ti.run_id),
            task_id=str(ti.task_id),
            map_index=-1 if ti.map_index is None else int(ti.map_index),
            try_number=int(ti.try_number),
            instance=str(getattr(ti, "id", "") or ""),
            run_started=_time(getattr(context.get("dag_run"), "start_date", None)),
        )

    @property
    def idempotency_key(self) -> str:
        """The key of this try's submission. It is the same if a worker runs the try again."""
        fields = [
            self.dag_id,
            self.run_id,
            self.task_id,
            self.map_index,
            self.try_number,
            self.instance,
        ]
        return f"airflow-{hashlib.sha256(json.dumps(fields).encode()).hexdigest()}"

    @property
    def task_labels(self) -> dict[str, str]:
        """The labels that the jobs of all tries have in common."""
        return {
            f"{_PREFIX}dag-id": _label_value(self.dag_id),
            f"{_PREFIX}run-id": _label_value(self.run_id),
            f"{_PREFIX}task-id": _label_value(self.task_id),
            f"{_PREFIX}map-index": "none" if self.map_index < 0 else str(self.map_index),
            f"{_PREFIX}run-started": _label_value(self.run_started),
        }

    @property
    def labels(self) -> dict[str, str]:
        """The labels of this try's job."""
        return {**self.task_labels, f"{_PREFIX}try-number": str(self.try_number)}

    def made(self, record: Mapping[str, Any]) -> bool:
        """Whether a job, as the server answers it, was submitted by this try."""
        metadata = record.get("metadata")
        found = metadata.get("labels") if isinstance(metadata, Mapping) else None
        labels = found if isinstance(found, Mapping) else {}
        return all(labels.get(key) == value for key, value in self.labels.items())


def _time(time: datetime | None) -> str:
    return "" if time is None else time.astimezone(timezone.utc).strftime("%Y%m%dT%H%M%S.%f")


def _label_value(text: str) -> str:
    """Return a text as the value of a label. Different texts have different values."""
    if not text:
        return ""
    safe = re.sub(r"[^A-Za-z0-9_.-]", "_", text).strip("_.-")
    if safe == text and len(text) <= _LABEL_LENGTH_MAX:
        return text
    digest = hashlib.sha256(text.encode()).hexdigest()[:_DIGEST_LENGTH]
    kept = safe[: _LABEL_LENGTH_MAX - _DIGEST_LENGTH - 1].rstrip("_.-")
    return f"{kept}-{digest}" if kept else digest


def job_name(task_id: str) -> str:
    """Return a name for the job of a task: lower case, digits and hyphens."""
    safe = re.sub(r"[^a-z0-9-]+", "-", task_id.lower())[:_LABEL_LENGTH_MAX].strip("-")
    return safe or "job"
