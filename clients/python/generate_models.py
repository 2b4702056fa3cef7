# SPDX-License-Identifier: Apache-2.0
"""Generates ``src/sluice/models.py``, the types of answers, from ``docs/openapi.yaml``.

The build runs it in a checkout. By hand: ``python generate_models.py``. It needs PyYAML.
"""

from __future__ import annotations

import keyword
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from textwrap import wrap
from typing import Any

import yaml

Schema = Mapping[str, Any]

HERE = Path(__file__).resolve().parent
DOCUMENT = HERE.parents[1] / "docs" / "openapi.yaml"
MODELS = HERE / "src" / "sluice" / "models.py"

_COLUMNS = 100
_PLAIN = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}
_NAME_OF_SCHEMA = re.compile(r"\b(?!Any\b|None\b)[A-Z]")
_HEAD = '''\
# SPDX-License-Identifier: Apache-2.0
# Generated from docs/openapi.yaml by generate_models.py. Do not edit.
"""Types of the JSON objects that the server answers and accepts.

A value of such a type is a plain ``dict``. ``NotRequired`` fields may be absent. A newer server may
add fields.
"""

from typing import Any, TypeAlias

from typing_extensions import NotRequired, TypedDict

'''


def models(document: Schema) -> str:
    """Return the source of the module for an OpenAPI document.

    Raises:
        ValueError: a schema has a form that this generator does not know.
    """
    schemas = document["components"]["schemas"]
    # Aliases first: unlike an annotation, an alias is evaluated when the module is imported.
    aliases = [name for name in schemas if "properties" not in schemas[name]]
    objects = [name for name in schemas if "properties" in schemas[name]]
    lines = [_HEAD.rstrip("\n"), "", "__all__ = ["]
    lines += [f'    "{name}",' for name in sorted(map(_name, schemas), key=_order)]
    lines += ["]", ""]
    for name in aliases:
        lines += [f"{_name(name)}: TypeAlias = {_type(schemas[name], name)}"]
    for name in objects:
        lines += ["", "", *_object(_name(name), schemas[name])]
    return "\n".join(lines) + "\n"


def _object(name: str, schema: Schema) -> Iterator[str]:
    required = frozenset(schema.get("required", []))
    fields = schema["properties"]
    unknown = required - fields.keys()
    if unknown:
        raise ValueError(f"schema {name} requires fields without a schema: {sorted(unknown)}")
    title = schema.get("description", f"The schema ``{name}``.")
    if all(field.isidentifier() and not keyword.iskeyword(field) for field in fields):
        yield f"class {name}(TypedDict):"
        yield from _docstring(title, after_summary="\n\n")
        yield ""
        for field, its in fields.items():
            yield f"    {field}: {_annotation(its, f'{name}.{field}', field in required)}"
            if "description" in its:
                yield from _docstring(its["description"])
        return
    # A class cannot have a field that is a word of the language, such as "from".
    yield f"{name} = TypedDict("
    yield f'    "{name}",'
    yield "    {"
    for field, its in fields.items():
        yield from (f"        # {line}" for line in _wrapped(its.get("description", ""), 10))
        yield f'        "{field}": {_annotation(its, f"{name}.{field}", field in required)},'
    yield "    },"
    yield ")"
    yield from _docstring(title, indent="")


def _annotation(schema: Schema, where: str, required: bool) -> str:
    kind = _type(schema, where)
    if _NAME_OF_SCHEMA.search(kind):
        # Its class may come later. Annotations are not postponed for the whole module, since
        # TypedDict would then not see which fields are not required.
        kind = f'"{kind}"'
    return kind if required else f"NotRequired[{kind}]"


def _type(schema: Schema, where: str) -> str:
    kind = schema.get("type")
    if "$ref" in schema:
        written = _name(str(schema["$ref"]).rsplit("/", 1)[-1])
    elif "anyOf" in schema:
        written = " | ".join(_type(one, where) for one in schema["anyOf"])
    elif isinstance(kind, list):
        written = " | ".join(_type({**schema, "type": one}, where) for one in kind)
    elif kind == "array":
        written = f"list[{_type(schema.get('items', {}), where)}]"
    elif kind == "object" and "properties" not in schema:
        values = schema.get("additionalProperties")
        written = f"dict[str, {_type(values, where) if isinstance(values, dict) else 'Any'}]"
    elif kind in _PLAIN:
        written = _PLAIN[kind]
    elif not schema.keys() - {"description"}:
        written = "Any"
    else:
        raise ValueError(f"the schema of {where} has a form that is not known: {dict(schema)}")
    return written


def _name(schema: str) -> str:
    """Return the name of the type: that of the schema, without its package."""
    return schema.rsplit(".", 1)[-1]


def _order(name: str) -> tuple[bool, str]:
    """Return the key by which Ruff sorts names: constants first."""
    return not name.isupper(), name


def _docstring(text: str, indent: str = "    ", after_summary: str = " ") -> Iterator[str]:
    sentences = text.replace("\\", "\\\\").rstrip()
    if sentences[-1:] not in (".", "?", "!"):
        sentences += "."
    paragraphs = sentences.replace(". ", "." + after_summary, 1).split("\n\n")
    lines = [line for one in paragraphs for line in ("", *_wrapped(one, len(indent) + 3))][1:]
    if len(lines) == 1 and len(indent) + len(lines[0]) + 6 <= _COLUMNS:
        yield f'{indent}"""{lines[0]}"""'
        return
    yield f'{indent}"""{lines[0]}'
    yield from (indent + line if line else "" for line in lines[1:])
    yield f'{indent}"""'


def _wrapped(text: str, indent: int) -> list[str]:
    return wrap(text, _COLUMNS - indent)


def generate(document: Path, target: Path) -> bool:
    """Write the module if it is not current, and return whether it was written."""
    source = models(yaml.safe_load(document.read_text(encoding="utf-8")))
    if target.exists() and target.read_text(encoding="utf-8") == source:
        return False
    target.write_text(source, encoding="utf-8")
    return True


if __name__ == "__main__":
    written = generate(DOCUMENT, MODELS)
    sys.stdout.write(f"{MODELS} {'written' if written else 'is current'}\n")
