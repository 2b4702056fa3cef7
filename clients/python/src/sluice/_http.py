# SPDX-License-Identifier: Apache-2.0
"""What both clients share of HTTP."""

from __future__ import annotations

import ipaddress
import ssl
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from typing import Any
from urllib.parse import urlsplit

import httpx

from sluice._steps import Request
from sluice.address import ServerAddress
from sluice.errors import SluiceError, Unreachable

CONNECT_SECONDS = 5.0


def package_version() -> str:
    """Return the version of this package."""
    try:
        return version("sluice-client")
    except PackageNotFoundError:  # run from a checkout
        return "0+unknown"


def settings(address: ServerAddress, read_seconds: float) -> dict[str, Any]:
    """Return the arguments of an HTTP client for a server.

    Redirects are not followed: the token is for this server. A server on this machine is not
    called through a proxy.
    """
    parts = urlsplit(address.url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError(
            f"the URL of a server is http://HOST:PORT or https://..., not {address.url}"
        )
    headers = {
        "Accept": "application/json, */*;q=0.1",
        "User-Agent": f"sluice-client/{package_version()}",
    }
    if address.token:
        headers["Authorization"] = f"Bearer {address.token}"
    return {
        "base_url": address.url,
        "headers": headers,
        "timeout": httpx.Timeout(read_seconds, connect=CONNECT_SECONDS),
        "follow_redirects": False,
        "verify": _trust(address) if parts.scheme == "https" else True,
        "trust_env": not _loopback(parts.hostname),
    }


def _trust(address: ServerAddress) -> ssl.SSLContext | bool:
    """Return the certificates to trust; True: those that Python knows."""
    file = address.certificate or address.ca_file
    if file is None:
        return True
    try:
        context = ssl.create_default_context(cafile=str(file))
    except OSError as unreadable:  # ssl.SSLError too
        raise SluiceError(f"cannot read certificates in PEM from {file}") from unreadable
    if address.certificate is not None:
        # The file has this very certificate, which need not name the address of this machine.
        context.check_hostname = False
        context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    return context


def arguments(request: Request) -> dict[str, Any]:
    """Return the arguments by which an HTTP client builds this request."""
    built: dict[str, Any] = {
        "method": request.method,
        "url": request.path,
        "headers": list(request.headers),
    }
    if request.params:
        built["params"] = list(request.params)
    if request.body is not None:
        built["content"] = request.body
    if request.read_seconds is not None:
        connect = min(CONNECT_SECONDS, request.read_seconds)
        built["timeout"] = httpx.Timeout(request.read_seconds, connect=connect)
    return built


def endless(request: Request) -> dict[str, Any]:
    """Return the arguments for an answer that may pause without a bound."""
    return {**arguments(request), "timeout": httpx.Timeout(None, connect=CONNECT_SECONDS)}


def unreachable(address: ServerAddress, failure: Exception) -> Unreachable:
    """Return the error for a failed connection."""
    reason = str(failure) or type(failure).__name__
    place = f" of the data directory {address.data}" if address.data is not None else ""
    return Unreachable(f"the server{place} does not answer at {address.url}: {reason}")


def plain(headers: httpx.Headers) -> Mapping[str, str]:
    """Return headers that are found whatever their case."""
    return headers


def _loopback(host: str) -> bool:
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
