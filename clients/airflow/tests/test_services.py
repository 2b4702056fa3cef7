# SPDX-License-Identifier: Apache-2.0
"""A whole Airflow: API server, scheduler with workers, DAG processor and triggerer."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import httpx
import pytest
from sluice import Client, Job

from conftest import jobs_of

PATIENCE = 180.0


def free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return int(listening.getsockname()[1])


class Services:
    """The processes of Airflow, and its REST interface."""

    def __init__(self, logs: Path) -> None:
        port = free_port()
        self._logs = logs
        self._environment = {
            **os.environ,
            "AIRFLOW__API__HOST": "127.0.0.1",
            "AIRFLOW__API__PORT": str(port),
            "AIRFLOW__API__WORKERS": "1",
            "AIRFLOW__API__SECRET_KEY": "secret-of-the-tests",
            "AIRFLOW__API_AUTH__JWT_SECRET": "secret-of-the-tests-" + "x" * 64,
            "AIRFLOW__CORE__EXECUTION_API_SERVER_URL": f"http://127.0.0.1:{port}/execution/",
            "AIRFLOW__CORE__EXECUTOR": "LocalExecutor",
            "AIRFLOW__CORE__PARALLELISM": "2",
            "AIRFLOW__CORE__SIMPLE_AUTH_MANAGER_ALL_ADMINS": "True",
            "AIRFLOW__SCHEDULER__TASK_INSTANCE_HEARTBEAT_SEC": "1",
            "AIRFLOW__TRIGGERER__CAPACITY": "10",
            "SLUICE_TEST_MARKER": str(logs / "marker"),
        }
        self._processes: dict[str, subprocess.Popen[bytes]] = {}
        self._http = httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=30)

    def start(self, name: str) -> None:
        with (self._logs / name).open("ab") as out:
            self._processes[name] = subprocess.Popen(
                [sys.executable, "-m", "airflow", name],
                env=self._environment,
                stdout=out,
                stderr=subprocess.STDOUT,
            )

    def stop(self, name: str) -> None:
        process = self._processes.pop(name)
        process.terminate()
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def stop_all(self) -> None:
        for name in list(self._processes):
            self.stop(name)
        self._http.close()

    def log_in(self) -> None:
        def answered() -> bool:
            try:
                answer = self._http.get("/auth/token")
            except httpx.TransportError:
                return False
            if answer.is_success:
                token = answer.json()["access_token"]
                self._http.headers["Authorization"] = f"Bearer {token}"
            return answer.is_success

        self.until(answered, "the API server answers")

    def call(self, method: str, path: str, body: Any = None) -> Any:
        answer = self._http.request(method, f"/api/v2{path}", json=body)
        assert answer.is_success, f"{method} {path}: {answer.text}"
        return answer.json()

    def until(self, holds: Callable[[], bool], what: str) -> None:
        end = time.monotonic() + PATIENCE
        while not holds():
            if time.monotonic() > end:
                logs = "\n".join(
                    f"== {file.name}\n{file.read_text()[-4000:]}" for file in self._logs.iterdir()
                )
                pytest.fail(f"not in time: {what}\n{logs}")
            time.sleep(0.5)

    def trigger(self, dag: str) -> str:
        """Start a run of a DAG and return the path of its task."""
        self.until(lambda: self._http.get(f"/api/v2/dags/{dag}").is_success, f"DAG {dag} is known")
        self.call("PATCH", f"/dags/{dag}?update_mask=is_paused", {"is_paused": False})
        now = datetime.now(timezone.utc).isoformat()
        run = self.call("POST", f"/dags/{dag}/dagRuns", {"logical_date": now})["dag_run_id"]
        return f"/dags/{dag}/dagRuns/{run}/taskInstances/job"

    def await_state(self, task: str, state: str) -> None:
        self.until(lambda: self.call("GET", task)["state"] == state, f"{task} is {state}")


@pytest.fixture(scope="module")
def services(airflow: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Services]:
    started = Services(tmp_path_factory.mktemp("services"))
    try:
        for name in ("api-server", "dag-processor", "scheduler", "triggerer"):
            started.start(name)
        started.log_in()
        yield started
    finally:
        started.stop_all()


def newest(client: Client, dag: str) -> Job:
    found: list[Job] = jobs_of(client, dag)
    return found[-1]


def test_a_deferred_task_and_its_job(client: Client, services: Services) -> None:
    task = services.trigger("long_deferred")
    services.await_state(task, "deferred")
    job = newest(client, "long_deferred")
    services.until(lambda: job.refresh().state == "RUNNING", "the job runs")
    time.sleep(5)  # the trigger runs

    services.stop("triggerer")
    time.sleep(2)
    assert job.refresh().state == "RUNNING"
    services.start("triggerer")
    time.sleep(15)
    assert job.refresh().state == "RUNNING"

    services.call("PATCH", task, {"new_state": "failed"})
    services.until(lambda: job.refresh().state == "CANCELLED", "the job is cancelled")


def test_the_triggerer_resumes_a_task(client: Client, services: Services) -> None:
    task = services.trigger("success_deferred")
    services.await_state(task, "success")
    assert newest(client, "success_deferred").state == "SUCCEEDED"
    log = str(services.call("GET", f"{task}/logs/1?full_content=true"))
    assert "line 3 of" in log


def test_a_running_task_that_is_marked_cancels_its_job(client: Client, services: Services) -> None:
    before = jobs_of(client, "long")
    task = services.trigger("long")
    services.await_state(task, "running")
    services.until(lambda: len(jobs_of(client, "long")) > len(before), "there is a job")
    job = newest(client, "long")
    services.until(lambda: job.refresh().state == "RUNNING", "the job runs")
    services.call("PATCH", task, {"new_state": "failed"})
    services.until(lambda: job.refresh().state == "CANCELLED", "the job is cancelled")


def test_a_deferred_task_that_takes_too_long_cancels_its_job(
    client: Client, services: Services
) -> None:
    task = services.trigger("too_long")
    services.await_state(task, "failed")
    job = newest(client, "too_long")
    services.until(lambda: job.refresh().state == "CANCELLED", "the job is cancelled")


def test_the_next_try_takes_over_the_job_of_a_killed_worker(
    client: Client, services: Services
) -> None:
    before = jobs_of(client, "killed_deferred")
    task = services.trigger("killed_deferred")
    services.await_state(task, "success")
    assert services.call("GET", task)["try_number"] == 2
    (job,) = [job for job in jobs_of(client, "killed_deferred") if job not in before]
    assert job.state == "SUCCEEDED"
