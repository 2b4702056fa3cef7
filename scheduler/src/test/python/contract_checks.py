# SPDX-License-Identifier: Apache-2.0
"""What Schemathesis checks of each answer beside its own checks, and what it must not send."""

import os
from urllib.parse import urlencode

import httpx
import schemathesis

_QUERY_MAX = 2000
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
def before_call(ctx, case, kwargs) -> None:
    """Waits would only take time, and a URL has a bound that comes before all endpoints."""
    for name in ("wait", "follow"):
        (case.query or {}).pop(name, None)
    (case.headers or {}).pop("Sluice-Wait-For", None)
    if len(urlencode(case.query or {}, doseq=True)) > _QUERY_MAX:
        case.query = {}
