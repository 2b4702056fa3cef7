# SPDX-License-Identifier: Apache-2.0
"""Tasks: which functions can be one, and how a job calls them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import example_tasks
import sluice
from faulty import FaultyServer, Reply
from sluice import Client, TaskError

HERE = Path(__file__).resolve().parent


def test_a_call_runs_here() -> None:
    assert example_tasks.greet("you", times=2) == "hello you hello you "


def test_the_command_names_the_function_and_its_arguments() -> None:
    command = example_tasks.greet.command("you", times=2)
    assert command[:4] == ["python3", "-m", "sluice.task", "example_tasks:greet"]
    assert json.loads(command[4]) == {"args": ["you"], "kwargs": {"times": 2}}
    assert example_tasks.greet.on(python="/opt/python").command("you")[0] == "/opt/python"


def test_the_options_of_decorator_and_call_are_joined(faulty: FaultyServer) -> None:
    faulty.replies_with(Reply(201, {"id": "1"}))
    with Client(faulty.url, token="t") as client:
        example_tasks.fail.on(client, name="other", priority="high").submit("no")
    manifest = json.loads(faulty.seen[0].body)
    assert manifest["metadata"] == {"namespace": "team", "name": "other"}
    assert manifest["spec"]["priorityClass"] == "high"
    assert manifest["spec"]["queue"] == "main"


def test_a_lambda_is_refused() -> None:
    with pytest.raises(TaskError, match="lambda"):
        sluice.task(lambda: None)


def test_a_nested_function_is_refused() -> None:
    def inside() -> None: ...

    with pytest.raises(TaskError, match="defined inside"):
        sluice.task(inside)


def test_a_method_is_refused() -> None:
    class Some:
        def method(self) -> None: ...

    with pytest.raises(TaskError, match="defined inside"):
        sluice.task(Some.method)


def test_what_is_no_plain_function_is_refused() -> None:
    with pytest.raises(TaskError, match="a task is a function"):
        sluice.task(print)


def test_a_function_of_main_is_refused_at_its_submission(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import sluice\n"
        "@sluice.task\n"
        "def work(): print('worked')\n"
        "work()\n"
        "try:\n"
        "    work.submit()\n"
        "except sluice.TaskError as refused:\n"
        "    print(refused)\n"
    )
    ended = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, check=True, timeout=60
    )
    assert ended.stdout.splitlines()[0] == "worked"
    assert "work is defined in __main__" in ended.stdout


def test_a_name_that_means_another_function_is_refused() -> None:
    def stand_in(name: str) -> None: ...

    stand_in.__module__ = "example_tasks"
    stand_in.__name__ = stand_in.__qualname__ = "greet"
    with pytest.raises(TaskError, match="is not this function"):
        sluice.task(stand_in).command("you")


@pytest.mark.parametrize(
    "argument", [object(), (1, 2), {1: 2}, float("nan"), b"x", {"a": [float("inf")]}, {1, 2}]
)
def test_arguments_that_json_would_change_are_refused(argument: Any) -> None:
    with pytest.raises(TaskError):
        example_tasks.greet.command(argument)


def test_a_call_with_wrong_arguments_is_refused_before_it_is_a_job() -> None:
    with pytest.raises(TaskError, match="unexpected keyword argument"):
        example_tasks.greet.command("you", tims=2)  # type: ignore[call-arg]


def test_arguments_that_are_too_long_for_a_command_are_refused() -> None:
    with pytest.raises(TaskError, match="Pass the path of a file"):
        example_tasks.greet.command("x" * 140_000)


def call(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "sluice.task", *words],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(HERE), *sys.path])},
    )


def test_the_job_calls_the_function() -> None:
    ended = call("example_tasks:greet", '{"args": ["you"], "kwargs": {"times": 2}}')
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "hello you hello you\n", "")


def test_an_exception_fails_the_job_with_its_trace() -> None:
    ended = call("example_tasks:fail", '{"args": ["no luck"]}')
    assert ended.returncode == 1
    assert "ValueError: no luck" in ended.stderr


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("example_tasks:greet",),
        ("example_tasks:greet", "not json"),
        ("example_tasks:greet", "[1]"),
        ("example_tasks", "{}"),
        ("example_tasks:missing", "{}"),
    ],
)
def test_a_wrong_call_exits_with_2(words: tuple[str, ...]) -> None:
    ended = call(*words)
    assert ended.returncode == 2
    assert ended.stderr


def test_the_decorator_is_still_called_after_an_import_of_the_module() -> None:
    code = (
        "import sluice, sluice.task, example_tasks\n"
        "print(sluice.task(example_tasks.greet.function))"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(HERE), *sys.path])},
    )
    assert ended.stdout == "<Task example_tasks:greet>\n"
