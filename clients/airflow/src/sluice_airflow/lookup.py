# SPDX-License-Identifier: Apache-2.0
"""How a sensor's argument names a job."""

from __future__ import annotations

import re
from dataclasses import dataclass

from sluice import AsyncClient, AsyncJob, Client, Job, NotFound
from sluice.manifest import JobFilters

__all__ = ["JobReference"]

_ID = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")


@dataclass(frozen=True)
class JobReference:
    """A job by its id, or the newest job of a name."""

    text: str
    """An id, a name, or ``NAMESPACE/NAME``."""
    namespace: str | None = None
    """Namespace in which a name is looked for; None: all."""
    since: str | None = None
    """Only jobs of the name that were created at this time or later."""

    @property
    def is_id(self) -> bool:
        """Whether the text is an id. A job of an id exists, or never will."""
        return _ID.fullmatch(self.text) is not None

    def find(self, client: Client) -> Job | None:
        """Return the job; None if the name has none yet.

        Raises:
            NotFound: there is no job of this id.
        """
        if self.is_id:
            return client.jobs.get(self.text)
        if self.since is not None:
            return next(client.jobs.list(page_size=1, **self._filters()), None)
        try:
            return client.jobs.find(self.text, namespace=self.namespace)
        except NotFound:
            return None

    async def find_async(self, client: AsyncClient) -> AsyncJob | None:
        """Return the job in an event loop; see :meth:`find`."""
        if self.is_id:
            return await client.jobs.get(self.text)
        if self.since is not None:
            return await anext(client.jobs.list(page_size=1, **self._filters()), None)
        try:
            return await client.jobs.find(self.text, namespace=self.namespace)
        except NotFound:
            return None

    def _filters(self) -> JobFilters:
        before, slash, name = self.text.rpartition("/")
        namespace = before if slash else self.namespace
        return {"name": name, "namespace": namespace, "since": self.since}
