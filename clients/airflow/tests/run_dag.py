# SPDX-License-Identifier: Apache-2.0
"""Runs a DAG of ``dags/jobs.py`` as ``dag.test()`` does, and prints what became of it.

usage: run_dag.py DAG LOGICAL_DATE
"""

from __future__ import annotations

import json
import sys
from datetime import datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent / "dags"))


def main(dag_id: str, when: str) -> None:
    import jobs
    from airflow.models.xcom import XComModel
    from airflow.utils.session import create_session

    # The id of the run is made of the time after which it runs.
    time = datetime.fromisoformat(when)
    run = jobs.DAGS[dag_id].test(run_after=time, logical_date=time)
    tasks = {}
    with create_session() as session:
        for ti in run.get_task_instances(session=session):
            returned = session.query(XComModel).filter_by(
                dag_id=dag_id, run_id=run.run_id, task_id=ti.task_id, key="return_value"
            )
            tasks[ti.task_id] = {
                "state": ti.state and str(ti.state),
                "try_number": ti.try_number,
                "returned": [found.value for found in returned],
            }
    print("RESULT", json.dumps({"state": str(run.state), "tasks": tasks}), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
