# SPDX-License-Identifier: Apache-2.0
"""Tasks, in a module that a job can import."""

from __future__ import annotations

import sluice


@sluice.task
def greet(name: str, *, times: int = 1) -> str:
    text = f"hello {name} " * times
    print(text.strip(), flush=True)
    return text


@sluice.task(queue="main", namespace="team", requests={"cpu": 1}, grace_period="1s")
def fail(message: str) -> None:
    raise ValueError(message)


@sluice.task
def report() -> None:
    here = sluice.context()
    print("pod", here.pod, "index", here.index, "from", here.checkpoint, flush=True)
    here.progress("half")
    here.report_checkpoint(f"step-{here.attempt}")
    if here.checkpoint is None:
        raise SystemExit(3)
