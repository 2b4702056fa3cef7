# SPDX-License-Identifier: Apache-2.0
"""The types of answers: they are those of the server's OpenAPI document, also after a build."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import yaml
from typing_extensions import get_type_hints, is_typeddict

import generate_models
from sluice import models

HERE = Path(__file__).resolve().parent
PACKAGE = HERE.parent
DOCUMENT = """\
components:
  schemas:
    Instant: {type: string, format: date-time}
    Range:
      type: object
      required: [from]
      properties:
        from: {$ref: '#/components/schemas/Instant', description: Where it begins}
        to: {anyOf: [{$ref: '#/components/schemas/Instant'}, {type: 'null'}]}
    Shelf:
      type: object
      required: [ranges]
      properties:
        ranges: {type: array, items: {$ref: '#/components/schemas/Range'}, description: All of it}
        amounts: {type: object, additionalProperties: {type: integer}}
        label: {type: [string, 'null']}
"""


def test_the_types_are_those_of_the_document() -> None:
    if not generate_models.DOCUMENT.exists():
        pytest.skip("no checkout: docs/openapi.yaml is missing")
    document = yaml.safe_load(generate_models.DOCUMENT.read_text(encoding="utf-8"))
    current = generate_models.models(document) == generate_models.MODELS.read_text(encoding="utf-8")
    assert current, "src/sluice/models.py is not current: run python generate_models.py"


def test_each_type_can_be_examined_by_a_program() -> None:
    for name in models.__all__:
        named = getattr(models, name)
        if is_typeddict(named):
            assert get_type_hints(named), name
    assert {"id", "status"} <= models.JobView.__required_keys__
    assert "documents" in models.JobView.__optional_keys__
    assert "from" in models.RecheckResult.__required_keys__


def test_a_form_of_schema_that_is_not_known_is_an_error() -> None:
    document = yaml.safe_load("components: {schemas: {One: {properties: {field: {oneOf: []}}}}}")
    with pytest.raises(ValueError, match=r"One\.field"):
        generate_models.models(document)


def copy_of_package(directory: Path) -> Path:
    """Copy what a build needs to ``clients/python`` of a directory."""
    copy = directory / "clients" / "python"
    shutil.copytree(PACKAGE / "src", copy / "src", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE", "hatch_build.py", "generate_models.py"):
        shutil.copy(PACKAGE / name, copy)
    (copy / "tests").mkdir()
    return copy


def build(kind: str, source: Path, target: Path) -> Path:
    """Build a distribution as pip does, but with the packages that are installed."""
    program = f"import hatchling.build, sys; print(hatchling.build.build_{kind}(sys.argv[1]))"
    done = subprocess.run(
        [sys.executable, "-c", program, str(target)],
        cwd=source,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return target / done.stdout.split()[-1]


def models_of(wheel: Path) -> str:
    with zipfile.ZipFile(wheel) as archive:
        return archive.read("sluice/models.py").decode()


def test_a_build_in_a_checkout_generates_the_types(tmp_path: Path) -> None:
    source = copy_of_package(tmp_path)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "openapi.yaml").write_text(DOCUMENT)
    generated = models_of(build("wheel", source, tmp_path))
    assert 'Range = TypedDict(\n    "Range",' in generated
    assert '        # Where it begins\n        "from": "Instant",' in generated
    assert '        "to": NotRequired["Instant | None"],' in generated
    assert '    ranges: "list[Range]"\n    """All of it."""' in generated
    assert "    amounts: NotRequired[dict[str, int]]" in generated
    assert "    label: NotRequired[str | None]" in generated


def test_a_build_far_from_the_document_uses_the_types_that_are_there(tmp_path: Path) -> None:
    committed = generate_models.MODELS.read_text(encoding="utf-8")
    archive = build("sdist", copy_of_package(tmp_path), tmp_path)
    # The document of another project, where that of a checkout would be.
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "openapi.yaml").write_text("not: ours")
    unpacked = tmp_path / "clients"
    shutil.rmtree(unpacked)
    shutil.unpack_archive(archive, unpacked)
    (source,) = unpacked.iterdir()
    assert models_of(build("wheel", source, tmp_path)) == committed
