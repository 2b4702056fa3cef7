# SPDX-License-Identifier: Apache-2.0
"""What Schemathesis checks of each answer beside its own checks, and what it must not send."""

import os

import httpx
import schemathesis

_SERVER = httpx.Client(
    base_url=os.environ["SLUICE_SERVER"],
    headers={"Authorization": f"Bearer {os.environ['SLUICE_TOKEN']}"},
)


def _newest_change() -> object:
    """The newest entry of the audit, which has an entry for each change that a caller makes."""
    return _SERVER.get("/v1/audit", params={"limit": 1}).raise_for_status().json()["items"]


_last = _newest_change()


@schemathesis.check
def refused_requests_store_nothing(ctx, response, case) -> None:
    global _last
    now = _newest_change()
    changed, _last = now != _last, now
    if response.status_code >= 400:
        assert not changed, f"refused with {response.status_code}, and stored {now}"


@schemathesis.hook
def map_query(ctx, query):
    """A wait for events, or a log that is followed, would only take time."""
    if query:
        for name in ("wait", "follow"):
            query.pop(name, None)
    return query
