# SPDX-License-Identifier: Apache-2.0
"""The URL of a server and the token of the caller, found as the command line finds them."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from sluice.errors import SluiceError, Unreachable

__all__ = ["ServerAddress", "find_server"]

_DEFAULT_URL = "http://127.0.0.1:7411"
_START_SECONDS = 120.0
_POLL_SECONDS = 0.1


@dataclass(frozen=True)
class ServerAddress:
    """The URL of a server, the token of the caller, and the certificates to trust."""

    url: str
    token: str | None = field(default=None, repr=False)
    """None: the caller has no token."""
    data: Path | None = None
    """The data directory that named the server; None: the URL was given."""
    ca_file: Path | None = None
    """Certificates (PEM) of the authorities to trust; None: those that Python knows."""
    certificate: Path | None = None
    """The server's own certificate (PEM), trusted in place of authorities, whatever host it names;
    None: it is not known."""


def find_server(
    server: str | None = None,
    *,
    token: str | None = None,
    token_file: str | os.PathLike[str] | None = None,
    data: str | os.PathLike[str] | None = None,
    ca_file: str | os.PathLike[str] | None = None,
    environment: Mapping[str, str] | None = None,
    start_seconds: float = _START_SECONDS,
) -> ServerAddress:
    """Find the server and the token.

    The first of these decides: ``server``; the data directory ``data``; ``SLUICE_SERVER``; the
    data directory ``SLUICE_DATA``; the default data directory, if a server runs on it;
    ``http://127.0.0.1:7411``. If a server is starting on the data directory, this waits for it.

    The token is ``token``, the content of ``token_file``, ``SLUICE_TOKEN``, or the token of the
    data directory. The last one is sent only to the address that the server of this directory
    announced.

    The certificate of an HTTPS server must be signed by an authority of ``ca_file``, else of
    ``SLUICE_CA_FILE``. Without both, it must be the one that the server of the data directory
    announced, or signed by an authority that Python knows.

    Args:
        environment: variables to read instead of those of this process.
        start_seconds: longest wait for a server that is starting.

    Raises:
        Unreachable: no server runs on the data directory.
    """
    variables = os.environ if environment is None else environment
    named = Path(data) if data is not None else _path(variables.get("SLUICE_DATA"))
    directory = named if named is not None else _default_data()
    url = server
    if url is None and data is None:
        url = _text(variables.get("SLUICE_SERVER"))
    given = _given_token(token, token_file, variables)
    authorities = Path(ca_file) if ca_file is not None else _path(variables.get("SLUICE_CA_FILE"))
    if url is not None:
        url = url.rstrip("/")
        own = announced(directory)
        if own is None or own.url != url:
            return ServerAddress(url, given, ca_file=authorities)
        return replace(_with(own, given, authorities), data=None)
    found = _await_start(directory, start_seconds)
    if found is None and named is not None:
        raise Unreachable(
            f"no server runs on the data directory {directory}. Start one with"
            f" ./sluice up --data {directory}, or name another with data= or server="
        )
    if found is None:
        return ServerAddress(_DEFAULT_URL, given, directory, authorities)
    return _with(found, given, authorities)


def _with(own: ServerAddress, token: str | None, authorities: Path | None) -> ServerAddress:
    """Return an announced address with what the caller gave in place of its own."""
    given = own if token is None else replace(own, token=token)
    return given if authorities is None else replace(given, ca_file=authorities, certificate=None)


def announced(data: Path) -> ServerAddress | None:
    """Return the address that a live server announced in a data directory."""
    address = _read(data / "server.json")
    if address is None or not _alive(address.get("pid")):
        return None
    try:
        token = (data / "token").read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        token = None
    known = data / "server.crt"
    certificate = known if known.is_file() else None
    url = str(address.get("url", "")).rstrip("/")
    return ServerAddress(url, token, data, certificate=certificate)


def _await_start(data: Path, seconds: float) -> ServerAddress | None:
    found = announced(data)
    if found is not None or not _starting(data):
        return found
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        still = _starting(data)
        time.sleep(_POLL_SECONDS)
        found = announced(data)
        if found is not None:
            return found
        if not still:
            raise Unreachable(f"the server of {data} ended while it was starting; see {data}")
    raise Unreachable(f"the server of {data} has been starting for more than {seconds:.0f} s")


def _starting(data: Path) -> bool:
    starting = _read(data / "starting.json")
    return starting is not None and _alive(starting.get("pid"))


def _read(file: Path) -> dict[str, object] | None:
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return content if isinstance(content, dict) else None


def _alive(pid: object) -> bool:
    if not isinstance(pid, int) or pid <= 0:
        return False
    if sys.platform == "win32":  # os.kill would end the process
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True


def _given_token(
    token: str | None, file: str | os.PathLike[str] | None, variables: Mapping[str, str]
) -> str | None:
    if token is not None and file is not None:
        raise ValueError("give token or token_file, not both")
    if token is not None:
        return token.strip()
    if file is None:
        return _text(variables.get("SLUICE_TOKEN"))
    try:
        return Path(file).read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError) as unreadable:
        raise SluiceError(f"cannot read the token in {os.fspath(file)}") from unreadable


def _text(value: str | None) -> str | None:
    return value.strip() if value is not None and value.strip() else None


def _path(value: str | None) -> Path | None:
    return Path(value) if value is not None and value.strip() else None


def _default_data() -> Path:
    if sys.platform != "win32" and os.getuid() == 0:
        return Path("/var/lib/sluice")
    return Path.home() / ".local" / "share" / "sluice"
