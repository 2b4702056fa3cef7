# SPDX-License-Identifier: Apache-2.0
"""The examples of the documentation run as they are written."""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import dedent

import pytest

import sluice
from sluice import Client

HERE = Path(__file__).resolve().parent
PAGES = [HERE.parent / "README.md", HERE.parents[2] / "docs" / "how-to" / "python-client.md"]
BLOCK = re.compile(r"^ *```python\n(.*?)^ *```", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_examples_of_a_page_run(
    page: Path,
    client: Client,
    data: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("SLUICE_DATA", str(data))
    for name in ("SLUICE_SERVER", "SLUICE_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    blocks = [dedent(block) for block in BLOCK.findall(page.read_text(encoding="utf-8"))]
    # A block that begins with the name of a file is a module for jobs.
    modules = [block for block in blocks if re.match(r"# [\w/]+\.py\n", block)]
    session = [block for block in blocks if block not in modules]
    assert session
    names: dict[str, object] = {"__name__": "page"}
    for block in modules:
        compile(block, page.name, "exec")
    for block in session:
        exec(compile(block, page.name, "exec"), names)
    printed = capsys.readouterr().out
    assert "worker 3 of slice 1" in printed
    assert "SUCCEEDED" in printed
    for job in client.jobs.list(state=["pending", "running"]):
        job.cancel().wait(60)
    assert client is sluice.default_client()
