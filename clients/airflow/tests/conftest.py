# SPDX-License-Identifier: Apache-2.0
"""The servers of the tests: a real Sluice, and an Airflow whose database is a new file."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).resolve().parent
PYTHON_TESTS = HERE.parents[1] / "python" / "tests"
START_SECONDS = 180.0
RUN_SECONDS = 180.0
_BEGUN = datetime.now(timezone.utc)

for _variable in ("SLUICE_SERVER", "SLUICE_TOKEN", "SLUICE_DATA"):
    os.environ.pop(_variable, None)

# Airflow reads these when it is imported, so they are set before any test is.
_HOME = Path(tempfile.mkdtemp(prefix="sluice-airflow-", dir="/tmp"))
os.environ |= {
    "AIRFLOW_HOME": str(_HOME),
    "AIRFLOW__CORE__DAGS_FOLDER": str(HERE / "dags"),
    "AIRFLOW__CORE__LOAD_EXAMPLES": "False",
    "AIRFLOW__CORE__UNIT_TEST_MODE": "False",
    "AIRFLOW__DATABASE__SQL_ALCHEMY_CONN": f"sqlite:///{_HOME / 'airflow.db'}",
    "AIRFLOW__LOGGING__LOGGING_LEVEL": "INFO",
    "AIRFLOW__OPERATORS__DEFAULT_DEFERRABLE": "False",
}

from sluice import Client  # noqa: E402


@pytest.fixture(scope="session")
def shared() -> Iterator[Path]:
    """A directory that the accounts of the database and of jobs may pass through."""
    directory = Path(tempfile.mkdtemp(prefix="sluice-airflow-", dir="/tmp"))
    directory.chmod(0o711)
    yield directory
    shutil.rmtree(directory, ignore_errors=True)


@pytest.fixture(scope="session")
def data(shared: Path) -> Iterator[Path]:
    """The data directory of a running server.

    ``SLUICE_TEST_DATA`` names that of a server which runs already. Otherwise the checkout's server
    is started; ``SLUICE_TEST_HOME`` names another checkout.
    """
    running = os.environ.get("SLUICE_TEST_DATA")
    if running:
        yield Path(running)
        return
    home = Path(os.environ.get("SLUICE_TEST_HOME", HERE.parents[2]))
    directory = shared / "data"
    printed = shared / "printed"
    command = [str(home / "sluice"), "up", "--port", "0", "--end-jobs", "--data", str(directory)]
    with printed.open("wb") as out:
        server = subprocess.Popen(
            [*command, "--fleet", str(PYTHON_TESTS / "fleet.yaml")],
            env={**os.environ, "SLUICE_NO_BUILD": "1"},
            stdout=out,
            stderr=subprocess.STDOUT,
        )
    try:
        end = time.monotonic() + START_SECONDS
        while "Sluice is ready on " not in printed.read_text():
            if server.poll() is not None or time.monotonic() > end:
                pytest.fail(f"the server did not start: {printed.read_text()}")
            time.sleep(0.2)
        yield directory
    finally:
        server.terminate()
        server.wait(60)


@pytest.fixture(scope="session")
def client(data: Path) -> Iterator[Client]:
    """A client of the server, whose address Airflow has as its connection."""
    with Client(data=data) as client:
        client.apply(PYTHON_TESTS / "quota.yaml")
        host, _, port = client.address.url.rpartition("://")[2].partition(":")
        os.environ["AIRFLOW_CONN_SLUICE_DEFAULT"] = json.dumps(
            {
                "conn_type": "sluice",
                "host": host,
                "port": int(port),
                "password": client.address.token,
                "extra": {"namespace": "team"},
            }
        )
        yield client


@pytest.fixture(scope="session")
def airflow(client: Client) -> Iterator[None]:
    """Airflow's database."""
    subprocess.run(
        [sys.executable, "-m", "airflow", "db", "migrate"],
        check=True,
        capture_output=True,
    )
    yield
    shutil.rmtree(_HOME, ignore_errors=True)


@dataclass
class DagRun:
    """What a run of a DAG left."""

    code: int
    state: str | None
    tasks: dict[str, dict[str, Any]]
    """By task id: ``state``, ``try_number``, ``returned``."""
    printed: str


class Dags:
    """Runs the DAGs of ``dags/jobs.py``, each in a process of its own."""

    def start(self, dag: str, when: str, **variables: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, str(HERE / "run_dag.py"), dag, when],
            env={**os.environ, **variables},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def end(self, process: subprocess.Popen[str]) -> DagRun:
        try:
            printed, _ = process.communicate(timeout=RUN_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            printed, _ = process.communicate()
            pytest.fail(f"the DAG did not end: {printed}")
        found = [line for line in printed.splitlines() if line.startswith("RESULT ")]
        result = json.loads(found[-1].removeprefix("RESULT ")) if found else {}
        return DagRun(process.returncode, result.get("state"), result.get("tasks", {}), printed)

    def run(self, dag: str, when: str, **variables: str) -> DagRun:
        return self.end(self.start(dag, when, **variables))


@pytest.fixture
def dags(airflow: None) -> Dags:
    return Dags()


def jobs_of(client: Client, dag: str, task: str = "job") -> list[Any]:
    """Return the jobs that the tries of a task submitted in this session, oldest first."""
    label = {"airflow.apache.org/dag-id": dag, "airflow.apache.org/task-id": task}
    return list(reversed(list(client.jobs.list(label=label, since=_BEGUN))))
