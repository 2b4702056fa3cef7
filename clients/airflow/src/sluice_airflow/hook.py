# SPDX-License-Identifier: Apache-2.0
"""The hook: an Airflow connection as a client of a Sluice server."""

from __future__ import annotations

from typing import Any

from airflow.sdk import BaseHook, Connection
from sluice import AsyncClient, Client, Retry, SluiceError

__all__ = ["SluiceHook"]

_DEFAULT_PORT = 7411
_SHORT = Retry(tries=4, seconds=10.0)


class SluiceHook(BaseHook):
    """Opens clients of the server that a connection of type ``sluice`` describes.

    ======== ====================================================================
    field    meaning
    ======== ====================================================================
    host     name or address of the server, or its whole URL
    port     default: 7411
    schema   ``http`` (default) or ``https``
    password the caller's token
    extra    ``{"namespace": "team"}``: namespace of jobs that name none;
             ``{"job_url": "https://.../{namespace}/{name}/{id}"}``: page of a job
    ======== ====================================================================

    Args:
        sluice_conn_id: id of the connection.
    """

    conn_name_attr = "sluice_conn_id"
    default_conn_name = "sluice_default"
    conn_type = "sluice"
    hook_name = "Sluice"

    def __init__(self, sluice_conn_id: str = default_conn_name, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.sluice_conn_id = sluice_conn_id
        self._connection: Connection | None = None

    @property
    def connection(self) -> Connection:
        """The connection. It is read once."""
        if self._connection is None:
            self._connection = self.get_connection(self.sluice_conn_id)
        return self._connection

    async def read_connection(self) -> None:
        """Read the connection in an event loop. The other methods then do not block."""
        if self._connection is None:
            self._connection = await self.aget_connection(self.sluice_conn_id)

    @property
    def url(self) -> str:
        """URL of the server."""
        return server_url(self.connection)

    @property
    def namespace(self) -> str:
        """Namespace of jobs that name none."""
        return str(self.connection.extra_dejson.get("namespace") or "default")

    def job_url(self, namespace: str, name: str, id: str) -> str:
        """Return the URL of a page about a job, by default that of the REST interface."""
        template = self.connection.extra_dejson.get("job_url") or f"{self.url}/v1/jobs/{{id}}"
        written = str(template)
        for field, value in (("namespace", namespace), ("name", name), ("id", id)):
            written = written.replace(f"{{{field}}}", value)
        return written

    def get_conn(self, *, retry: Retry | None = None, timeout: float = 60.0) -> Client:
        """Return a new client. The caller closes it.

        Args:
            retry: how requests are repeated.
            timeout: longest wait for an answer, in seconds.
        """
        return Client(self.url, token=self.connection.password, retry=retry, timeout=timeout)

    def async_conn(self) -> AsyncClient:
        """Return a new client for an event loop, which gives up repetitions after 10 s."""
        return AsyncClient(self.url, token=self.connection.password, retry=_SHORT)

    def test_connection(self) -> tuple[bool, str]:
        """Call the server, for the button in the form of a connection."""
        try:
            with self.get_conn(retry=Retry(tries=1), timeout=10.0) as client:
                client.get("/v1/server")
        except (SluiceError, ValueError) as failure:
            return False, str(failure)
        return True, f"{self.url} answered"

    @classmethod
    def get_ui_field_behaviour(cls) -> dict[str, Any]:
        """Return how the form of a connection shows its fields."""
        return {
            "hidden_fields": ["login"],
            "relabeling": {"password": "Token", "schema": "Scheme"},
            "placeholders": {
                "host": "sluice.example.com",
                "port": str(_DEFAULT_PORT),
                "schema": "http",
                "extra": '{"namespace": "team"}',
            },
        }


def server_url(connection: Connection) -> str:
    """Return the URL of the server that a connection describes."""
    host = str(connection.host or "127.0.0.1").rstrip("/")
    scheme, separator, rest = host.partition("://")
    if not separator:
        scheme, rest = str(connection.schema or "http"), host
    name, slash, path = rest.partition("/")
    if name.count(":") > 1 and not name.startswith("["):
        name = f"[{name}]"
    if connection.port:
        name = f"{name}:{connection.port}"
    elif not separator and not _has_port(name):
        name = f"{name}:{_DEFAULT_PORT}"
    return f"{scheme}://{name}{slash}{path}"


def _has_port(name: str) -> bool:
    return ":" in name.rpartition("]")[2]
