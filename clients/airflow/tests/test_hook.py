# SPDX-License-Identifier: Apache-2.0
"""Connections, and what Airflow reads about the package."""

from __future__ import annotations

from typing import Any

import pytest
from airflow.sdk import Connection
from sluice import Client

from sluice_airflow import SluiceHook, get_provider_info
from sluice_airflow.hook import server_url


@pytest.mark.parametrize(
    ("fields", "url"),
    [
        ({}, "http://127.0.0.1:7411"),
        ({"host": "sluice"}, "http://sluice:7411"),
        ({"host": "sluice", "port": 80, "schema": "https"}, "https://sluice:80"),
        ({"host": "sluice:81"}, "http://sluice:81"),
        ({"host": "https://sluice.example.com/"}, "https://sluice.example.com"),
        ({"host": "https://sluice.example.com/a", "port": 444}, "https://sluice.example.com:444/a"),
        ({"host": "::1"}, "http://[::1]:7411"),
        ({"host": "[::1]", "port": 82}, "http://[::1]:82"),
    ],
)
def test_a_connection_has_the_url_of_a_server(fields: dict[str, Any], url: str) -> None:
    assert server_url(Connection(conn_id="c", conn_type="sluice", **fields)) == url


def test_a_hook_calls_the_server(client: Client) -> None:
    hook = SluiceHook()
    assert hook.namespace == "team"
    assert hook.test_connection() == (True, f"{client.address.url} answered")
    assert hook.job_url("team", "train", "7") == f"{client.address.url}/v1/jobs/7"
    with hook.get_conn() as opened:
        assert opened.get("/v1/server")["pid"] > 0


def test_a_wrong_token_is_told(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    host = client.address.url.rpartition("://")[2]
    monkeypatch.setenv("AIRFLOW_CONN_OTHER", f"sluice://:wrong@{host}")
    ok, text = SluiceHook("other").test_connection()
    assert not ok
    assert "401" in text


def test_the_page_of_a_job_is_that_of_the_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(
        "AIRFLOW_CONN_OTHER",
        '{"conn_type": "sluice", "extra": {"job_url": "https://c/{namespace}/{name}?id={id}"}}',
    )
    assert SluiceHook("other").job_url("team", "train", "7") == "https://c/team/train?id=7"


def test_airflow_finds_the_provider() -> None:
    from airflow.providers_manager import ProvidersManager
    from airflow.sdk.providers_manager_runtime import ProvidersManagerTaskRuntime

    manager = ProvidersManager()
    assert "sluice-airflow" in manager.providers
    assert "sluice" in ProvidersManagerTaskRuntime().hooks
    info = get_provider_info()
    assert info["package-name"] == "sluice-airflow"
    assert info["extra-links"][0] in manager.extra_links_class_names
