# SPDX-License-Identifier: Apache-2.0
"""Manifests of jobs, built from arguments. The server checks the values."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, TypeAlias

from typing_extensions import TypedDict

from sluice._steps import Json

__all__ = ["Duration", "JobFilters", "JobOptions", "Manifest", "body_of", "job_manifest"]

Duration: TypeAlias = str | timedelta
"""A duration: text as in manifests, such as ``90s`` or ``1h30m``, or a timedelta."""

Manifest: TypeAlias = (
    str | bytes | os.PathLike[str] | Mapping[str, Any] | Sequence[Mapping[str, Any]]
)
"""Manifests: YAML or JSON text, the path of a file, one object, or several objects."""


class JobOptions(TypedDict, total=False):
    """The options of a job. They have the names and meanings of ``./sluice submit``.

    queue: LocalQueue in the namespace. Default: the queue of the compute class.
    namespace: namespace of the job. Default: ``default``.
    name: name of the job; need not be unique. Default: ``job``.
    labels: labels of the job.
    accelerator: type and topology of whole slices, such as ``v6e:4x4``.
    machine_type: machine type of the slices, if several offer the topology.
    slices: number of slices, or ``(min, max)`` or ``"min..max"`` for an elastic job. Default: 1.
    requests: resources that each pod requests, such as ``{"cpu": "500m"}``.
    env: environment variables of each process.
    image: container image.
    compute_class: ComputeClass of the job.
    priority: WorkloadPriorityClass of the job.
    preemptible: whether the job may be evicted for work of higher priority in any queue.
    hold: whether the job is held until its release.
    array: number of indices of an array.
    max_parallel: most indices that run at once.
    time_limit: longest run of an attempt.
    start_deadline: longest time from admission to start. Default: ``5m``.
    progress_deadline: longest time without progress.
    grace_period: time between SIGTERM and SIGKILL. Default: ``30s``.
    max_failures: number of failed attempts that are retried, for each index. Default: 0.
    spec: further fields of the manifest's ``spec``, as in YAML.
    """

    queue: str
    namespace: str
    name: str
    labels: Mapping[str, str]
    accelerator: str
    machine_type: str
    slices: int | str | tuple[int, int]
    requests: Mapping[str, str | int | float]
    env: Mapping[str, str]
    image: str
    compute_class: str
    priority: str
    preemptible: bool
    hold: bool
    array: int
    max_parallel: int
    time_limit: Duration
    start_deadline: Duration
    progress_deadline: Duration
    grace_period: Duration
    max_failures: int
    spec: Mapping[str, Any]


class JobFilters(TypedDict, total=False):
    """Filters of jobs. A job must match all of them.

    namespace: jobs of this namespace.
    name: jobs of this name.
    queue: jobs of LocalQueues of this name.
    cluster_queue: jobs that were submitted to this ClusterQueue.
    state: jobs in this state, or in one of these states.
    held: jobs that are held, or jobs that are not.
    label: jobs with all of these labels.
    since: jobs that were created at this time or later.
    until: jobs that were created before this time.
    """

    namespace: str | None
    name: str | None
    queue: str | None
    cluster_queue: str | None
    state: str | Iterable[str] | None
    held: bool | None
    label: Mapping[str, str] | None
    since: datetime | str | None
    until: datetime | str | None


_SPEC_FIELDS = {
    "queue": "queue",
    "image": "image",
    "compute_class": "computeClass",
    "priority": "priorityClass",
    "preemptible": "preemptible",
    "hold": "hold",
    "max_failures": "maxFailures",
}
_SPEC_DURATIONS = {
    "time_limit": "timeLimit",
    "start_deadline": "startDeadline",
    "progress_deadline": "progressDeadline",
    "grace_period": "gracePeriod",
}


def job_manifest(command: Sequence[str] | None, options: Mapping[str, Any]) -> Json:
    """Return the manifest of a job.

    Args:
        command: the program and its arguments; no shell interprets them. None: the image's own,
            or that of ``spec``.
        options: the fields of :class:`JobOptions`; those that are None count as absent.

    Raises:
        TypeError: an option is unknown, or the command is one text.
    """
    unknown = sorted(set(options) - set(JobOptions.__annotations__))
    if unknown:
        known = ", ".join(JobOptions.__annotations__)
        raise TypeError(f"unknown option {', '.join(unknown)}; there are {known}")
    given = {name: value for name, value in options.items() if value is not None}
    metadata: Json = {"namespace": given.get("namespace", "default")}
    if "name" in given:
        metadata["name"] = given["name"]
    if "labels" in given:
        metadata["labels"] = dict(given["labels"])
    spec: Json = {field: given[name] for name, field in _SPEC_FIELDS.items() if name in given}
    for name, field in _SPEC_DURATIONS.items():
        if name in given:
            spec[field] = duration_text(given[name])
    accelerator = _accelerator(given)
    if accelerator:
        spec["accelerator"] = accelerator
    for name in ("requests", "env"):
        if name in given:
            spec[name] = dict(given[name])
    if "array" in given:
        spec["array"] = {"count": given["array"]}
        if "max_parallel" in given:
            spec["array"]["maxParallel"] = given["max_parallel"]
    elif "max_parallel" in given:
        raise TypeError("max_parallel needs array")
    if command is not None:
        spec["command"] = _words(command)
    _add_fields(spec, given.get("spec", {}))
    return {"apiVersion": "sluice.io/v1", "kind": "Job", "metadata": metadata, "spec": spec}


def _words(command: Sequence[str]) -> list[str]:
    if isinstance(command, (str, bytes)):
        raise TypeError(
            'a command is a list of words, such as ["sh", "-c", "..."]; no shell splits a text'
        )
    return [os.fspath(word) for word in command]


def _accelerator(given: Mapping[str, Any]) -> Json:
    if "accelerator" not in given:
        for name in ("slices", "machine_type"):
            if name in given:
                raise TypeError(f"{name} needs accelerator")
        return {}
    kind, colon, topology = str(given["accelerator"]).partition(":")
    if not colon:
        raise ValueError(
            f"accelerator must be TYPE:TOPOLOGY such as v6e:4x4, it is {given['accelerator']!r}"
        )
    accelerator: Json = {"type": kind, "topology": topology}
    if "slices" in given:
        accelerator["slices"] = _slices(given["slices"])
    if "machine_type" in given:
        accelerator["machineType"] = given["machine_type"]
    return accelerator


def _slices(slices: int | str | tuple[int, int]) -> int | Json:
    if isinstance(slices, int):
        return slices
    bounds: Iterable[int | str] = slices.split("..") if isinstance(slices, str) else slices
    try:
        numbers = [int(bound) for bound in bounds]
    except ValueError:
        numbers = []
    if len(numbers) == 1:
        return numbers[0]
    if len(numbers) == 2:
        return {"min": numbers[0], "max": numbers[1]}
    raise ValueError(
        f"slices must be a number such as 2, or a range such as (1, 4), it is {slices!r}"
    )


def _add_fields(spec: Json, more: Mapping[str, Any]) -> None:
    for field, value in more.items():
        if field in spec:
            raise TypeError(f"spec.{field} is given by an option and by spec")
        spec[field] = value


def duration_text(duration: Duration) -> str:
    """Return a duration as manifests write it."""
    if isinstance(duration, timedelta):
        milliseconds = round(duration.total_seconds() * 1000)
        whole = milliseconds % 1000 == 0
        return f"{milliseconds // 1000}s" if whole else f"{milliseconds}ms"
    return duration


def seconds_of(duration: float | timedelta) -> float:
    """Return a duration in seconds."""
    return duration.total_seconds() if isinstance(duration, timedelta) else float(duration)


def body_of(manifest: Manifest) -> bytes:
    """Return the body of a request with these manifests."""
    if isinstance(manifest, bytes):
        return manifest
    if isinstance(manifest, str):
        return manifest.encode()
    if isinstance(manifest, os.PathLike):
        return Path(manifest).read_bytes()
    if isinstance(manifest, Mapping):
        return json.dumps(dict(manifest), allow_nan=False).encode()
    return json.dumps([dict(one) for one in manifest], allow_nan=False).encode()
