# SPDX-License-Identifier: Apache-2.0
"""Failures as Airflow distinguishes them: those that a retry may cure, and the others."""

from __future__ import annotations

from airflow.sdk.exceptions import AirflowException, AirflowFailException
from sluice import SluiceError

__all__ = ["failure_of", "is_final"]

_TOO_MANY_REQUESTS = 429


def is_final(status: int | None) -> bool:
    """Whether a request that was answered with this status will be refused again.

    Args:
        status: the HTTP status; None if no server answered.
    """
    return status is not None and 400 <= status < 500 and status != _TOO_MANY_REQUESTS


def failure_of(text: str, error: SluiceError) -> AirflowException:
    """Return the exception that a task raises for an error of the client."""
    kind = AirflowFailException if is_final(error.status) else AirflowException
    return kind(f"{text}: {error}")
