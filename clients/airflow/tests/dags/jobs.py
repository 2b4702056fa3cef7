# SPDX-License-Identifier: Apache-2.0
"""The DAGs of the tests. Each has one job, in queue ``main`` of namespace ``team``."""

from __future__ import annotations

import os
import signal
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

from airflow.sdk import DAG
from sluice import Client
from sluice.client import Job

from sluice_airflow import SluiceJobOperator, SluiceJobSensor

SMALL: dict[str, Any] = {"queue": "main", "requests": {"cpu": 1}, "grace_period": "1s"}
DAGS: dict[str, DAG] = {}


class DiesOnce(SluiceJobOperator):
    """Its worker is killed after the submission, unless the marker says that this happened."""

    def _wait(self, context: Any, client: Client, job: Job) -> dict[str, Any]:
        marker = Path(os.environ["SLUICE_TEST_MARKER"])
        if not marker.exists():
            marker.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return super()._wait(context, client, job)


def script(text: str) -> list[str]:
    return ["sh", "-c", text]


def dag(name: str, **defaults: Any) -> DAG:
    made = DAG(
        name,
        schedule=None,
        start_date=datetime(2026, 1, 1, tzinfo=timezone.utc),
        catchup=False,
        default_args={"retry_delay": timedelta(seconds=0), **defaults},
    )
    DAGS[name] = made
    return made


for deferrable in (False, True):
    suffix = "deferred" if deferrable else "here"
    with dag(f"success_{suffix}", deferrable=deferrable):
        SluiceJobOperator(
            task_id="job",
            command=script("for i in 1 2 3; do echo line $i of {{ ds }}; sleep 1; done"),
            options={**SMALL, "name": "{{ task.task_id }}-{{ ds_nodash }}"},
            log_interval=1,
        )
    with dag(f"retried_{suffix}", deferrable=deferrable, retries=2):
        SluiceJobOperator(
            task_id="job",
            command=script("echo try {{ ti.try_number }}; test {{ ti.try_number }} -ge 2"),
            options=SMALL,
        )
    with dag(f"killed_{suffix}", deferrable=deferrable, retries=1):
        DiesOnce(task_id="job", command=script("sleep 30; echo end"), options=SMALL)
    with dag(f"sensed_{suffix}", deferrable=deferrable):
        SluiceJobSensor(
            task_id="job",
            job=os.environ.get("SLUICE_TEST_JOB", "sensed"),
            poke_interval=1,
            timeout=120,
        )

with dag("refused", retries=3):
    SluiceJobOperator(task_id="job", command=["true"], options={**SMALL, "queue": "missing"})

with dag("cancelled", retries=3):
    SluiceJobOperator(task_id="job", command=["sleep", "600"], options=SMALL)

with dag("long"):
    SluiceJobOperator(task_id="job", command=["sleep", "600"], options=SMALL)

with dag("long_deferred", deferrable=True):
    SluiceJobOperator(task_id="job", command=["sleep", "600"], options=SMALL)

with dag("too_long", deferrable=True, execution_timeout=timedelta(seconds=5)):
    SluiceJobOperator(task_id="job", command=["sleep", "600"], options=SMALL)

with dag("manifest"):
    SluiceJobOperator(
        task_id="job",
        manifest="""
        apiVersion: sluice.io/v1
        kind: Job
        metadata: {name: "no", namespace: team}
        spec: {queue: main, requests: {cpu: 1}, command: [echo, "{{ ds }}"]}
        """,
    )

globals().update(DAGS)
