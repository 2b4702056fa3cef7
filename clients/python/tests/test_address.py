# SPDX-License-Identifier: Apache-2.0
"""The choice of a server, by the rules of the command line."""

from __future__ import annotations

import json
import os
import threading
import time
from pathlib import Path

import pytest

from sluice import Client, SluiceError, Unreachable, find_server

URL = "http://127.0.0.1:7999"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """The data directory of a live server: this process stands for it."""
    (tmp_path / "server.json").write_text(json.dumps({"pid": os.getpid(), "url": URL}))
    (tmp_path / "token").write_text("own\n")
    return tmp_path


def test_a_data_directory_names_server_and_token(home: Path) -> None:
    found = find_server(data=home, environment={})
    assert (found.url, found.token, found.data) == (URL, "own", home)
    assert find_server(environment={"SLUICE_DATA": str(home)}) == found


def test_a_data_directory_by_argument_overrules_the_server_of_the_environment(home: Path) -> None:
    other = {"SLUICE_SERVER": "http://other:1"}
    assert find_server(data=home, environment=other).url == URL
    assert find_server(environment={**other, "SLUICE_DATA": str(home)}).url == "http://other:1"


def test_the_token_of_a_directory_goes_to_its_own_server_only(home: Path) -> None:
    here = {"SLUICE_DATA": str(home)}
    assert find_server("http://other:1", environment=here).token is None
    assert find_server(URL, environment=here).token == "own"
    assert find_server(URL + "/", environment=here).token == "own"


def test_a_given_token_comes_before_that_of_the_directory(home: Path, tmp_path: Path) -> None:
    variables = {"SLUICE_DATA": str(home), "SLUICE_TOKEN": " env \n"}
    assert find_server(environment=variables).token == "env"
    assert find_server(token="mine", environment=variables).token == "mine"
    file = tmp_path / "another"
    file.write_text("filed\n")
    assert find_server(token_file=file, environment=variables).token == "filed"


def test_without_anything_the_default_is_tried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sluice.address._default_data", lambda: tmp_path)
    found = find_server(environment={"SLUICE_TOKEN": "t"})
    assert (found.url, found.token) == ("http://127.0.0.1:7411", "t")


def test_a_named_directory_without_a_server_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(Unreachable, match="no server runs on the data directory"):
        find_server(data=tmp_path, environment={})


def test_a_dead_server_does_not_count(home: Path) -> None:
    (home / "server.json").write_text(json.dumps({"pid": 2**22 + 5, "url": URL}))
    with pytest.raises(Unreachable):
        find_server(data=home, environment={})


def test_a_server_that_starts_is_waited_for(tmp_path: Path) -> None:
    (tmp_path / "starting.json").write_text(json.dumps({"pid": os.getpid()}))

    def announce() -> None:
        time.sleep(0.3)
        written = tmp_path / "written"
        written.write_text(json.dumps({"pid": os.getpid(), "url": URL}))
        written.rename(tmp_path / "server.json")

    server = threading.Thread(target=announce)
    server.start()
    assert find_server(data=tmp_path, environment={}, start_seconds=30).url == URL
    server.join()


def test_a_server_that_never_starts_is_waited_for_within_the_bound(tmp_path: Path) -> None:
    (tmp_path / "starting.json").write_text(json.dumps({"pid": os.getpid()}))
    with pytest.raises(Unreachable, match="has been starting"):
        find_server(data=tmp_path, environment={}, start_seconds=0.3)


@pytest.mark.parametrize("url", ["127.0.0.1:7411", "ftp://host", "http://"])
def test_an_address_that_is_no_url_is_refused_at_once(url: str) -> None:
    with pytest.raises(ValueError, match="the URL of a server"):
        Client(url, token="t")


def test_a_directory_has_the_certificate_of_its_server_unless_authorities_are_given(
    home: Path,
) -> None:
    assert find_server(data=home, environment={}).certificate is None
    (home / "server.crt").write_text("")
    here = {"SLUICE_DATA": str(home)}
    assert find_server(environment=here).certificate == home / "server.crt"
    assert find_server(URL, environment=here).certificate == home / "server.crt"
    assert find_server("http://other:1", environment=here).certificate is None
    given = find_server(data=home, ca_file="ca.crt", environment={"SLUICE_CA_FILE": "other.crt"})
    assert (given.certificate, given.ca_file) == (None, Path("ca.crt"))
    there = find_server("https://other:1", environment={"SLUICE_CA_FILE": "other.crt"})
    assert there.ca_file == Path("other.crt")


def test_certificates_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    for content in (None, "", "no certificate"):
        file = tmp_path / "ca.crt"
        if content is not None:
            file.write_text(content)
        with pytest.raises(SluiceError, match=r"ca\.crt"):
            Client("https://127.0.0.1:1", ca_file=file, token="t")
