# SPDX-License-Identifier: Apache-2.0
"""Sluice: submit jobs, ask why they wait, read what they print.

>>> import sluice
>>> job = sluice.run(["python", "train.py"], queue="main", accelerator="v6e:4x4", slices=2)
>>> print(job.why())
>>> job.wait(timeout=3600, check=True)
"""

from sluice import models
from sluice._default import default_client, run, set_default_client, what_if
from sluice._http import package_version
from sluice._steps import Retry
from sluice._task import Task, TaskError, task
from sluice.address import ServerAddress, find_server
from sluice.aio import AsyncClient, AsyncEvents, AsyncJob
from sluice.client import Client, Events, Job
from sluice.errors import (
    AmbiguousName,
    BadRequest,
    Conflict,
    Forbidden,
    Gone,
    InvalidManifest,
    JobFailed,
    NotFound,
    NotInAJob,
    PreconditionFailed,
    Refused,
    ServerFault,
    SluiceError,
    TooLarge,
    TooManyRequests,
    Unauthorized,
    Unavailable,
    Unreachable,
    Violation,
    WaitTimeout,
)
from sluice.explanation import Applied, Explanation, Preview
from sluice.manifest import JobFilters, JobOptions
from sluice.worker import Context, SliceContext, context

__version__ = package_version()

__all__ = [
    "AmbiguousName",
    "Applied",
    "AsyncClient",
    "AsyncEvents",
    "AsyncJob",
    "BadRequest",
    "Client",
    "Conflict",
    "Context",
    "Events",
    "Explanation",
    "Forbidden",
    "Gone",
    "InvalidManifest",
    "Job",
    "JobFailed",
    "JobFilters",
    "JobOptions",
    "NotFound",
    "NotInAJob",
    "PreconditionFailed",
    "Preview",
    "Refused",
    "Retry",
    "ServerAddress",
    "ServerFault",
    "SliceContext",
    "SluiceError",
    "Task",
    "TaskError",
    "TooLarge",
    "TooManyRequests",
    "Unauthorized",
    "Unavailable",
    "Unreachable",
    "Violation",
    "WaitTimeout",
    "context",
    "default_client",
    "find_server",
    "models",
    "run",
    "set_default_client",
    "task",
    "what_if",
]
