# SPDX-License-Identifier: Apache-2.0
"""Repetitions of requests: what is repeated, how often, how long, and with which key."""

from __future__ import annotations

import asyncio
import socket
import time
from email.utils import formatdate

import pytest

from faulty import FaultyServer, Reply
from sluice import (
    AsyncClient,
    Client,
    Conflict,
    Forbidden,
    InvalidManifest,
    Job,
    NotFound,
    Refused,
    Retry,
    ServerFault,
    Unauthorized,
    Unavailable,
    Unreachable,
)

QUICK = Retry(tries=5, seconds=20.0, pause=0.01, pause_max=0.05)
ACCEPTED = Reply(201, {"id": "j-1", "namespace": "team", "name": "job", "replayed": False})
OVERLOADED = Reply(
    503,
    {"type": "about:blank", "title": "Overloaded", "status": 503, "detail": "too many jobs wait"},
    {"Retry-After": "0"},
)
CUT = Reply(cut=True)


def client_of(server: FaultyServer, retry: Retry = QUICK) -> Client:
    return Client(server.url, token="t", retry=retry)


def submit(server: FaultyServer, retry: Retry = QUICK) -> Job:
    with client_of(server, retry) as client:
        return client.run(["true"], queue="main")


def test_a_submission_is_repeated_with_the_same_key_until_it_is_accepted(
    faulty: FaultyServer,
) -> None:
    faulty.replies_with(OVERLOADED, CUT, Reply(429, {}), ACCEPTED)
    assert submit(faulty).id == "j-1"
    keys = {seen.key for seen in faulty.seen}
    assert len(faulty.seen) == 4
    assert len(keys) == 1
    assert None not in keys
    assert len({seen.body for seen in faulty.seen}) == 1


def test_each_submission_has_a_key_of_its_own(faulty: FaultyServer) -> None:
    faulty.replies_with(ACCEPTED)
    submit(faulty)
    submit(faulty)
    assert len({seen.key for seen in faulty.seen}) == 2


def test_the_caller_may_choose_the_key(faulty: FaultyServer) -> None:
    faulty.replies_with(CUT, ACCEPTED)
    with client_of(faulty) as client:
        client.run(["true"], queue="main", idempotency_key="mine")
    assert [seen.key for seen in faulty.seen] == ["mine", "mine"]


def test_a_dry_run_has_no_key(faulty: FaultyServer) -> None:
    faulty.replies_with(Reply(200, {"dryRun": True, "results": [], "preview": {}}))
    with client_of(faulty) as client:
        client.what_if(["true"], queue="main")
    assert [(seen.path, seen.key) for seen in faulty.seen] == [("/v1/jobs?dryRun=true", None)]


def test_an_answer_that_is_cut_in_the_middle_is_asked_for_again(faulty: FaultyServer) -> None:
    faulty.replies_with(Reply(201, '{"id": "j-', cut=True), ACCEPTED)
    assert submit(faulty).id == "j-1"
    assert len({seen.key for seen in faulty.seen}) == 1


def test_the_number_of_tries_is_bounded(faulty: FaultyServer) -> None:
    faulty.replies_with(OVERLOADED)
    with pytest.raises(Unavailable) as raised:
        submit(faulty)
    assert len(faulty.seen) == QUICK.tries
    assert raised.value.title == "Overloaded"
    assert raised.value.code == "overloaded"
    assert raised.value.retry_after == 0.0


def test_cut_connections_are_unreachable_in_the_end(faulty: FaultyServer) -> None:
    faulty.replies_with(CUT)
    with pytest.raises(Unreachable, match="does not answer"):
        submit(faulty)
    assert len(faulty.seen) == QUICK.tries


def test_a_port_where_nobody_listens_is_unreachable() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}"
        with Client(url, token="t", retry=QUICK) as client, pytest.raises(ConnectionError):
            client.get("/v1/server")


def test_a_pause_that_is_asked_for_is_kept(faulty: FaultyServer) -> None:
    faulty.replies_with(Reply(429, {}, {"Retry-After": "1"}), ACCEPTED)
    begun = time.monotonic()
    submit(faulty)
    assert time.monotonic() - begun >= 1.0


def test_a_pause_may_be_asked_for_as_a_date(faulty: FaultyServer) -> None:
    later = formatdate(time.time() + 2, usegmt=True)
    faulty.replies_with(Reply(503, {}, {"Retry-After": later}), ACCEPTED)
    begun = time.monotonic()
    submit(faulty)
    assert time.monotonic() - begun >= 0.5


def test_a_pause_beyond_the_bound_of_time_is_not_made(faulty: FaultyServer) -> None:
    faulty.replies_with(Reply(503, {}, {"Retry-After": "3600"}), ACCEPTED)
    begun = time.monotonic()
    with pytest.raises(Unavailable) as raised:
        submit(faulty)
    assert time.monotonic() - begun < 10
    assert raised.value.retry_after == 3600.0
    assert len(faulty.seen) == 1


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (401, Unauthorized),
        (403, Forbidden),
        (404, NotFound),
        (409, Conflict),
        (422, Refused),
        (500, ServerFault),
    ],
)
def test_other_errors_are_not_repeated(
    faulty: FaultyServer, status: int, kind: type[Exception]
) -> None:
    faulty.replies_with(Reply(status, {"title": "A title", "status": status, "detail": "why"}))
    with pytest.raises(kind, match=r"A title .*why"):
        submit(faulty)
    assert len(faulty.seen) == 1


def test_violations_are_read(faulty: FaultyServer) -> None:
    violation = {"document": 1, "path": "spec.queue", "value": "Q", "message": "is wrong"}
    problem = {
        "type": "/problems/invalid-manifest",
        "code": "invalid-manifest",
        "title": "Invalid manifest",
        "status": 400,
        "detail": "spec.queue: is wrong",
        "violations": [violation],
    }
    faulty.replies_with(Reply(400, problem))
    with pytest.raises(InvalidManifest) as raised:
        submit(faulty)
    assert raised.value.code == "invalid-manifest"
    assert [one.path for one in raised.value.violations] == ["spec.queue"]
    assert str(raised.value) == 'Invalid manifest (400)\n  spec.queue "Q": is wrong'


def test_an_answer_that_is_not_json_is_an_error_with_its_text(faulty: FaultyServer) -> None:
    faulty.replies_with(Reply(500, "<html>no</html>"))
    with pytest.raises(ServerFault, match="<html>no</html>"):
        submit(faulty)


def test_the_token_is_sent_and_not_shown(faulty: FaultyServer) -> None:
    faulty.replies_with(ACCEPTED)
    with Client(faulty.url, token="secret-token") as client:
        client.run(["true"], queue="main")
        assert "secret-token" not in repr(client) + repr(client.address)
    assert faulty.seen[0].headers["authorization"] == "Bearer secret-token"


def test_redirects_are_not_followed(faulty: FaultyServer) -> None:
    faulty.replies_with(Reply(307, {}, {"Location": "http://127.0.0.1:1/"}))
    with pytest.raises(Exception, match="307"):
        submit(faulty)
    assert len(faulty.seen) == 1


def test_pauses_grow_with_jitter_up_to_a_bound() -> None:
    retry = Retry(pause=1.0, pause_max=4.0)
    for repetition, longest in enumerate([1.0, 2.0, 4.0, 4.0, 4.0]):
        pauses = [retry.pause_before(repetition, None) for _ in range(200)]
        assert min(pauses) >= longest / 2
        assert max(pauses) <= longest
        assert len(set(pauses)) > 100
    assert min(retry.pause_before(0, 30.0) for _ in range(50)) >= 30.0


def test_the_async_client_repeats_with_the_same_key(faulty: FaultyServer) -> None:
    faulty.replies_with(OVERLOADED, CUT, ACCEPTED)

    async def run() -> str:
        async with AsyncClient(faulty.url, token="t", retry=QUICK) as client:
            return (await client.run(["true"], queue="main")).id

    assert asyncio.run(run()) == "j-1"
    assert len(faulty.seen) == 3
    assert len({seen.key for seen in faulty.seen}) == 1


def test_logs_are_asked_for_again_before_their_first_line(faulty: FaultyServer) -> None:
    faulty.replies_with(ACCEPTED)
    with client_of(faulty) as client:
        job = client.run(["true"], queue="main")
        faulty.replies_with(OVERLOADED, CUT, Reply(200, "one\ntwo\u2028still two\nthree"))
        assert list(job.logs()) == ["one", "two\u2028still two", "three"]


def test_logs_that_are_cut_are_an_error_after_the_lines_that_came(faulty: FaultyServer) -> None:
    faulty.replies_with(ACCEPTED)
    with client_of(faulty) as client:
        job = client.run(["true"], queue="main")
        faulty.replies_with(Reply(200, "one\ntw", cut=True))
        lines = job.logs(follow=True)
        assert next(lines) == "one"
        with pytest.raises(Unreachable):
            next(lines)
