# SPDX-License-Identifier: Apache-2.0
"""The client with blocking calls."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import timedelta
from itertools import islice
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
    run,
)
from sluice._view import JobView, Listed, items_html
from sluice._watch import Place, Watch
from sluice.address import find_server
from sluice.explanation import Applied, Explanation, Preview
from sluice.manifest import JobFilters, JobOptions, Manifest, body_of, job_manifest, seconds_of

__all__ = ["Client", "Events", "Job", "Jobs", "Pages"]

T = TypeVar("T")


class Client:
    """A client of one server. It may be used by several threads.

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
        self.address = find_server(
            server, token=token, token_file=token_file, data=data, ca_file=ca_file
        )
        """URL of the server and token of the caller."""
        self._api = Api(retry or Retry())
        self._http = httpx.Client(**_http.settings(self.address, timeout))
        self.jobs = Jobs(self)
        """The jobs of the server."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close all connections."""
        self._http.close()

    def __repr__(self) -> str:
        return f"<Client of {self.address.url}>"

    def run(
        self,
        command: Sequence[str] | None = None,
        *,
        idempotency_key: str | None = None,
        **options: Unpack[JobOptions],
    ) -> Job:
        """Submit a job and return at once. The job is durable when this returns.

        Args:
            command: the program and its arguments; no shell interprets them.
            idempotency_key: a repeated call with the same key returns the same job. Default: a
                new key, which covers the repetitions inside this call.
            options: see :class:`sluice.JobOptions`.

        Raises:
            InvalidManifest: a value is wrong; ``violations`` lists the fields.
            Refused: the job cannot be accepted, such as for a queue that does not exist.
        """
        return self.submit(job_manifest(command, options), idempotency_key=idempotency_key)

    def submit(self, manifest: Manifest, *, idempotency_key: str | None = None) -> Job:
        """Submit the job of a manifest."""
        steps = self._api.submit("/v1/jobs", body_of(manifest), key=idempotency_key)
        return Job(self, self._run(steps))

    def submit_all(self, manifests: Manifest, *, idempotency_key: str | None = None) -> Listed[Job]:
        """Submit up to 1000 jobs, all or none."""
        steps = self._api.submit("/v1/jobs/bulk", body_of(manifests), key=idempotency_key)
        return Listed(Job(self, record) for record in self._run(steps).get("jobs", []))

    def what_if(
        self, command: Sequence[str] | None = None, **options: Unpack[JobOptions]
    ) -> Preview:
        """Return what would happen to a job and because of it, without a submission."""
        return self.what_if_manifest(job_manifest(command, options))

    def what_if_manifest(self, manifest: Manifest) -> Preview:
        """Return what would happen to the job of a manifest, without a submission."""
        return Preview(self._run(self._api.submit("/v1/jobs", body_of(manifest), dry_run=True)))

    def apply(
        self, manifest: Manifest, *, dry_run: bool = False, idempotency_key: str | None = None
    ) -> Applied:
        """Create or change quota objects and pipelines, and submit jobs, all or none.

        Args:
            dry_run: return a :class:`sluice.Preview` and change nothing.
        """
        steps = self._api.submit(
            "/v1/apply", body_of(manifest), key=idempotency_key, dry_run=dry_run
        )
        answer = self._run(steps)
        return Preview(answer) if dry_run else Applied(answer)

    def get(self, path: str, **given: Any) -> Json:
        """Read any endpoint that answers a JSON object, such as ``/v1/server``."""
        return self._run(self._api.get(path, given))

    def items(self, path: str, **given: Any) -> Pages[Json]:
        """Iterate over any list of the server, such as ``/v1/slices``, page by page."""
        return Pages(self, path, given, lambda record: record)

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
    ) -> Events:
        """Follow the events of the journal, in their order, each once.

        An event must meet all filters. The iterator continues over lost connections. If it fails
        for good, ``client.events(after=events.after)`` continues, here or in another program.

        Args:
            job: a job or its id.
            run: id of a run of a pipeline.
            queue: name of a LocalQueue.
            cluster_queue: name of a ClusterQueue.
            namespace: namespace of jobs, runs and LocalQueues.
            kind: kinds of the objects changed, such as ``Job``, ``Attempt``, ``Slice``, ``Run``.
            after: begin after this event's id, or after this batch: ``job.sequence`` of a job that
                was read, or ``sequence`` of a list. Default: from the first ``next()`` on.
            timeout: longest wait for the next event, in seconds; then the iterator ends.

        Raises:
            NotFound: there is no such job or run.
            Gone: events after this place were deleted. Read again, and follow from there.
            Unreachable: no server answered, after all repetitions.
        """
        watch = self._api.watch(
            job=job.id if isinstance(job, JobView) else job,
            run=run,
            queue=queue,
            cluster_queue=cluster_queue,
            namespace=namespace,
            kind=kind,
            after=after,
        )
        return Events(self, watch, seconds_of(timeout))

    def _run(self, steps: Steps[T]) -> T:
        return run(steps, self._send)

    def _send(self, request: Request) -> Answer:
        try:
            response = self._http.request(**_http.arguments(request))
        except httpx.TransportError as failure:
            raise _http.unreachable(self.address, failure) from failure
        return Answer(response.status_code, _http.plain(response.headers), response.content)

    def _lines(self, request: Request, follow: bool) -> Iterator[str]:
        """Stream the lines of a text. Requests are repeated only before the first line."""
        opened: list[httpx.Response] = []

        def open_stream(asked: Request) -> Answer:
            how = _http.endless(asked) if follow else _http.arguments(asked)
            try:
                response = self._http.send(self._http.build_request(**how), stream=True)
                if response.is_success:
                    opened.append(response)
                    return Answer(response.status_code, _http.plain(response.headers), b"")
                body = response.read()
            except httpx.TransportError as failure:
                raise _http.unreachable(self.address, failure) from failure
            return Answer(response.status_code, _http.plain(response.headers), body)

        run(exchange(request, self._api.retry), open_stream)
        response = opened[-1]
        splitter = LineSplitter()
        try:
            for chunk in response.iter_bytes():
                yield from splitter.feed(chunk)
            yield from splitter.end()
        except httpx.TransportError as failure:
            raise _http.unreachable(self.address, failure) from failure
        finally:
            response.close()


class Pages(Iterator[T], Generic[T]):
    """An iterator over a list of the server, which reads a page when it needs one."""

    def __init__(
        self,
        client: Client,
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

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> T:
        while not self._read:
            if not self._more:
                raise StopIteration
            self._page()
        return self._read.popleft()

    def _page(self) -> None:
        page = self._client._run(self._client._api.page(self._path, self._given, self._cursor))
        self._read.extend(self._make(record) for record in page.record.get("items", []))
        if self._cursor is None:
            self.sequence = page.sequence
        cursor = page.record.get("nextCursor")
        self._cursor = str(cursor) if cursor is not None else None
        self._more = self._cursor is not None

    def first(self, most: int) -> Listed[T]:
        """Return the next entries, at most this many."""
        return Listed(islice(self, most))

    def _repr_html_(self) -> str:
        """Show the next page, without taking it."""
        if not self._read and self._more:
            self._page()
        more = "<p>and more</p>" if self._more else ""
        return items_html(self._read) + more


class Events(Iterator[models.WatchedEvent]):
    """An iterator over the events of the journal, which waits for the next one."""

    def __init__(self, client: Client, watch: Watch, seconds: float) -> None:
        self._client = client
        self._place = Place(watch)
        self._seconds = seconds

    @property
    def after(self) -> str | None:
        """The place after the last event taken, to continue from; None before the first wait."""
        return self._place.after

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> models.WatchedEvent:
        if self._place.waits:
            self._place.came(self._client._run(self._place.watch.next(self._seconds)))
        event = self._place.take()
        if event is None:
            raise StopIteration
        return event


class Jobs:
    """The jobs of a server."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def get(self, id: str) -> Job:
        """Read a job by its id."""
        read = self._client._run(self._client._api.job(id))
        return Job(self._client, read.record, read.sequence)

    def find(self, name: str, *, namespace: str | None = None, live: bool = False) -> Job:
        """Find a job by ``NAME``, ``NAMESPACE/NAME`` or its id.

        Args:
            live: prefer a live job to the newest one of this name.

        Raises:
            NotFound: there is no such job.
            AmbiguousName: several namespaces have one.
        """
        purpose = "change" if live else "read"
        api = self._client._api
        return self.get(str(self._client._run(api.find("job", name, namespace, purpose))["id"]))

    def list(self, *, page_size: int | None = None, **filters: Unpack[JobFilters]) -> Pages[Job]:
        """Iterate over jobs, newest first. A job must match all filters.

        Args:
            page_size: jobs of a page, 1 to 500. Default: 100.
            filters: see :class:`sluice.JobFilters`.
        """
        client = self._client
        given = {**job_filters(**filters), "limit": page_size}
        return Pages(client, "/v1/jobs", given, lambda record: Job(client, record))

    def counts(self, *by: str, **filters: Unpack[JobFilters]) -> Listed[models.Group]:
        """Count jobs in groups, by ``state`` if nothing else is given.

        Args:
            by: what the jobs of a group have in common: ``state``, ``queue``, ``clusterQueue``,
                ``namespace``, ``team``.
            filters: see :class:`sluice.JobFilters`.

        Returns:
            one entry for each group, with these fields and ``count``.
        """
        given = {**job_filters(**filters), "by": ",".join(by) or None}
        answer = self._client._run(self._client._api.get("/v1/jobs/counts", given))
        return Listed(answer.get("items", []))


class Job(JobView):
    """A job of the server.

    ``state``, ``reason`` and ``record`` are those of the last reading; :meth:`refresh` reads the
    job again.
    """

    def __init__(
        self, client: Client, record: Mapping[str, Any], sequence: int | None = None
    ) -> None:
        super().__init__(record, sequence)
        self._client = client

    def refresh(self) -> Self:
        """Read the job again and return it."""
        self._was_read(self._client._run(self._client._api.job(self.id)))
        return self

    def why(self) -> Explanation:
        """Explain why the job is not running."""
        record = self._client._run(self._client._api.get(job_path(self.id, "explanation")))
        return Explanation(f"{self.namespace}/{self.name}", record)

    def wait(self, timeout: float | timedelta = 3600.0, *, check: bool = False) -> Self:
        """Wait for the end of the job and return it.

        It follows the events of the job, also over lost connections.

        Args:
            timeout: longest wait, in seconds.
            check: raise an error if the job did not succeed.

        Raises:
            WaitTimeout: the job has not ended in time. It continues.
            JobFailed: the job did not succeed, and ``check`` is set.
        """
        self._was_read(self._client._run(self._client._api.wait(self.id, seconds_of(timeout))))
        if check:
            self.check()
        return self

    def wait_for(self, *states: str, timeout: float | timedelta = 3600.0) -> Self:
        """Wait until the job is in one of these states, such as ``"running"``, and return it.

        A state that the job leaves again at once may be missed. For ``running``, a job that has
        succeeded counts.

        Args:
            states: in small letters or capitals.
            timeout: longest wait, in seconds.

        Raises:
            WaitTimeout: the job is in none of the states after this time. It continues.
            JobFailed: the job has ended in another state.
        """
        steps = self._client._api.wait(self.id, seconds_of(timeout), states)
        self._was_read(self._client._run(steps))
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
    ) -> Iterator[str]:
        """Iterate over the lines of the job's output.

        With several pods, each line begins with the name of its pod in brackets.

        Args:
            follow: continue until the attempt ends; wait for its start.
            index: index of an array.
            attempt: number of the attempt, from 1. Default: the last one.
            pod: only this pod.
            tail: start this many bytes before the end of each pod's log.

        Raises:
            NotFound: nothing was started yet, and ``follow`` is not set.
            Unreachable: the connection was cut.
        """
        given = {"index": index, "attempt": attempt, "pod": pod, "tail": tail, "follow": follow}
        request = Request(
            "GET", job_path(self.id, "logs"), parameters(given), headers=(("Accept", "*/*"),)
        )
        return self._client._lines(request, follow)

    def cancel(self) -> Self:
        """Request the end of the job."""
        return self._act("cancel")

    def hold(self, *, running: str | None = None) -> Self:
        """Request a hold: nothing more of the job is admitted.

        Args:
            running: ``evict`` (default) or ``leave``, for attempts that run.
        """
        return self._act("hold", running=running)

    def release(self) -> Self:
        """Request the release of the job from a hold."""
        return self._act("release")

    def prioritize(self, priority: str) -> Self:
        """Request another WorkloadPriorityClass for the job."""
        return self._act("prioritize", **{"class": priority})

    def limit(self, time_limit: str, *, override: bool = False) -> Self:
        """Request another time limit for the job.

        Args:
            time_limit: a duration such as ``90s`` or ``1h30m``, or ``none``.
            override: accept, as an administrator, that planned starts of other jobs move.
        """
        return self._act("limit", timeLimit=time_limit, override="true" if override else "false")

    def events(self) -> Pages[models.JobEvent]:
        """Iterate over the events of the job so far, oldest first.

        :meth:`sluice.Client.events` follows those to come.
        """
        path = job_path(self.id, "events")
        return Pages(self._client, path, {}, lambda record: cast("models.JobEvent", record))

    def attempts(self, *, index: int | None = None) -> Pages[models.AttemptView]:
        """Iterate over the attempts of the job, newest first."""
        path = job_path(self.id, "attempts")
        return Pages(
            self._client, path, {"index": index}, lambda record: cast("models.AttemptView", record)
        )

    def _act(self, action: str, **given: Any) -> Self:
        self._acted(self._client._run(self._client._api.post(job_path(self.id, action), given)))
        return self
