# SPDX-License-Identifier: Apache-2.0
"""The client against a real server."""

from __future__ import annotations

import asyncio
import shutil
import threading
import time
import uuid
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

import example_tasks
import sluice
from sluice import AsyncClient, Client, Job

HERE = Path(__file__).resolve().parent
PATIENCE = 120.0
SMALL: dict[str, Any] = {
    "queue": "main",
    "namespace": "team",
    "requests": {"cpu": 1},
    "grace_period": "1s",
}
WHOLE: dict[str, Any] = {**SMALL, "requests": {"cpu": 4}}
ON_SLICE: dict[str, Any] = {
    "queue": "chips",
    "namespace": "team",
    "accelerator": "v6e:4x4",
    "grace_period": "1s",
}


def script(text: str) -> list[str]:
    return ["sh", "-c", text]


@pytest.fixture(autouse=True)
def quiet(client: Client) -> Iterator[None]:
    """Each test leaves no job behind."""
    yield
    live = list(client.jobs.list(state=["submitted", "pending", "admitted", "running", "draining"]))
    for job in live:
        job.cancel()
    for job in live:
        job.wait(PATIENCE)


def reach(job: Job, state: str) -> None:
    assert job.wait_for(state, timeout=PATIENCE).state == state


def test_a_job_runs_and_its_output_is_read(client: Client) -> None:
    job = sluice.run(script("echo one; echo two"), name="hello", **SMALL)
    assert (job.namespace, job.name, job.state) == ("team", "hello", "SUBMITTED")
    assert job.wait(PATIENCE, check=True).succeeded
    assert list(job.logs()) == ["one", "two"]
    kinds = [event["kind"] for event in job.events()]
    assert kinds[0] == "JobEnqueued"
    assert kinds[-1] == "JobFinished"
    assert [attempt["outcome"] for attempt in job.attempts()] == ["SUCCEEDED"]
    assert client.jobs.get(job.id).record == job.record


def test_a_job_of_two_slices_knows_its_places() -> None:
    job = sluice.run(
        script("echo worker $TPU_WORKER_ID of slice $MEGASCALE_SLICE_ID"), **ON_SLICE, slices=2
    )
    job.wait(PATIENCE, check=True)
    assert sorted(job.logs()) == sorted(
        f"[workers-{4 * number + worker}] worker {worker} of slice {number}"
        for number in range(2)
        for worker in range(4)
    )


def test_a_job_that_fails_says_so() -> None:
    job = sluice.run(script("exit 3"), **SMALL).wait(PATIENCE)
    assert (job.state, job.done, job.succeeded) == ("FAILED", True, False)
    assert "ended with code 3" in job.reason
    with pytest.raises(sluice.JobFailed, match="ended with code 3"):
        job.wait(PATIENCE, check=True)


def test_a_waiting_job_is_explained() -> None:
    first = sluice.run(["sleep", "600"], **WHOLE, name="first")
    reach(first, "RUNNING")
    second = sluice.run(["true"], **WHOLE, name="second")
    reach(second, "PENDING")
    why = second.why()
    assert (why.state, why.blocker, why.cure) == ("PENDING", "QUOTA_IN_USE", "PREEMPTION")
    assert why.in_the_way == ["first"]
    assert str(why).startswith("team/second is PENDING: needs 4 of cpu in flavor cpu, 0 available")
    assert str(why).endswith("Smallest change: 4 more of cpu in flavor cpu")
    assert "QUOTA_IN_USE" in why._repr_html_()
    begun = time.monotonic()
    with pytest.raises(sluice.WaitTimeout, match="PENDING"):
        second.wait(0.5)
    assert time.monotonic() - begun < 30
    first.cancel()
    assert first.wait(PATIENCE).state == "CANCELLED"
    assert second.wait(PATIENCE).succeeded


def test_a_dry_run_tells_what_would_happen_and_changes_nothing(client: Client) -> None:
    name = f"dry-{uuid.uuid4()}"
    assert sluice.what_if(["true"], **SMALL, name=name).state == "ADMITTED"
    held = sluice.run(["sleep", "600"], **WHOLE)
    reach(held, "RUNNING")
    preview = sluice.what_if(["true"], **SMALL, name=name)
    assert preview.state == "PENDING"
    assert "0 available" in (preview.reason or "")
    assert "Nothing was changed." in str(preview)
    urgent = sluice.what_if(["true"], **ON_SLICE, name=name)
    assert urgent.state == "ADMITTED"
    assert not list(client.jobs.list(name=name))


def test_a_held_job_waits_for_its_release() -> None:
    job = sluice.run(["true"], **SMALL, hold=True)
    reach(job, "PENDING")
    assert job.why().blocker == "HELD"
    assert job.release().wait(PATIENCE).succeeded


def test_a_hold_takes_a_running_job_off() -> None:
    job = sluice.run(["sleep", "600"], **SMALL)
    reach(job, "RUNNING")
    job.hold()
    reach(job, "PENDING")
    assert job.why().blocker == "HELD"
    job.cancel()
    assert job.wait(PATIENCE).state == "CANCELLED"


def test_a_pending_job_gets_another_priority() -> None:
    job = sluice.run(["true"], **SMALL, hold=True)
    reach(job, "PENDING")
    job.prioritize("high")
    end = time.monotonic() + PATIENCE
    while job.refresh().status["priority"] != 100:
        assert time.monotonic() < end
        time.sleep(0.05)


def test_logs_are_followed_while_the_job_runs() -> None:
    job = sluice.run(script("for i in 1 2 3; do echo line $i; sleep 0.5; done"), **SMALL)
    lines = job.logs(follow=True)
    assert next(lines) == "line 1"
    assert not job.refresh().done
    assert list(lines) == ["line 2", "line 3"]
    assert job.wait(PATIENCE).succeeded


def test_logs_of_a_job_that_has_not_started_are_not_found() -> None:
    job = sluice.run(["true"], **SMALL, hold=True)
    with pytest.raises(sluice.NotFound, match="nothing of index 0"):
        list(job.logs())


def test_the_same_key_is_the_same_job(client: Client) -> None:
    key = str(uuid.uuid4())
    first = sluice.run(["true"], **SMALL, idempotency_key=key)
    again = sluice.run(["true"], **SMALL, idempotency_key=key)
    assert first == again
    assert (first.replayed, again.replayed) == (False, True)
    with pytest.raises(sluice.Conflict):
        sluice.run(["false"], **SMALL, idempotency_key=key)
    assert first.wait(PATIENCE).succeeded


def test_jobs_are_listed_over_several_pages(client: Client) -> None:
    label = {"batch": uuid.uuid4().hex}
    manifests = [
        {
            "apiVersion": "sluice.io/v1",
            "kind": "Job",
            "metadata": {"namespace": "team", "name": f"job-{number}", "labels": label},
            "spec": {"queue": "main", "hold": True, "command": ["true"]},
        }
        for number in range(7)
    ]
    submitted = client.submit_all(manifests)
    for job in submitted:
        reach(job, "PENDING")  # only then is it held
    listed = list(client.jobs.list(label=label, page_size=3))
    assert [job.name for job in listed] == [f"job-{number}" for number in reversed(range(7))]
    assert set(listed) == set(submitted)
    assert len(client.jobs.list(label=label, page_size=3).first(4)) == 4
    assert not list(client.jobs.list(label=label, held=False))
    assert "job-6" in client.jobs.list(label=label)._repr_html_()


def test_jobs_are_counted_and_filtered_by_time(data: Path, client: Client) -> None:
    label = {"batch": uuid.uuid4().hex}
    begun = datetime.now(timezone.utc) - timedelta(seconds=5)
    first = client.run(["true"], **SMALL, labels=label).wait(PATIENCE)
    second = client.run(["true"], **SMALL, labels=label, hold=True)
    reach(second, "PENDING")
    created = second.status["createdAt"]
    assert list(client.jobs.list(label=label, since=begun, until=created)) == [first]
    assert list(client.jobs.list(label=label, since=created)) == [second]
    assert not list(client.jobs.list(label=label, until=begun))
    counts = client.jobs.counts("state", "queue", label=label)
    assert list(counts) == [
        {"state": "PENDING", "queue": "team/main", "count": 1, "oldest": created},
        {
            "state": "SUCCEEDED",
            "queue": "team/main",
            "count": 1,
            "oldest": first.status["createdAt"],
        },
    ]
    assert [one["count"] for one in client.jobs.counts(label=label, held=True)] == [1]

    async def counted() -> list[sluice.models.Group]:
        async with AsyncClient(data=data) as there:
            return await there.jobs.counts(label=label, state="pending")

    [pending] = asyncio.run(counted())
    assert pending == {"state": "PENDING", "count": 1, "oldest": created}
    with pytest.raises(ValueError, match="time zone"):
        client.jobs.list(since=datetime(2026, 1, 1))
    with pytest.raises(sluice.BadRequest):
        client.jobs.counts("colour")


def test_a_job_is_found_by_its_name(client: Client) -> None:
    name = f"job-{uuid.uuid4()}"
    job = sluice.run(["true"], **SMALL, name=name)
    assert client.jobs.find(name) == job
    assert client.jobs.find(f"team/{name}") == job
    assert client.jobs.find(job.id) == job
    with pytest.raises(sluice.NotFound):
        client.jobs.find(f"not-{name}")
    assert job.wait(PATIENCE).succeeded


def test_a_wrong_manifest_is_refused_with_its_fields() -> None:
    with pytest.raises(sluice.InvalidManifest) as raised:
        sluice.run(["true"], **{**SMALL, "accelerator": "v6e:4x5", "requests": {}})
    assert [one.path for one in raised.value.violations] == ["spec.accelerator.topology"]
    assert "allowed: 1x1" in str(raised.value)


def test_a_queue_that_is_not_there_is_refused() -> None:
    with pytest.raises(sluice.Refused) as raised:
        sluice.run(["true"], **{**SMALL, "queue": "missing"})
    assert raised.value.status == 422
    assert "missing" in raised.value.detail


def test_a_job_that_is_not_there_is_not_found(client: Client) -> None:
    with pytest.raises(sluice.NotFound):
        client.jobs.get("01a1fe82-ec8c-7558-9519-fea5e4e9343b")


def test_a_caller_without_a_token_is_refused(client: Client) -> None:
    with Client(client.address.url, token="wrong") as other, pytest.raises(sluice.Unauthorized):
        other.get("/v1/server")


def test_objects_are_applied_and_previewed(client: Client) -> None:
    quota = (HERE / "quota.yaml").read_text()
    assert {result["result"] for result in client.apply(quota).results} == {"unchanged"}
    less = quota.replace("nominalQuota: 4}", "nominalQuota: 2}")
    preview = client.apply(less, dry_run=True)
    assert isinstance(preview, sluice.Preview)
    assert "clusterqueue/cpus would be configured" in str(preview)
    assert {result["result"] for result in client.apply(quota).results} == {"unchanged"}
    with pytest.raises(sluice.InvalidManifest):
        client.apply(quota.replace("nominalQuota", "nominalQuotas"))


def test_any_list_is_an_iterator(client: Client) -> None:
    assert [one["name"] for one in client.items("/v1/slices", limit=1)] == ["v6e-0", "v6e-1"]
    queues = client.items("/v1/clusterqueues").first(10)
    assert {"slices", "cpus"} <= {queue["metadata"]["name"] for queue in queues}
    assert client.get("/v1/server")["pid"] > 0


@pytest.fixture(scope="module")
def job_path(shared: Path) -> str:
    """A PYTHONPATH with the package and the tasks, which the account of jobs can read."""
    directory = shared / "modules"
    package = Path(sluice.__file__).parent
    shutil.copytree(package, directory / "sluice", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(HERE / "example_tasks.py", directory)
    for file in [directory, *directory.rglob("*")]:
        file.chmod(0o755 if file.is_dir() else 0o644)
    return str(directory)


def test_a_task_runs_as_a_job(client: Client, python: str, job_path: str) -> None:
    there = example_tasks.greet.on(client, python=python, env={"PYTHONPATH": job_path}, **SMALL)
    job = there.submit("you", times=2)
    assert job.name == "greet"
    job.wait(PATIENCE, check=True)
    assert list(job.logs()) == ["hello you hello you"]


def test_a_task_that_fails_leaves_its_trace(python: str, job_path: str) -> None:
    there = example_tasks.fail.on(python=python, env={"PYTHONPATH": job_path})
    job = there.submit("no luck").wait(PATIENCE)
    assert job.state == "FAILED"
    assert list(job.logs())[-1] == "ValueError: no luck"


def test_a_worker_continues_from_its_checkpoint(python: str, job_path: str) -> None:
    there = example_tasks.report.on(
        python=python, env={"PYTHONPATH": job_path}, max_failures=1, **SMALL
    )
    job = there.submit().wait(PATIENCE, check=True)
    assert list(job.logs(attempt=1)) == ["pod main-0 index 0 from None"]
    assert list(job.logs(attempt=2)) == ["pod main-0 index 0 from step-1"]
    assert job.status["checkpoint"] == "step-2"


def test_the_async_client_has_the_same_names(data: Path, client: Client) -> None:
    async def run() -> None:
        async with AsyncClient(data=data) as there:
            label = {"async": uuid.uuid4().hex}
            preview = await there.what_if(["true"], **SMALL)
            assert preview.state == "ADMITTED"
            jobs = await asyncio.gather(
                *(
                    there.run(script(f"echo {n}; sleep 0.3; echo end"), labels=label, **SMALL)
                    for n in range(4)
                )
            )
            followed = [line async for line in jobs[0].logs(follow=True)]
            assert followed == ["0", "end"]
            await asyncio.gather(*(job.wait(PATIENCE, check=True) for job in jobs))
            listed = [job async for job in there.jobs.list(label=label, page_size=3)]
            assert set(listed) == set(jobs)
            assert len(await there.jobs.list(label=label).first(2)) == 2
            held = await there.run(["true"], **SMALL, hold=True)
            assert (await there.jobs.find(held.id)) == held
            assert (await held.wait_for("pending", timeout=PATIENCE)).state == "PENDING"
            assert (await held.why()).blocker == "HELD"
            await held.cancel()
            assert (await held.wait(PATIENCE)).state == "CANCELLED"
            with pytest.raises(sluice.NotFound):
                await there.jobs.find("not-there")

    asyncio.run(run())


def test_both_clients_have_the_same_methods() -> None:
    from sluice.aio import AsyncEvents, AsyncJob, AsyncJobs, AsyncPages
    from sluice.client import Events, Jobs, Pages

    pairs: list[tuple[type, type]] = [
        (Client, AsyncClient),
        (Job, AsyncJob),
        (Jobs, AsyncJobs),
        (Pages, AsyncPages),
        (Events, AsyncEvents),
    ]
    for blocking, looped in pairs:
        names = [
            {name for name in vars(kind) if not name.startswith("_")} for kind in (blocking, looped)
        ]
        assert names[0] == names[1]


def test_one_client_serves_several_threads(client: Client) -> None:
    jobs: list[Job] = []
    threads = [
        threading.Thread(target=lambda: jobs.append(client.run(["true"], **SMALL).wait(PATIENCE)))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [job.succeeded for job in jobs] == [True] * 4
    assert len(set(jobs)) == 4
