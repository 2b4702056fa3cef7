# SPDX-License-Identifier: Apache-2.0
"""The manifest that a task submits."""

from __future__ import annotations

import copy
import re
from collections.abc import Mapping, Sequence
from typing import Any

import yaml
from sluice.manifest import job_manifest

__all__ = ["ManifestError", "parse", "task_manifest"]


class ManifestError(ValueError):
    """The arguments of a task make no manifest."""


class _CoreLoader(yaml.SafeLoader):
    """Reads YAML by the core schema of YAML 1.2, as the server does: ``no`` is a text."""

    yaml_implicit_resolvers: dict[str, list[Any]] = {}  # noqa: RUF012 - as in the parent class


for _tag, _pattern, _starts in (
    ("bool", r"true|True|TRUE|false|False|FALSE", "tTfF"),
    ("null", r"~|null|Null|NULL|", "~nN\0"),
    ("int", r"[-+]?(?:0|[1-9][0-9]*)", "-+0123456789"),
    (
        "float",
        r"[-+]?(?:\.[0-9]+|[0-9]+\.[0-9]*)(?:[eE][-+]?[0-9]+)?|[-+]?[0-9]+[eE][-+]?[0-9]+",
        "-+.0123456789",
    ),
):
    _first = ["" if _start == "\0" else _start for _start in _starts]
    _CoreLoader.add_implicit_resolver(
        f"tag:yaml.org,2002:{_tag}", re.compile(f"^(?:{_pattern})$"), _first
    )


def parse(text: str) -> dict[str, Any]:
    """Return the manifest of a YAML or JSON text.

    Raises:
        ManifestError: the text is not YAML, or does not have exactly one object.
    """
    try:
        documents = [one for one in yaml.load_all(text, _CoreLoader) if one is not None]
    except yaml.YAMLError as wrong:
        raise ManifestError(f"manifest is not YAML: {wrong}") from wrong
    if len(documents) != 1 or not isinstance(documents[0], dict):
        raise ManifestError(
            f"manifest must have exactly one job, it has {len(documents)} documents;"
            " use one task for each job"
        )
    return documents[0]


def task_manifest(
    command: Sequence[str] | None,
    options: Mapping[str, Any] | None,
    manifest: Mapping[str, Any] | str | None,
    *,
    namespace: str,
    name: str,
    labels: Mapping[str, str],
) -> dict[str, Any]:
    """Return the manifest of a task's job.

    Args:
        command: the program and its arguments.
        options: fields of :class:`sluice.JobOptions`.
        manifest: a whole manifest, instead of ``command`` and ``options``.
        namespace: namespace of a job that names none.
        name: name of a job that has none.
        labels: labels to add. They take precedence.

    Raises:
        ManifestError: the arguments make no manifest.
    """
    if manifest is None:
        try:
            made = job_manifest(
                command, {"namespace": namespace, "name": name, **_present(options or {})}
            )
        except (TypeError, ValueError) as wrong:
            raise ManifestError(str(wrong)) from wrong
    else:
        made = parse(manifest) if isinstance(manifest, str) else copy.deepcopy(dict(manifest))
    given = made.get("metadata") or {}
    if not isinstance(given, Mapping):
        raise ManifestError(f"metadata must be an object, it is {given!r}")
    known = given.get("labels") or {}
    if not isinstance(known, Mapping):
        raise ManifestError(f"metadata.labels must be an object, it is {known!r}")
    made["metadata"] = {
        "namespace": namespace,
        "name": name,
        **given,
        "labels": {**known, **labels},
    }
    return made


def _present(options: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in options.items() if value is not None}
