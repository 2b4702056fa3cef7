# SPDX-License-Identifier: Apache-2.0
"""Calls a task in a job: ``python -m sluice.task MODULE:FUNCTION '{"args": [], "kwargs": {}}'``.

The decorator is ``sluice.task`` too. This module can be called as the decorator is, so that the
name means the same before and after an import of the module.
"""

from __future__ import annotations

import importlib
import json
import sys
import types
from collections.abc import Sequence

from sluice._task import Task, task

_USAGE = 'usage: python -m sluice.task MODULE:FUNCTION JSON, with JSON as in {"args": [1]}'
_WRONG_USAGE = 2


def main(words: Sequence[str]) -> int:
    """Call the function that the words name, and return the exit code.

    An exception of the function leaves this function: Python prints it and exits with 1.
    """
    if len(words) != 2:
        print(_USAGE, file=sys.stderr)
        return _WRONG_USAGE
    module, colon, name = words[0].partition(":")
    try:
        call = json.loads(words[1])
        args, kwargs = call.get("args", []), call.get("kwargs", {})
    except (ValueError, AttributeError) as wrong:
        print(f"{_USAGE}: {wrong}", file=sys.stderr)
        return _WRONG_USAGE
    if not (colon and module and name.isidentifier()):
        print(f"{_USAGE}: {words[0]} names no function", file=sys.stderr)
        return _WRONG_USAGE
    found = getattr(importlib.import_module(module), name, None)
    function = found.function if isinstance(found, Task) else found
    if not callable(function):
        print(f"module {module} has no function {name}", file=sys.stderr)
        return _WRONG_USAGE
    function(*args, **kwargs)
    return 0


class _CallableModule(types.ModuleType):
    __call__ = staticmethod(task)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
else:
    sys.modules[__name__].__class__ = _CallableModule
