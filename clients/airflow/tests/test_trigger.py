# SPDX-License-Identifier: Apache-2.0
"""The trigger against a real server, with a task's connection in place of Airflow's triggerer."""

from __future__ import annotations

import asyncio
import os
import re
import time
from collections.abc import Iterator
from typing import Any

import pytest
from airflow.sdk import Connection
from sluice import Client, Job

from sluice_airflow import SluiceHook, SluiceJobTrigger

PATIENCE = 120.0
SMALL: dict[str, Any] = {
    "queue": "main",
    "namespace": "team",
    "requests": {"cpu": 1},
    "grace_period": "1s",
}


@pytest.fixture(autouse=True)
def connection(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    async def read(conn_id: str) -> Connection:
        return Connection.from_json(os.environ[f"AIRFLOW_CONN_{conn_id.upper()}"], conn_id=conn_id)

    monkeypatch.setattr(SluiceHook, "aget_connection", staticmethod(read))


@pytest.fixture
def job(client: Client) -> Iterator[Job]:
    job = client.run(["sh", "-c", "echo begun; sleep 600"], **SMALL)
    end = time.monotonic() + PATIENCE
    while job.refresh().state != "RUNNING":
        assert time.monotonic() < end, job
        time.sleep(0.1)
    yield job
    job.cancel()
    job.wait(PATIENCE)


async def event(trigger: SluiceJobTrigger) -> Any:
    async for fired in trigger.run():
        return fired.payload
    raise AssertionError("the trigger fired nothing")


def again(trigger: SluiceJobTrigger) -> SluiceJobTrigger:
    """Return the trigger as another triggerer makes it."""
    from airflow.sdk._shared.module_loading import import_string

    path, arguments = trigger.serialize()
    made = import_string(path)(**arguments)
    assert isinstance(made, SluiceJobTrigger)
    return made


def test_a_triggerer_that_stops_leaves_the_job_alone(client: Client, job: Job) -> None:
    async def watch() -> Any:
        after = client.get("/v1/events", job=job.id, kind="Job")["nextAfter"]
        first = SluiceJobTrigger(job=job.id, after=after, cancel_on_kill=True)
        running = asyncio.ensure_future(event(first))
        await asyncio.sleep(2)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        await first.cleanup()
        assert job.refresh().state == "RUNNING"
        job.cancel()
        job.wait(PATIENCE)
        return await asyncio.wait_for(event(again(first)), PATIENCE)

    assert asyncio.run(watch()) == {"job": job.id, "state": "CANCELLED", "reason": job.reason}


def test_a_task_that_is_ended_cancels_its_job(job: Job) -> None:
    async def kill() -> None:
        trigger = SluiceJobTrigger(job=job.id, cancel_on_kill=True)
        running = asyncio.ensure_future(event(trigger))
        await asyncio.sleep(2)
        running.cancel()
        await trigger.on_kill()

    asyncio.run(kill())
    assert job.wait(PATIENCE).state == "CANCELLED"


def test_a_second_cancellation_does_not_keep_the_job(job: Job) -> None:
    async def kill() -> None:
        trigger = SluiceJobTrigger(job=job.id, cancel_on_kill=True)
        killing = asyncio.ensure_future(trigger.on_kill())
        await asyncio.sleep(0)
        killing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await killing
        await asyncio.sleep(2)

    asyncio.run(kill())
    assert job.wait(PATIENCE).state == "CANCELLED"


@pytest.mark.parametrize("state", ["deferred", "failed"])
def test_a_job_continues_if_its_task_is_still_deferred(
    job: Job, monkeypatch: pytest.MonkeyPatch, state: str
) -> None:
    async def task_state(self: SluiceJobTrigger) -> str:
        return state

    monkeypatch.setattr(SluiceJobTrigger, "_task_state", task_state)
    asyncio.run(SluiceJobTrigger(job=job.id, cancel_on_kill=True).on_kill())
    if state == "deferred":
        time.sleep(2)
        assert job.refresh().state == "RUNNING"
    else:
        assert job.wait(PATIENCE).state == "CANCELLED"


def test_output_is_logged_while_the_job_runs(
    client: Client, capsys: pytest.CaptureFixture[str]
) -> None:
    job = client.run(["sh", "-c", "for i in 1 2 3 4; do echo line $i; sleep 1; done"], **SMALL)
    asyncio.run(event(SluiceJobTrigger(job=job.id, log_seconds=1)))
    said = capsys.readouterr().out
    assert re.findall(r"line \d", said) == [f"line {number}" for number in (1, 2, 3, 4)]


def test_a_job_that_does_not_exist_is_an_error(client: Client) -> None:
    trigger = SluiceJobTrigger(job="01a1fe82-ec8c-7558-9519-fea5e4e9343b")
    fired = asyncio.run(event(trigger))
    assert fired["status"] == 404
