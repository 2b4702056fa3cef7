# SPDX-License-Identifier: Apache-2.0
"""The server of the tests: a real one, for the whole session."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from faulty import FaultyServer
from sluice import Client, set_default_client

HERE = Path(__file__).resolve().parent
START_SECONDS = 180.0

# The tests name their server themselves.
for variable in ("SLUICE_SERVER", "SLUICE_TOKEN", "SLUICE_DATA"):
    os.environ.pop(variable, None)


@pytest.fixture(scope="session")
def shared() -> Iterator[Path]:
    """A directory that the accounts of the database and of jobs may pass through."""
    directory = Path(tempfile.mkdtemp(prefix="sluice-python-", dir="/tmp"))
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
            [*command, "--fleet", str(HERE / "fleet.yaml")],
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
    """A client of the server, with the queues of ``quota.yaml``."""
    with Client(data=data) as client:
        client.apply(HERE / "quota.yaml")
        set_default_client(client)
        yield client
        set_default_client(None)


@pytest.fixture(scope="session")
def python() -> str:
    """A Python that the account of jobs can execute."""
    return os.environ.get("SLUICE_TEST_PYTHON") or sys.executable


@pytest.fixture
def faulty() -> Iterator[FaultyServer]:
    """A server that fails as a test tells it to."""
    with FaultyServer() as server:
        yield server
