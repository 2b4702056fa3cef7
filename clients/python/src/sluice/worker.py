# SPDX-License-Identifier: Apache-2.0
"""What a process of a job knows about itself, and what it can report."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sluice._steps import Request, exchange, job_path
from sluice.client import Client
from sluice.errors import NotInAJob

__all__ = ["Context", "SliceContext", "context"]

_CHECKPOINT_BYTES_MAX = 4096


@dataclass(frozen=True)
class SliceContext:
    """The place of a process in its TPU slice."""

    name: str
    """Name of the slice."""
    worker: int
    """Number of the host in the slice, from 0."""
    hostnames: tuple[str, ...]
    """Addresses of the hosts of the slice, in the order of the workers."""
    topology: str
    """Topology of the slice, such as ``4x4``."""
    accelerator_type: str
    """Type and number of chips, such as ``v6e-16``."""
    number: int
    """Number of the slice among those of the attempt, from 0."""
    count: int
    """Number of slices of the attempt."""


@dataclass(frozen=True)
class Context:
    """The place of a process in its job."""

    job: str
    """Id of the job."""
    index: int
    """Index of the array; 0 without one."""
    attempt: int
    """Number of the attempt, from 1."""
    generation: int
    """Generation of the attempt, from 1. Each resize makes the next."""
    attempt_index: int
    """The index by which the server knows the attempt. It differs from ``index`` only for an
    array with ``indices``."""
    pod: str
    """Name of the pod."""
    host: str
    """Name of the host."""
    rank: int
    """Number of the pod among all pods of the attempt, from 0."""
    world_size: int
    """Number of pods of the attempt."""
    checkpoint: str | None
    """The last checkpoint of the index; None if there is none."""
    slice: SliceContext | None
    """The TPU slice of the process; None without one."""
    environment: Mapping[str, str] = field(repr=False, compare=False)
    """The variables from which this was read."""

    def report_checkpoint(self, text: str, *, client: Client | None = None) -> None:
        """Report a checkpoint, such as a path or a step. The next start of the index receives it.

        The report goes into a file that the executor reads. Where there is no such file, or if a
        client is given, it goes to the server.

        Args:
            text: one line of printable characters, at most 4096 bytes.

        Raises:
            ValueError: the text is not such a line.
        """
        encoded = text.encode()
        if not text.strip() or not text.isprintable() or len(encoded) > _CHECKPOINT_BYTES_MAX:
            raise ValueError(
                "a checkpoint is one line of printable characters, not blank, of at most"
                f" {_CHECKPOINT_BYTES_MAX} bytes: {text[:100]!r}"
            )
        file = self.environment.get("SLUICE_CHECKPOINT_FILE")
        if file is not None and client is None:
            _write(file, encoded + b"\n")
            return
        if client is None:
            with Client() as own:
                self._post_checkpoint(own, text)
        else:
            self._post_checkpoint(client, text)

    def _post_checkpoint(self, client: Client, text: str) -> None:
        report = {
            "index": self.attempt_index,
            "attempt": self.attempt,
            "generation": self.generation,
            "text": text,
        }
        request = Request(
            "POST", job_path(self.job, "checkpoint"), body=json.dumps(report).encode()
        )
        client._run(exchange(request, client._api.retry))

    def progress(self, text: str = "") -> None:
        """Report progress. The job shows the first line of the text, at most 200 characters.

        Without a file for progress, this does nothing: then nobody watches the progress.
        """
        file = self.environment.get("SLUICE_PROGRESS_FILE")
        if file is not None:
            _write(file, text.encode() + b"\n")

    def output(self, value: Any) -> None:
        """Pass a JSON value to later steps of the pipeline run.

        Raises:
            NotInAJob: the executor takes no outputs.
        """
        file = self.environment.get("SLUICE_OUTPUT_FILE")
        if file is None:
            raise NotInAJob("this executor takes no outputs: SLUICE_OUTPUT_FILE is not set")
        _write(file, json.dumps(value, allow_nan=False).encode())


def context(environment: Mapping[str, str] | None = None) -> Context:
    """Return the place of this process in its job.

    Args:
        environment: variables to read instead of those of this process.

    Raises:
        NotInAJob: Sluice did not start this process.
    """
    variables = dict(os.environ if environment is None else environment)
    if "SLUICE_JOB_ID" not in variables:
        raise NotInAJob("this process is not one of a job: SLUICE_JOB_ID is not set")
    index = _number(variables, "SLUICE_INDEX", 0)
    return Context(
        job=variables["SLUICE_JOB_ID"],
        index=index,
        attempt=_number(variables, "SLUICE_ATTEMPT", 1),
        generation=_number(variables, "SLUICE_GENERATION", 1),
        attempt_index=_number(variables, "SLUICE_ATTEMPT_INDEX", index),
        pod=variables.get("SLUICE_POD", ""),
        host=variables.get("SLUICE_HOST", ""),
        rank=_number(variables, "RANK", 0),
        world_size=_number(variables, "WORLD_SIZE", 1),
        checkpoint=variables.get("SLUICE_CHECKPOINT"),
        slice=_slice(variables),
        environment=variables,
    )


def _slice(variables: Mapping[str, str]) -> SliceContext | None:
    if "TPU_NAME" not in variables:
        return None
    hostnames = variables.get("TPU_WORKER_HOSTNAMES", "")
    return SliceContext(
        name=variables["TPU_NAME"],
        worker=_number(variables, "TPU_WORKER_ID", 0),
        hostnames=tuple(name for name in hostnames.split(",") if name),
        topology=variables.get("TPU_TOPOLOGY", ""),
        accelerator_type=variables.get("TPU_ACCELERATOR_TYPE", ""),
        number=_number(variables, "MEGASCALE_SLICE_ID", 0),
        count=_number(variables, "MEGASCALE_NUM_SLICES", 1),
    )


def _number(variables: Mapping[str, str], name: str, default: int) -> int:
    value = variables.get(name)
    if value is None:
        return default
    try:
        return int(value)
    except ValueError:
        raise NotInAJob(f"{name} is not a number: {value!r}") from None


def _write(file: str, content: bytes) -> None:
    """Replace the content of a file that exists, with one write."""
    descriptor = os.open(file, os.O_WRONLY | os.O_TRUNC)
    try:
        os.write(descriptor, content)
    finally:
        os.close(descriptor)
