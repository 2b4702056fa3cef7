# SPDX-License-Identifier: Apache-2.0
"""Manifests from options."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from sluice.manifest import body_of, job_manifest


def test_all_options_have_their_place() -> None:
    manifest = job_manifest(
        ["python", "train.py"],
        {
            "queue": "main",
            "namespace": "team",
            "name": "train",
            "labels": {"model": "tiny"},
            "accelerator": "v6e:4x4",
            "machine_type": "ct6e-standard-4t",
            "slices": (1, 4),
            "requests": {"cpu": 1},
            "env": {"A": "b"},
            "compute_class": "cheap",
            "priority": "high",
            "preemptible": True,
            "hold": False,
            "array": 8,
            "max_parallel": 2,
            "time_limit": timedelta(minutes=90),
            "start_deadline": timedelta(milliseconds=1500),
            "progress_deadline": "10m",
            "grace_period": "2s",
            "max_failures": 3,
            "spec": {"onStall": "Report"},
        },
    )
    assert manifest == {
        "apiVersion": "sluice.io/v1",
        "kind": "Job",
        "metadata": {"namespace": "team", "name": "train", "labels": {"model": "tiny"}},
        "spec": {
            "queue": "main",
            "computeClass": "cheap",
            "priorityClass": "high",
            "preemptible": True,
            "hold": False,
            "maxFailures": 3,
            "timeLimit": "5400s",
            "startDeadline": "1500ms",
            "progressDeadline": "10m",
            "gracePeriod": "2s",
            "accelerator": {
                "type": "v6e",
                "topology": "4x4",
                "slices": {"min": 1, "max": 4},
                "machineType": "ct6e-standard-4t",
            },
            "requests": {"cpu": 1},
            "env": {"A": "b"},
            "array": {"count": 8, "maxParallel": 2},
            "command": ["python", "train.py"],
            "onStall": "Report",
        },
    }


@pytest.mark.parametrize(
    ("slices", "written"),
    [(2, 2), ("2", 2), ("1..4", {"min": 1, "max": 4}), ((1, 4), {"min": 1, "max": 4})],
)
def test_slices_may_be_a_range(slices: object, written: object) -> None:
    manifest = job_manifest(["x"], {"accelerator": "v6e:4x4", "slices": slices})
    assert manifest["spec"]["accelerator"]["slices"] == written


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"prioritty": "high"}, "unknown option prioritty"),
        ({"slices": 2}, "slices needs accelerator"),
        ({"accelerator": "v6e"}, "must be TYPE:TOPOLOGY"),
        ({"accelerator": "v6e:4x4", "slices": "some"}, "slices must be a number"),
        ({"max_parallel": 2}, "max_parallel needs array"),
        ({"queue": "a", "spec": {"queue": "b"}}, "spec.queue is given"),
    ],
)
def test_wrong_options_are_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        job_manifest(["x"], options)


def test_a_command_of_one_text_is_refused() -> None:
    with pytest.raises(TypeError, match="a list of words"):
        job_manifest("python train.py", {})


def test_manifests_may_be_text_files_or_objects(tmp_path: Path) -> None:
    file = tmp_path / "job.yaml"
    file.write_text("kind: Job")
    assert body_of("kind: Job") == b"kind: Job"
    assert body_of(b"kind: Job") == b"kind: Job"
    assert body_of(file) == b"kind: Job"
    assert body_of({"kind": "Job"}) == b'{"kind": "Job"}'
    assert body_of([{"kind": "Job"}, {"kind": "Job"}]) == b'[{"kind": "Job"}, {"kind": "Job"}]'
