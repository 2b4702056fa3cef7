# SPDX-License-Identifier: Apache-2.0
"""The context of a process, from its environment."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import sluice
from faulty import FaultyServer, Reply
from sluice import Client, NotInAJob

PLAIN = {"SLUICE_JOB_ID": "j-1", "SLUICE_POD": "main-0", "SLUICE_HOST": "cpu-0"}
ON_SLICES = {
    **PLAIN,
    "SLUICE_INDEX": "7",
    "SLUICE_ATTEMPT_INDEX": "2",
    "SLUICE_ATTEMPT": "3",
    "SLUICE_GENERATION": "2",
    "SLUICE_CHECKPOINT": "/data/last",
    "RANK": "5",
    "WORLD_SIZE": "8",
    "TPU_NAME": "v6e-1",
    "TPU_WORKER_ID": "1",
    "TPU_WORKER_HOSTNAMES": "127.0.1.1,127.0.1.2",
    "TPU_TOPOLOGY": "4x4",
    "TPU_ACCELERATOR_TYPE": "v6e-16",
    "MEGASCALE_SLICE_ID": "1",
    "MEGASCALE_NUM_SLICES": "2",
}


def test_a_process_outside_a_job_has_no_context() -> None:
    with pytest.raises(NotInAJob, match="SLUICE_JOB_ID"):
        sluice.context({})


def test_a_process_without_slices() -> None:
    here = sluice.context(PLAIN)
    assert (here.job, here.index, here.attempt, here.generation) == ("j-1", 0, 1, 1)
    assert (here.rank, here.world_size, here.checkpoint, here.slice) == (0, 1, None, None)


def test_a_worker_of_several_slices() -> None:
    here = sluice.context(ON_SLICES)
    assert (here.index, here.attempt_index, here.attempt, here.generation) == (7, 2, 3, 2)
    assert (here.rank, here.world_size, here.checkpoint) == (5, 8, "/data/last")
    assert here.slice is not None
    assert (here.slice.name, here.slice.worker, here.slice.number, here.slice.count) == (
        "v6e-1",
        1,
        1,
        2,
    )
    assert here.slice.hostnames == ("127.0.1.1", "127.0.1.2")
    assert (here.slice.topology, here.slice.accelerator_type) == ("4x4", "v6e-16")


def test_reports_go_into_the_files_of_the_pod(tmp_path: Path) -> None:
    names = ["SLUICE_CHECKPOINT_FILE", "SLUICE_PROGRESS_FILE", "SLUICE_OUTPUT_FILE"]
    files = {name: tmp_path / name for name in names}
    for file in files.values():
        file.write_text("longer than what is written")
    here = sluice.context({**PLAIN, **{name: str(file) for name, file in files.items()}})
    here.report_checkpoint("step-7")
    here.progress("step 7 of 9")
    here.output({"loss": 0.5})
    assert files["SLUICE_CHECKPOINT_FILE"].read_text() == "step-7\n"
    assert files["SLUICE_PROGRESS_FILE"].read_text() == "step 7 of 9\n"
    assert json.loads(files["SLUICE_OUTPUT_FILE"].read_text()) == {"loss": 0.5}


@pytest.mark.parametrize("text", ["", "  ", "two\nlines", "a\tb", "x" * 4097, "é" * 2049])
def test_a_checkpoint_that_no_executor_would_take_is_refused(text: str, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("before")
    here = sluice.context({**PLAIN, "SLUICE_CHECKPOINT_FILE": str(file)})
    with pytest.raises(ValueError, match="a checkpoint is one line"):
        here.report_checkpoint(text)
    assert file.read_text() == "before"


def test_a_checkpoint_goes_to_the_server_where_there_is_no_file(faulty: FaultyServer) -> None:
    faulty.replies_with(Reply(cut=True), Reply(200, {}))
    with Client(faulty.url, token="t") as client:
        sluice.context(ON_SLICES).report_checkpoint("step-7", client=client)
    assert {seen.path for seen in faulty.seen} == {"/v1/jobs/j-1/checkpoint"}
    assert json.loads(faulty.seen[-1].body) == {
        "index": 2,
        "attempt": 3,
        "generation": 2,
        "text": "step-7",
    }


def test_progress_without_a_file_is_nothing_and_output_is_an_error() -> None:
    here = sluice.context(PLAIN)
    here.progress("half")
    with pytest.raises(NotInAJob, match="SLUICE_OUTPUT_FILE"):
        here.output(1)
