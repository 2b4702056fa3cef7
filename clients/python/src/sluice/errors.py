# SPDX-License-Identifier: Apache-2.0
"""Errors: the problems that a server answers, and the failures on the way to it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any

__all__ = [
    "AmbiguousName",
    "BadRequest",
    "Conflict",
    "Forbidden",
    "Gone",
    "InvalidManifest",
    "JobFailed",
    "NotFound",
    "NotInAJob",
    "PreconditionFailed",
    "Refused",
    "ServerFault",
    "SluiceError",
    "TooLarge",
    "TooManyRequests",
    "Unauthorized",
    "Unavailable",
    "Unreachable",
    "Violation",
    "WaitTimeout",
]


@dataclass(frozen=True)
class Violation:
    """One faulty field of a manifest."""

    document: int
    """Number of the document in the body, from 1."""
    path: str
    """The field, as in ``spec.podSets[0].requests[cpu]``; empty for the whole document."""
    value: str
    """The value of the field; empty if there is none."""
    message: str
    """What a correct value would be."""

    def __str__(self) -> str:
        place = self.path or f"document {self.document}"
        value = f' "{self.value}"' if self.value else ""
        return f"{place}{value}: {self.message}"


class SluiceError(Exception):
    """An error of Sluice. Each other error of this package is a subclass.

    An error that a server answered has the fields of its problem document (RFC 9457). The fields
    of any other error are empty, and its ``status`` is None.
    """

    def __init__(
        self,
        detail: str,
        *,
        status: int | None = None,
        code: str = "",
        title: str = "",
        violations: tuple[Violation, ...] = (),
        problem: Mapping[str, Any] | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(detail)
        self.detail = detail
        """One sentence that says what is wrong."""
        self.status = status
        """The HTTP status; None if no server answered."""
        self.code = code
        """The kind of the problem for programs, such as ``invalid-manifest``."""
        self.title = title
        """The kind of the problem for people, such as ``Invalid manifest``."""
        self.violations = violations
        """All faulty fields of a manifest."""
        self.problem: Mapping[str, Any] = problem or {}
        """The whole problem document."""
        self.retry_after = retry_after
        """Seconds after which the server asks for a repetition; None if it named no time."""

    def __str__(self) -> str:
        if self.status is None:
            return self.detail
        head = f"{self.title} ({self.status})" if self.title else f"HTTP status {self.status}"
        if self.violations:
            return "\n  ".join([head, *map(str, self.violations)])
        return f"{head}: {self.detail}" if self.detail else head


class BadRequest(SluiceError):
    """400: a parameter, cursor, id or key is wrong."""


class InvalidManifest(BadRequest):
    """400: the body is not a correct manifest; ``violations`` lists the faulty fields."""


class Unauthorized(SluiceError):
    """401: the token is missing, unknown or expired."""


class Forbidden(SluiceError):
    """403: the caller does not have the right."""


class NotFound(SluiceError):
    """404: no such job, object, log or path exists."""


class Conflict(SluiceError):
    """409: the request contradicts the state of the object."""


class AmbiguousName(Conflict):
    """409: a name matches several objects."""

    @property
    def candidates(self) -> list[dict[str, Any]]:
        """The objects, at most 20, with namespace, name, id and state."""
        return list(self.problem.get("candidates", []))


class Gone(SluiceError):
    """410: what the request names is older than the server keeps."""


class PreconditionFailed(SluiceError):
    """412: the object was changed since it was read."""


class TooLarge(SluiceError):
    """413: the body is too large."""


class Refused(SluiceError):
    """422: the manifest is well-formed but cannot be accepted, such as for a missing queue."""


class TooManyRequests(SluiceError):
    """429: the caller has reached a limit, such as that of its pending jobs in a queue."""


class ServerFault(SluiceError):
    """5xx: a fault of the server."""


class Unavailable(ServerFault):
    """503: the server is overloaded, or its database cannot be reached."""


class Unreachable(SluiceError, ConnectionError):
    """No server answered, or the connection was cut before the whole answer had come."""


class WaitTimeout(SluiceError, TimeoutError):
    """A job had not ended when the time of a wait was over. The job continues."""


class JobFailed(SluiceError):
    """A job ended in another state than ``SUCCEEDED``."""


class NotInAJob(SluiceError, RuntimeError):
    """This process was not started by Sluice."""


_BY_STATUS: dict[int, type[SluiceError]] = {
    400: BadRequest,
    401: Unauthorized,
    403: Forbidden,
    404: NotFound,
    409: Conflict,
    410: Gone,
    412: PreconditionFailed,
    413: TooLarge,
    422: Refused,
    429: TooManyRequests,
    503: Unavailable,
}


def _seconds(retry_after: str | None, now: float) -> float | None:
    """Read a header ``Retry-After``: seconds or a date."""
    if retry_after is None:
        return None
    try:
        return max(0.0, float(retry_after))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(retry_after).timestamp() - now)
    except (TypeError, ValueError):
        return None


def _violation(entry: Mapping[str, Any]) -> Violation:
    return Violation(
        document=int(entry.get("document", 1)),
        path=str(entry.get("path", "")),
        value=str(entry.get("value", "")),
        message=str(entry.get("message", "")),
    )


def error_of(status: int, headers: Mapping[str, str], body: bytes, now: float) -> SluiceError:
    """Return the error that an answer describes.

    Args:
        headers: the headers of the answer, found whatever their case.
        now: seconds since the epoch, to which a date in ``Retry-After`` is compared.
    """
    text = body.decode("utf-8", errors="replace").strip()
    try:
        problem = json.loads(text)
    except ValueError:
        problem = None
    if not isinstance(problem, dict):
        problem = {"detail": text[:2000]}
    title = str(problem.get("title", ""))
    code = str(problem.get("code", "")) or title.lower().replace(" ", "-")
    violations = tuple(_violation(entry) for entry in problem.get("violations", []))
    kind = _BY_STATUS.get(status, ServerFault if status >= 500 else SluiceError)
    if status == 400 and (violations or code == "invalid-manifest"):
        kind = InvalidManifest
    elif status == 409 and "candidates" in problem:
        kind = AmbiguousName
    return kind(
        str(problem.get("detail", "")),
        status=status,
        code=code,
        title=title,
        violations=violations,
        problem=problem,
        retry_after=_seconds(headers.get("retry-after"), now),
    )
