# SPDX-License-Identifier: Apache-2.0
"""A server that fails: it answers what a test lays out for it, and cuts connections."""

from __future__ import annotations

import json
import socket
import threading
from collections import deque
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from typing_extensions import Self


@dataclass
class Reply:
    """One answer."""

    status: int = 200
    body: Any = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)
    cut: bool = False
    """Close the connection without an answer; with a text as body: in the middle of it."""


@dataclass
class Seen:
    """One request that came."""

    method: str
    path: str
    key: str | None
    headers: dict[str, str]
    body: bytes


class FaultyServer:
    """Answers each request with the next reply that was laid out; the last one is repeated."""

    def __init__(self) -> None:
        self.replies: deque[Reply] = deque()
        self.seen: list[Seen] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                outer._answer(self)

            def do_POST(self) -> None:
                outer._answer(self)

            def log_message(self, format: str, *args: object) -> None:
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, request: Any, client_address: Any) -> None:
                pass

        self._server = Server(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,))

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def replies_with(self, *replies: Reply) -> None:
        self.replies = deque(replies)

    def _answer(self, handler: BaseHTTPRequestHandler) -> None:
        length = int(handler.headers.get("Content-Length") or 0)
        self.seen.append(
            Seen(
                handler.command,
                handler.path,
                handler.headers.get("Idempotency-Key"),
                {name.lower(): value for name, value in handler.headers.items()},
                handler.rfile.read(length),
            )
        )
        reply = self.replies.popleft() if len(self.replies) > 1 else self.replies[0]
        text = reply.body if isinstance(reply.body, str) else json.dumps(reply.body)
        body = text.encode()
        if reply.cut and not isinstance(reply.body, str):
            _cut(handler)
            return
        handler.send_response(reply.status)
        for name, value in reply.headers.items():
            handler.send_header(name, value)
        handler.send_header("Content-Length", str(len(body) + (1000 if reply.cut else 0)))
        handler.end_headers()
        handler.wfile.write(body)
        if reply.cut:
            handler.wfile.flush()
            _cut(handler)


def _cut(handler: BaseHTTPRequestHandler) -> None:
    handler.close_connection = True
    handler.connection.shutdown(socket.SHUT_RDWR)
