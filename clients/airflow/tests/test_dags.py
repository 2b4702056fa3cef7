# SPDX-License-Identifier: Apache-2.0
"""Real DAGs, run by ``dag.test()``, against a real server."""

from __future__ import annotations

import time
import uuid
from pathlib import Path

import pytest
from sluice import Client

from conftest import Dags, jobs_of

WHEN = "2026-11-24T10:00:00+00:00"
PATIENCE = 120.0
HERE_AND_DEFERRED = pytest.mark.parametrize("where", ["here", "deferred"])


@pytest.fixture(autouse=True)
def quiet(client: Client) -> None:
    """Each test begins without live jobs."""
    live = list(client.jobs.list(state=["submitted", "pending", "admitted", "running", "draining"]))
    for job in live:
        job.cancel()
    for job in live:
        job.wait(PATIENCE)


def reach(client: Client, dag: str, state: str) -> None:
    end = time.monotonic() + PATIENCE
    while [job.state for job in jobs_of(client, dag)][-1:] != [state]:
        assert time.monotonic() < end, jobs_of(client, dag)
        time.sleep(0.2)


@HERE_AND_DEFERRED
def test_a_job_that_succeeds(client: Client, dags: Dags, where: str) -> None:
    run = dags.run(f"success_{where}", WHEN)
    assert run.state == "success", run.printed
    (job,) = jobs_of(client, f"success_{where}")
    assert (job.namespace, job.name, job.state) == ("team", "job-20261124", "SUCCEEDED")
    assert run.tasks["job"]["returned"] == [
        {"id": job.id, "namespace": "team", "name": job.name, "state": "SUCCEEDED"}
    ]
    for number in (1, 2, 3):
        assert run.printed.count(f"line {number} of 2026-11-24") == 1, run.printed


@HERE_AND_DEFERRED
def test_a_job_that_fails_is_retried_with_a_new_job(client: Client, dags: Dags, where: str) -> None:
    run = dags.run(f"retried_{where}", WHEN)
    assert run.state == "success", run.printed
    assert run.tasks["job"]["try_number"] == 2
    assert [job.state for job in jobs_of(client, f"retried_{where}")] == ["FAILED", "SUCCEEDED"]


def test_a_refused_job_is_not_retried(client: Client, dags: Dags) -> None:
    run = dags.run("refused", WHEN)
    assert run.state == "failed", run.printed
    assert run.tasks["job"]["try_number"] == 1
    assert "missing" in run.printed
    assert jobs_of(client, "refused") == []


def test_a_job_that_somebody_cancelled_is_not_retried(client: Client, dags: Dags) -> None:
    process = dags.start("cancelled", WHEN)
    reach(client, "cancelled", "RUNNING")
    jobs_of(client, "cancelled")[0].cancel()
    run = dags.end(process)
    assert run.state == "failed", run.printed
    assert run.tasks["job"]["try_number"] == 1


@HERE_AND_DEFERRED
def test_a_job_outlives_its_worker(client: Client, dags: Dags, where: str, tmp_path: Path) -> None:
    marker = {"SLUICE_TEST_MARKER": str(tmp_path / "died")}
    first = dags.run(f"killed_{where}", WHEN, **marker)
    assert first.code == -9, first.printed
    second = dags.run(f"killed_{where}", WHEN, **marker)
    assert second.state == "success", second.printed
    (job,) = jobs_of(client, f"killed_{where}")
    assert second.tasks["job"]["returned"][0]["id"] == job.id


def test_a_task_that_is_killed_cancels_its_job(client: Client, dags: Dags) -> None:
    process = dags.start("long", WHEN)
    reach(client, "long", "RUNNING")
    process.terminate()
    dags.end(process)
    (job,) = jobs_of(client, "long")
    assert job.wait(PATIENCE).state == "CANCELLED"


def test_a_manifest_is_submitted(client: Client, dags: Dags) -> None:
    run = dags.run("manifest", WHEN)
    assert run.state == "success", run.printed
    (job,) = jobs_of(client, "manifest")
    assert (job.name, list(job.logs())) == ("no", ["2026-11-24"])


@HERE_AND_DEFERRED
def test_a_sensor_waits_for_a_job(client: Client, dags: Dags, where: str) -> None:
    name = f"sensed-{uuid.uuid4().hex[:8]}"
    process = dags.start(f"sensed_{where}", WHEN, SLUICE_TEST_JOB=name)
    time.sleep(5)
    client.run(["sleep", "1"], queue="main", namespace="team", name=name, requests={"cpu": 1})
    run = dags.end(process)
    assert run.state == "success", run.printed
    assert run.tasks["job"]["returned"][0]["state"] == "SUCCEEDED"
