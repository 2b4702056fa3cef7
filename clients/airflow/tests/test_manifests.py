# SPDX-License-Identifier: Apache-2.0
"""Identities of tries, and manifests of tasks."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime, timezone
from types import SimpleNamespace
from typing import Any

import pytest

from sluice_airflow.manifests import ManifestError, parse, task_manifest
from sluice_airflow.task_try import TaskTry, job_name

TRY = TaskTry("dag", "manual__2026-11-24T10:00:00+00:00", "group.task", -1, 1)
GIVEN: dict[str, Any] = {"namespace": "team", "name": "task", "labels": {"a": "1"}}


def test_a_try_is_read_from_a_context() -> None:
    begun = datetime(2026, 11, 24, 10, tzinfo=timezone.utc)
    ti = SimpleNamespace(
        dag_id="dag", run_id="run", task_id="task", map_index=3, try_number=2, id="x"
    )
    found = TaskTry.of({"ti": ti, "dag_run": SimpleNamespace(start_date=begun)})
    assert found == TaskTry("dag", "run", "task", 3, 2, "x", "20261124T100000.000000")


def test_each_part_of_a_try_changes_the_key() -> None:
    others = [
        replace(TRY, dag_id="other"),
        replace(TRY, run_id="other"),
        replace(TRY, task_id="other"),
        replace(TRY, map_index=0),
        replace(TRY, try_number=2),
        replace(TRY, instance="other"),
    ]
    keys = {TRY.idempotency_key, *(other.idempotency_key for other in others)}
    assert len(keys) == 7
    assert all(len(key) <= 200 for key in keys)
    assert TRY.idempotency_key == replace(TRY).idempotency_key


@pytest.mark.parametrize("text", ["a" * 63, "a" * 300, "ü", "_a_", "a b", "-", "__", "a/b:c+d"])
def test_labels_are_values_that_the_server_takes(text: str) -> None:
    labels = replace(TRY, dag_id=text, run_id=text, task_id=text).labels
    for value in labels.values():
        assert re.fullmatch(r"([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?", value)


def test_texts_that_look_alike_have_different_labels() -> None:
    values = {
        replace(TRY, run_id=text).labels["airflow.apache.org/run-id"]
        for text in ("a b", "a_b", "a+b", "a_b_")
    }
    assert len(values) == 4


def test_a_try_knows_its_job() -> None:
    record = {"metadata": {"labels": {**TRY.labels, "more": "x"}}}
    assert TRY.made(record)
    assert not replace(TRY, try_number=2).made(record)
    assert not TRY.made({})


def test_names_of_jobs() -> None:
    assert job_name("Group.Train_it") == "group-train-it"
    assert job_name("__") == "job"
    assert len(job_name("x" * 100)) == 63


def test_options_make_a_manifest() -> None:
    made = task_manifest(
        ["true"], {"queue": "main", "image": None, "labels": {"b": "2"}}, None, **GIVEN
    )
    assert made["metadata"] == {
        "namespace": "team",
        "name": "task",
        "labels": {"a": "1", "b": "2"},
    }
    assert made["spec"] == {"queue": "main", "command": ["true"]}


def test_a_manifest_keeps_its_own_name() -> None:
    given = {"kind": "Job", "metadata": {"name": "own"}, "spec": {}}
    made = task_manifest(None, None, given, **GIVEN)
    assert made["metadata"] == {"namespace": "team", "name": "own", "labels": {"a": "1"}}
    assert given == {"kind": "Job", "metadata": {"name": "own"}, "spec": {}}


def test_yaml_is_read_by_its_core_schema() -> None:
    text = "{a: no, b: true, c: 12, d: 1:30, e: 012, f: 1.5, g: ~, h: , i: 2026-01-01, j: 1e3}"
    assert parse(text) == {
        "a": "no",
        "b": True,
        "c": 12,
        "d": "1:30",
        "e": "012",
        "f": 1.5,
        "g": None,
        "h": None,
        "i": "2026-01-01",
        "j": 1000.0,
    }


@pytest.mark.parametrize("text", ["", "a: 1\n---\nb: 2", "[1]", "a: [", "- a: 1"])
def test_a_text_must_be_one_object(text: str) -> None:
    with pytest.raises(ManifestError):
        parse(text)


@pytest.mark.parametrize(
    ("command", "options"), [("true", {}), (["true"], {"colour": 1}), (["true"], {"slices": 2})]
)
def test_wrong_options_are_refused(command: Any, options: dict[str, Any]) -> None:
    with pytest.raises(ManifestError):
        task_manifest(command, options, None, **GIVEN)
