# SPDX-License-Identifier: Apache-2.0
"""The client that the functions of the package use."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from typing_extensions import Unpack

from sluice.client import Client, Job
from sluice.explanation import Preview
from sluice.manifest import JobOptions

_lock = threading.Lock()
_client: Client | None = None


def default_client() -> Client:
    """Return the client that :func:`run` and :func:`what_if` use, made at the first call."""
    global _client
    with _lock:
        if _client is None:
            _client = Client()
        return _client


def set_default_client(client: Client | None) -> None:
    """Let :func:`run` and :func:`what_if` use this client; None: a new one at the next call."""
    global _client
    with _lock:
        _client = client


def run(
    command: Sequence[str] | None = None,
    *,
    idempotency_key: str | None = None,
    **options: Unpack[JobOptions],
) -> Job:
    """Submit a job and return at once; see :meth:`sluice.Client.run`."""
    return default_client().run(command, idempotency_key=idempotency_key, **options)


def what_if(command: Sequence[str] | None = None, **options: Unpack[JobOptions]) -> Preview:
    """Return what would happen to a job, without a submission; see :meth:`Client.what_if`."""
    return default_client().what_if(command, **options)
