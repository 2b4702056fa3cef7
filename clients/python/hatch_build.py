# SPDX-License-Identifier: Apache-2.0
"""The build step that generates the types of answers from the server's OpenAPI document.

A source distribution has no such document. It has the generated module, which is then used as it
is.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class GenerateModels(BuildHookInterface[Any]):
    """Runs ``generate_models.py`` in a checkout."""

    def dependencies(self) -> list[str]:
        """Return what the generator needs, if it is to run."""
        return ["PyYAML>=6"] if self._document() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        """Write the module before the package is put together."""
        document = self._document()
        if document is None:
            return
        sys.path.insert(0, self.root)
        try:
            from generate_models import generate  # noqa: PLC0415
        finally:
            sys.path.remove(self.root)
        generate(document, Path(self.root) / "src" / "sluice" / "models.py")

    def _document(self) -> Path | None:
        root = Path(self.root)
        if (root / "PKG-INFO").exists():  # an unpacked source distribution, somewhere
            return None
        document = root.parents[1] / "docs" / "openapi.yaml"
        return document if document.is_file() else None
