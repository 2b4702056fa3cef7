# SPDX-License-Identifier: Apache-2.0
"""The client for event loops. Its names are those of :mod:`sluice.client`."""

from __future__ import annotations

import asyncio
import os
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from datetime import timedelta
from types import TracebackType
from typing import Any, Generic, TypeVar, cast

import httpx
from typing_extensions import Self, Unpack

from sluice import _http, models
from sluice._api import Api, job_filters
from sluice._steps import (
    Answer,
    Json,
    LineSplitter,
    Request,
    Retry,
    Steps,
    exchange,
    job_path,
    parameters,
    run_async,
)
from sluice._view import JobView, Listed, items_html
from sluice._watch import Place, Watch
from sluice.address import ServerAddress, find_server
from sluice.explanation import Applied, Explanation, Preview
from sluice.manifest import JobFilters, JobOptions, Manifest, body_of, job_manifest, seconds_of

__all__ = ["AsyncClient", "AsyncEvents", "AsyncJob", "AsyncJobs", "AsyncPages"]

T = TypeVar("T")


class AsyncClient:
    """A client of one server, for one event loop.

    Use it as ``async with AsyncClient() as client``. The server is found at the first request.

    Args:
        server: URL of the server; see :func:`sluice.find_server` for the defaults of this and
            the next four.
        token: the caller's token.
        token_file: a file with the token.
        data: data directory of a server on this machine.
        ca_file: certificates (PEM) of the authorities that sign the server's certificate.
        retry: how requests are repeated.
        timeout: longest wait for an answer, in seconds. Streams of logs have no bound.
    """

    def __init__(
        self,
        server: str | None = None,
        *,
        token: str | None = None,
        token_file: str | os.PathLike[str] | None = None,
        data: str | os.PathLike[str] | None = None,
        ca_file: str | os.PathLike[str] | None = None,
        retry: Retry | None = None,
        timeout: float = 60.0,
    ) -> None:
        self._find = lambda: find_server(
            server, token=token, token_file=token_file, data=data, ca_file=ca_file
        )
        self._timeout = timeout
        self._api = Api(retry or Retry())
        self._opening = asyncio.Lock()
        self._opened: tuple[ServerAddress, httpx.AsyncClient] | None = None
        self.jobs = AsyncJobs(self)
        """The jobs of the server."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close all connections."""
        if self._opened is not None:
            await self._opened[1].aclose()

    def __repr__(self) -> str:
        return f"<AsyncClient of {self._opened[0].url}>" if self._opened else "<AsyncClient>"

    async def run(
        self,
        command: Sequence[str] | None = None,
        *,
        idempotency_key: str | None = None,
        **options: Unpack[JobOptions],
    ) -> AsyncJob:
        """Submit a job and return at once; see :meth:`sluice.Client.run`."""
        return await self.submit(job_manifest(command, options), idempotency_key=idempotency_key)

    async def submit(self, manifest: Manifest, *, idempotency_key: str | None = None) -> AsyncJob:
        """Submit the job of a manifest."""
        steps = self._api.submit("/v1/jobs", body_of(manifest), key=idempotency_key)
        return AsyncJob(self, await self._run(steps))

    async def submit_all(
        self, manifests: Manifest, *, idempotency_key: str | None = None
    ) -> Listed[AsyncJob]:
        """Submit up to 1000 jobs, all or none."""
        steps = self._api.submit("/v1/jobs/bulk", body_of(manifests), key=idempotency_key)
        return Listed(AsyncJob(self, record) for record in (await self._run(steps)).get("jobs", []))

    async def what_if(
        self, command: Sequence[str] | None = None, **options: Unpack[JobOptions]
    ) -> Preview:
        """Return what would happen to a job and because of it, without a submission."""
        return await self.what_if_manifest(job_manifest(command, options))

    async def what_if_manifest(self, manifest: Manifest) -> Preview:
        """Return what would happen to the job of a manifest, without a submission."""
        steps = self._api.submit("/v1/jobs", body_of(manifest), dry_run=True)
        return Preview(await self._run(steps))

    async def apply(
        self, manifest: Manifest, *, dry_run: bool = False, idempotency_key: str | None = None
    ) -> Applied:
        """Create or change objects, and submit jobs; see :meth:`sluice.Client.apply`."""
        steps = self._api.submit(
            "/v1/apply", body_of(manifest), key=idempotency_key, dry_run=dry_run
        )
        answer = await self._run(steps)
        return Preview(answer) if dry_run else Applied(answer)

    async def get(self, path: str, **given: Any) -> Json:
        """Read any endpoint that answers a JSON object, such as ``/v1/server``."""
        return await self._run(self._api.get(path, given))

    def items(self, path: str, **given: Any) -> AsyncPages[Json]:
        """Iterate over any list of the server, such as ``/v1/slices``, page by page."""
        return AsyncPages(self, path, given, lambda record: record)

    def events(
        self,
        *,
        job: str | JobView | None = None,
        run: str | None = None,
        queue: str | None = None,
        cluster_queue: str | None = None,
        namespace: str | None = None,
        kind: str | Iterable[str] | None = None,
        after: str | int | None = None,
        timeout: float | timedelta = 3600.0,
    ) -> AsyncEvents:
        """Follow the events of the journal; see :meth:`sluice.Client.events`."""
        watch = self._api.watch(
            job=job.id if isinstance(job, JobView) else job,
            run=run,
            queue=queue,
            cluster_queue=cluster_queue,
            namespace=namespace,
            kind=kind,
            after=after,
        )
        return AsyncEvents(self, watch, seconds_of(timeout))

    async def _open(self) -> tuple[ServerAddress, httpx.AsyncClient]:
        async with self._opening:
            if self._opened is None:
                # Files are read, and a server that is starting is waited for: not in the loop.
                address = await asyncio.to_thread(self._find)
                http = httpx.AsyncClient(**_http.settings(address, self._timeout))
                self._opened = (address, http)
            return self._opened

    async def _run(self, steps: Steps[T]) -> T:
        return await run_async(steps, self._send)

    async def _send(self, request: Request) -> Answer:
        address, http = await self._open()
        try:
            response = await http.request(**_http.arguments(request))
        except httpx.TransportError as failure:
            raise _http.unreachable(address, failure) from failure
        return Answer(response.status_code, _http.plain(response.headers), response.content)

    async def _lines(self, request: Request, follow: bool) -> AsyncIterator[str]:
        """Stream the lines of a text. Requests are repeated only before the first line."""
        address, http = await self._open()
        opened: list[httpx.Response] = []

        async def open_stream(asked: Request) -> Answer:
            how = _http.endless(asked) if follow else _http.arguments(asked)
            try:
                response = await http.send(http.build_request(**how), stream=True)
                if response.is_success:
                    opened.append(response)
                    return Answer(response.status_code, _http.plain(response.headers), b"")
                body = await response.aread()
            except httpx.TransportError as failure:
                raise _http.unreachable(address, failure) from failure
            return Answer(response.status_code, _http.plain(response.headers), body)

        await run_async(exchange(request, self._api.retry), open_stream)
        response = opened[-1]
        splitter = LineSplitter()
        try:
            async for chunk in response.aiter_bytes():
                for line in splitter.feed(chunk):
                    yield line
            for line in splitter.end():
                yield line
        except httpx.TransportError as failure:
            raise _http.unreachable(address, failure) from failure
        finally:
            await response.aclose()


class AsyncPages(AsyncIterator[T], Generic[T]):
    """An iterator over a list of the server, which reads a page when it needs one."""

    def __init__(
        self,
        client: AsyncClient,
        path: str,
        given: Mapping[str, Any],
        make: Callable[[Json], T],
    ) -> None:
        self._client = client
        self._path = path
        self._given = dict(given)
        self._make = make
        self._read: deque[T] = deque()
        self._cursor: str | None = None
        self._more = True
        self.sequence: int | None = None
        """Number of the last batch that the first page is from, for ``events(after=...)``.

        None before the first page was read, and for lists that do not say.
        """

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> T:
        while not self._read:
            if not self._more:
                raise StopAsyncIteration
            await self._page()
        return self._read.popleft()

    async def _page(self) -> None:
        steps = self._client._api.page(self._path, self._given, self._cursor)
        page = await self._client._run(steps)
        self._read.extend(self._make(record) for record in page.record.get("items", []))
        if self._cursor is None:
            self.sequence = page.sequence
        cursor = page.record.get("nextCursor")
        self._cursor = str(cursor) if cursor is not None else None
        self._more = self._cursor is not None

    async def first(self, most: int) -> Listed[T]:
        """Return the next entries, at most this many."""
        taken: Listed[T] = Listed()
        while len(taken) < most:
            try:
                taken.append(await self.__anext__())
            except StopAsyncIteration:
                break
        return taken

    def _repr_html_(self) -> str:
        """Show what was read already; ``await pages.first(20)`` reads."""
        return items_html(self._read)


class AsyncEvents(AsyncIterator[models.WatchedEvent]):
    """An iterator over the events of the journal, which waits for the next one."""

    def __init__(self, client: AsyncClient, watch: Watch, seconds: float) -> None:
        self._client = client
        self._place = Place(watch)
        self._seconds = seconds

    @property
    def after(self) -> str | None:
        """The place after the last event taken, to continue from; None before the first wait."""
        return self._place.after

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> models.WatchedEvent:
        if self._place.waits:
            self._place.came(await self._client._run(self._place.watch.next(self._seconds)))
        event = self._place.take()
        if event is None:
            raise StopAsyncIteration
        return event


class AsyncJobs:
    """The jobs of a server."""

    def __init__(self, client: AsyncClient) -> None:
        self._client = client

    async def get(self, id: str) -> AsyncJob:
        """Read a job by its id."""
        read = await self._client._run(self._client._api.job(id))
        return AsyncJob(self._client, read.record, read.sequence)

    async def find(
        self, name: str, *, namespace: str | None = None, live: bool = False
    ) -> AsyncJob:
        """Find a job by its name; see :meth:`sluice.client.Jobs.find`."""
        purpose = "change" if live else "read"
        found = await self._client._run(self._client._api.find("job", name, namespace, purpose))
        return await self.get(str(found["id"]))

    def list(
        self, *, page_size: int | None = None, **filters: Unpack[JobFilters]
    ) -> AsyncPages[AsyncJob]:
        """Iterate over jobs, newest first; see :meth:`sluice.client.Jobs.list`."""
        client = self._client
        given = {**job_filters(**filters), "limit": page_size}
        return AsyncPages(client, "/v1/jobs", given, lambda record: AsyncJob(client, record))

    async def counts(self, *by: str, **filters: Unpack[JobFilters]) -> Listed[models.Group]:
        """Count jobs in groups; see :meth:`sluice.client.Jobs.counts`."""
        given = {**job_filters(**filters), "by": ",".join(by) or None}
        answer = await self._client._run(self._client._api.get("/v1/jobs/counts", given))
        return Listed(answer.get("items", []))


class AsyncJob(JobView):
    """A job of the server.

    ``state``, ``reason`` and ``record`` are those of the last reading; :meth:`refresh` reads the
    job again.
    """

    def __init__(
        self, client: AsyncClient, record: Mapping[str, Any], sequence: int | None = None
    ) -> None:
        super().__init__(record, sequence)
        self._client = client

    async def refresh(self) -> Self:
        """Read the job again and return it."""
        self._was_read(await self._client._run(self._client._api.job(self.id)))
        return self

    async def why(self) -> Explanation:
        """Explain why the job is not running."""
        record = await self._client._run(self._client._api.get(job_path(self.id, "explanation")))
        return Explanation(f"{self.namespace}/{self.name}", record)

    async def wait(self, timeout: float | timedelta = 3600.0, *, check: bool = False) -> Self:
        """Wait for the end of the job and return it; see :meth:`sluice.Job.wait`."""
        steps = self._client._api.wait(self.id, seconds_of(timeout))
        self._was_read(await self._client._run(steps))
        if check:
            self.check()
        return self

    async def wait_for(self, *states: str, timeout: float | timedelta = 3600.0) -> Self:
        """Wait until the job is in one of these states; see :meth:`sluice.Job.wait_for`."""
        steps = self._client._api.wait(self.id, seconds_of(timeout), states)
        self._was_read(await self._client._run(steps))
        self._check_reached(states)
        return self

    def logs(
        self,
        *,
        follow: bool = False,
        index: int = 0,
        attempt: int | None = None,
        pod: str | None = None,
        tail: int | None = None,
    ) -> AsyncIterator[str]:
        """Iterate over the lines of the job's output; see :meth:`sluice.Job.logs`."""
        given = {"index": index, "attempt": attempt, "pod": pod, "tail": tail, "follow": follow}
        request = Request(
            "GET", job_path(self.id, "logs"), parameters(given), headers=(("Accept", "*/*"),)
        )
        return self._client._lines(request, follow)

    async def cancel(self) -> Self:
        """Request the end of the job."""
        return await self._act("cancel")

    async def hold(self, *, running: str | None = None) -> Self:
        """Request a hold: nothing more of the job is admitted.

        Args:
            running: ``evict`` (default) or ``leave``, for attempts that run.
        """
        return await self._act("hold", running=running)

    async def release(self) -> Self:
        """Request the release of the job from a hold."""
        return await self._act("release")

    async def prioritize(self, priority: str) -> Self:
        """Request another WorkloadPriorityClass for the job."""
        return await self._act("prioritize", **{"class": priority})

    async def limit(self, time_limit: str, *, override: bool = False) -> Self:
        """Request another time limit for the job.

        Args:
            time_limit: a duration such as ``90s`` or ``1h30m``, or ``none``.
            override: accept, as an administrator, that planned starts of other jobs move.
        """
        return await self._act(
            "limit", timeLimit=time_limit, override="true" if override else "false"
        )

    def events(self) -> AsyncPages[models.JobEvent]:
        """Iterate over the events of the job so far, oldest first.

        :meth:`sluice.AsyncClient.events` follows those to come.
        """
        path = job_path(self.id, "events")
        return AsyncPages(self._client, path, {}, lambda record: cast("models.JobEvent", record))

    def attempts(self, *, index: int | None = None) -> AsyncPages[models.AttemptView]:
        """Iterate over the attempts of the job, newest first."""
        path = job_path(self.id, "attempts")
        return AsyncPages(
            self._client, path, {"index": index}, lambda record: cast("models.AttemptView", record)
        )

    async def _act(self, action: str, **given: Any) -> Self:
        steps = self._client._api.post(job_path(self.id, action), given)
        self._acted(await self._client._run(steps))
        return self
