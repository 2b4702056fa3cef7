# SPDX-License-Identifier: Apache-2.0
"""Waits and iterators that follow events: each event comes once, and each wait has a bound."""

from __future__ import annotations

import asyncio
import threading
import time
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from faulty import FaultyServer, Reply
from sluice import (
    AsyncClient,
    Client,
    Gone,
    Job,
    JobFailed,
    NotFound,
    Retry,
    Unauthorized,
    Unreachable,
    WaitTimeout,
    models,
)

PATIENCE = 120.0
QUICK = Retry(tries=3, seconds=20.0, pause=0.01, pause_max=0.05)
CUT = Reply(cut=True)
GONE = Reply(410, {"title": "Gone", "status": 410, "detail": "past the retention"})
SMALL: dict[str, Any] = {
    "queue": "main",
    "namespace": "team",
    "requests": {"cpu": 1},
    "grace_period": "1s",
}


def client_of(server: FaultyServer, retry: Retry = QUICK) -> Client:
    return Client(server.url, token="t", retry=retry)


def job_in(state: str, sequence: int | None = 1) -> Reply:
    headers = {} if sequence is None else {"Sluice-Sequence": str(sequence)}
    record = {"id": "j-1", "metadata": {"name": "job"}, "status": {"state": state}}
    return Reply(200, record, headers)


def event(id: str, state: str | None = None) -> dict[str, Any]:
    changed = {"kind": "Job"} if state is None else {"kind": "Job", "state": state}
    return {"id": id, "kind": "Something", "object": changed}


def page(after: str, *events: dict[str, Any]) -> Reply:
    return Reply(200, {"items": list(events), "nextAfter": after})


def asked(server: FaultyServer) -> list[str]:
    """What was asked for: ``job``, or the place after which events were asked for."""
    found = []
    for seen in server.seen:
        path = urlsplit(seen.path)
        if path.path == "/v1/events":
            found.append("after " + parse_qs(path.query).get("after", ["nothing"])[0])
        else:
            assert path.path == "/v1/jobs/j-1"
            found.append("job")
    return found


def wait(server: FaultyServer, timeout: float = 60.0) -> Job:
    with client_of(server) as client:
        return Job(client, {"id": "j-1"}).wait(timeout=timeout)


def test_a_wait_follows_the_events_from_the_reading_of_the_job(faulty: FaultyServer) -> None:
    faulty.replies_with(
        job_in("PENDING", 7),
        page("8.1", event("8.1")),
        page("9"),
        page("9.3", event("9.3", "SUCCEEDED")),
        job_in("SUCCEEDED", 9),
    )
    assert wait(faulty).succeeded
    assert asked(faulty) == ["job", "after 7", "after 8.1", "after 9", "job"]
    query = parse_qs(urlsplit(faulty.seen[1].path).query)
    assert (query["job"], query["kind"], query["wait"]) == (["j-1"], ["Job"], ["30000ms"])


def test_a_wait_for_a_job_that_has_ended_reads_it_once(faulty: FaultyServer) -> None:
    faulty.replies_with(job_in("FAILED"))
    assert wait(faulty).state == "FAILED"
    assert asked(faulty) == ["job"]


def test_a_wait_goes_on_after_a_lost_connection_where_it_was(faulty: FaultyServer) -> None:
    faulty.replies_with(
        job_in("PENDING", 7),
        page("8.1", event("8.1")),
        CUT,
        CUT,
        job_in("RUNNING", 12),
        Reply(200, '{"items": [', cut=True),
        job_in("RUNNING", 12),
        page("12.0", event("12.0", "SUCCEEDED")),
        job_in("SUCCEEDED", 12),
    )
    assert wait(faulty).succeeded
    assert asked(faulty)[1:] == [
        *("after 7", "after 8.1", "job", "job", "after 8.1", "job", "after 8.1", "job")
    ]


def test_a_wait_reads_the_job_again_if_the_events_are_gone(faulty: FaultyServer) -> None:
    faulty.replies_with(
        job_in("RUNNING", 7),
        GONE,
        job_in("RUNNING", 40),
        page("41.0", event("41.0", "CANCELLED")),
        job_in("CANCELLED", 41),
    )
    assert wait(faulty).state == "CANCELLED"
    assert asked(faulty) == ["job", "after 7", "job", "after 40", "job"]


def test_a_wait_reads_again_what_a_server_answers_that_lags_behind(faulty: FaultyServer) -> None:
    faulty.replies_with(
        job_in("RUNNING", 7),
        page("8.0", event("8.0", "SUCCEEDED")),
        job_in("RUNNING", 7),
        job_in("SUCCEEDED", 8),
    )
    assert wait(faulty).succeeded
    assert asked(faulty) == ["job", "after 7", "job", "job"]


def test_a_wait_polls_while_there_are_too_many_watchers(faulty: FaultyServer) -> None:
    faulty.replies_with(
        job_in("PENDING", 7),
        Reply(503, {}, {"Retry-After": "1"}),
        job_in("RUNNING", 8),
        job_in("RUNNING", 8),
        job_in("SUCCEEDED", 9),
    )
    assert wait(faulty).succeeded
    assert asked(faulty) == ["job", "after 7", "job", "job", "job"]


@pytest.mark.parametrize("answer", [Reply(404, {}), Reply(405, {}), Reply(400, {})])
def test_a_wait_polls_a_server_without_events(faulty: FaultyServer, answer: Reply) -> None:
    faulty.replies_with(job_in("PENDING"), answer, job_in("RUNNING"), job_in("FAILED"))
    assert wait(faulty).state == "FAILED"
    assert asked(faulty) == ["job", "after 1", "job", "job"]


def test_a_wait_polls_a_server_that_does_not_tell_its_place(faulty: FaultyServer) -> None:
    faulty.replies_with(job_in("PENDING", None), job_in("FAILED", None))
    assert wait(faulty).state == "FAILED"
    assert asked(faulty) == ["job", "job"]


def test_a_wait_without_rights_is_an_error(faulty: FaultyServer) -> None:
    faulty.replies_with(job_in("PENDING"), Reply(401, {}))
    with pytest.raises(Unauthorized):
        wait(faulty)


def test_a_wait_ends_after_its_time(faulty: FaultyServer) -> None:
    both = {"status": {"state": "RUNNING"}, "items": [], "nextAfter": "1"}
    faulty.replies_with(Reply(200, both, {"Sluice-Sequence": "1"}))
    begun = time.monotonic()
    with pytest.raises(TimeoutError, match=r"did not end within 0\.5 s; its last state is RUNNING"):
        wait(faulty, timeout=0.5)
    assert 0.4 <= time.monotonic() - begun < 10


def test_a_wait_of_no_time_reads_the_job(faulty: FaultyServer) -> None:
    faulty.replies_with(job_in("SUCCEEDED"))
    assert wait(faulty, timeout=0).succeeded


def test_a_wait_whose_server_is_gone_ends_after_its_time(faulty: FaultyServer) -> None:
    faulty.replies_with(CUT)
    patient = Retry(tries=1000, seconds=600, pause=0.05, pause_max=0.1)
    with client_of(faulty, patient) as client, pytest.raises(WaitTimeout):
        Job(client, {"id": "j-1"}).wait(timeout=0.5)


def test_a_wait_for_a_state_follows_the_attempts_too(faulty: FaultyServer) -> None:
    faulty.replies_with(
        job_in("PENDING", 7),
        page("8.0", event("8.0", "ADMITTED")),
        job_in("ADMITTED", 8),
        page("9.0", event("9.0", "RUNNING")),
        job_in("RUNNING", 9),
    )
    with client_of(faulty) as client:
        job = Job(client, {"id": "j-1"})
        assert job.wait_for("running", timeout=60).state == "RUNNING"
        assert job.sequence == 9
        query = parse_qs(urlsplit(faulty.seen[1].path).query)
        assert query["kind"] == ["Job", "Attempt"]
        faulty.replies_with(job_in("SUCCEEDED", 10))
        assert job.wait_for("running").succeeded
        with pytest.raises(JobFailed, match="is SUCCEEDED; waited for FAILED or PENDING"):
            job.wait_for("PENDING", "failed")
        with pytest.raises(ValueError, match=r"RUNNING.*given: RUNING"):
            job.wait_for("runing")


def test_events_are_followed_each_once_over_lost_connections(faulty: FaultyServer) -> None:
    faulty.replies_with(
        page("7"),
        CUT,
        page("8.1", event("8.0"), event("8.1")),
        page("9"),
        Reply(200, '{"items": [', cut=True),
        page("9.0", event("9.0")),
        page("10"),
    )
    with client_of(faulty) as client:
        events = client.events(run="r-1", queue="main", kind=iter(["Job", "Slice"]), timeout=0.5)
        assert events.after is None
        assert next(events)["id"] == "8.0"
        assert events.after == "8.0"
        assert [one["id"] for one in events] == ["8.1", "9.0"]
        assert events.after == "10"
        assert not list(events)
    after = ["nothing", "7", "7", "8.1", "9", "9", "9.0"]
    assert asked(faulty)[:7] == [f"after {place}" for place in after]
    first, second = (parse_qs(urlsplit(seen.path).query) for seen in faulty.seen[:2])
    assert first == {"run": ["r-1"], "queue": ["main"], "kind": ["Job", "Slice"]}
    assert {*second} == {"run", "queue", "kind", "after", "wait"}


def test_an_iterator_that_fails_can_be_continued(faulty: FaultyServer) -> None:
    faulty.replies_with(page("8.0", event("8.0")), CUT)
    with client_of(faulty) as client:
        events = client.events(after=7)
        assert next(events)["id"] == "8.0"
        with pytest.raises(Unreachable):
            next(events)
        faulty.replies_with(page("9.0", event("9.0")), GONE)
        assert next(client.events(after=events.after))["id"] == "9.0"
        faulty.replies_with(page("9.0", event("9.0")), GONE)
        assert next(events)["id"] == "9.0"
        with pytest.raises(Gone):
            next(events)


def test_a_page_of_events_that_is_none_is_an_error(faulty: FaultyServer) -> None:
    faulty.replies_with(Reply(200, {}))
    with client_of(faulty) as client, pytest.raises(Exception, match="nextAfter is missing"):
        next(client.events(timeout=1))


def test_the_async_client_follows_events(faulty: FaultyServer) -> None:
    faulty.replies_with(
        page("8.1", event("8.0"), event("8.1", "FAILED")), CUT, page("9.0", event("9.0")), page("9")
    )

    async def run() -> None:
        async with AsyncClient(faulty.url, token="t", retry=QUICK) as client:
            events = client.events(job="j-1", after="7.2", timeout=0.3)
            assert [one["id"] async for one in events] == ["8.0", "8.1", "9.0"]
            assert events.after == "9"

    asyncio.run(run())
    assert asked(faulty)[:4] == ["after 7.2", "after 8.1", "after 8.1", "after 9.0"]


def test_no_event_is_missed_between_a_reading_and_the_events(client: Client) -> None:
    job = client.run(["true"], **SMALL, hold=True).wait_for("pending", timeout=PATIENCE)
    assert job.sequence is not None
    job.release()
    time.sleep(0.5)
    events = client.events(job=job, after=job.sequence, kind=["Job", "Attempt"], timeout=PATIENCE)
    seen: list[models.WatchedEvent] = []
    for one in events:
        seen.append(one)
        if one["object"].get("state") == "SUCCEEDED":
            break
    states = [one["object"]["state"] for one in seen if "state" in one["object"]]
    # The release is an event of its own unless the job is admitted in the same batch.
    if states[0] == "PENDING":
        states = states[1:]
    assert states == ["ADMITTED", "RUNNING", "ENDED", "SUCCEEDED"]
    assert {one["job"]["name"] for one in seen} == {job.name}
    again = client.events(job=job.id, after=seen[1]["id"], kind=["Job", "Attempt"], timeout=0)
    assert [one["id"] for one in again] == [one["id"] for one in seen[2:]]
    assert job.wait(0).succeeded


def test_a_list_tells_its_place(client: Client) -> None:
    jobs = client.jobs.list(namespace="team")
    assert jobs.sequence is None
    jobs.first(1)
    assert jobs.sequence is not None
    job = client.run(["true"], **SMALL)
    first = next(client.events(namespace="team", kind="Job", after=jobs.sequence, timeout=PATIENCE))
    assert (first["kind"], first["job"]["id"]) == ("JobEnqueued", job.id)
    assert job.wait(PATIENCE).succeeded


def test_events_of_a_job_that_is_not_there_are_not_found(client: Client) -> None:
    with pytest.raises(NotFound):
        next(client.events(job="01a1fe82-ec8c-7558-9519-fea5e4e9343b"))


def test_a_wait_is_told_of_the_end_at_once(client: Client, data: Path) -> None:
    job = client.run(["sleep", "600"], **SMALL).wait_for("running", timeout=PATIENCE)
    ended: list[float] = []

    def wait_here() -> None:
        client.jobs.get(job.id).wait(PATIENCE)
        ended.append(time.monotonic())

    async def wait_there() -> None:
        async with AsyncClient(data=data) as there:
            await (await there.jobs.get(job.id)).wait(PATIENCE)
            ended.append(time.monotonic())

    threads = [
        threading.Thread(target=wait_here),
        threading.Thread(target=lambda: asyncio.run(wait_there())),
    ]
    for thread in threads:
        thread.start()
    time.sleep(1.0)
    job.cancel()
    end = next(
        one
        for one in client.events(job=job, after=job.sequence, timeout=PATIENCE)
        if one["object"].get("state") == "CANCELLED"
    )
    told = time.monotonic()
    for thread in threads:
        thread.join()
    assert end["kind"] == "JobFinished"
    assert len(ended) == 2
    assert max(ended) - told < 2.0
