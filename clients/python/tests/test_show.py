# SPDX-License-Identifier: Apache-2.0
"""Sentences for people and tables for notebooks."""

from __future__ import annotations

import pytest

from faulty import FaultyServer, Reply
from sluice import Applied, Client, Explanation, JobFailed, Preview
from sluice._view import JobView, Listed

EVIL = "<script>alert('x')</script>"
NIGHT = {
    "id": "1",
    "state": "PENDING",
    "clusterQueue": "research",
    "blocker": "QUOTA_IN_USE",
    "cure": "PREEMPTION",
    "reason": "needs 16 of google.com/tpu in flavor v6e, 0 available",
    "ahead": 1,
    "inTheWay": {"count": 4, "first": [{"name": "sweep[0]"}, {"name": "sweep[1]"}]},
    "smallestChange": {
        "kind": "ALL_OF",
        "parts": [
            {"kind": "ADD_QUOTA", "subject": "v6e", "resource": "google.com/tpu", "amount": "80"},
            {"kind": "ADD_SLICES", "subject": "v6e", "amount": "5"},
        ],
    },
}


def test_an_explanation_is_a_sentence() -> None:
    why = Explanation("research/night", NIGHT)
    assert str(why) == (
        "research/night is PENDING: needs 16 of google.com/tpu in flavor v6e, 0 available;"
        " 1 job comes before it. Smallest change: 80 more of google.com/tpu in flavor v6e,"
        " and 5 more free slices of flavor v6e"
    )
    assert (why.blocker, why.cure, why.ahead) == ("QUOTA_IN_USE", "PREEMPTION", 1)
    assert why.in_the_way == ["sweep[0]", "sweep[1]"]
    assert why.record is NIGHT


def test_an_explanation_of_a_job_that_does_not_wait_is_short() -> None:
    why = Explanation("a/b", {"id": "1", "state": "SUCCEEDED"})
    assert str(why) == "a/b is SUCCEEDED"
    assert why.smallest_change is None


def test_a_change_of_a_newer_server_is_shown_by_its_kind() -> None:
    why = Explanation("a/b", {"state": "PENDING", "smallestChange": {"kind": "NEW_KIND"}})
    assert why.smallest_change == "NEW_KIND"


def job(**status: object) -> JobView:
    return JobView(
        {
            "id": EVIL,
            "metadata": {"namespace": "team", "name": EVIL},
            "spec": {"queue": EVIL},
            "status": {"state": EVIL, "reason": EVIL, "createdAt": EVIL, **status},
        }
    )


def html_of(shown: object) -> str:
    return str(shown._repr_html_())  # type: ignore[attr-defined]


def test_html_is_escaped() -> None:
    evil = {"state": EVIL, "reason": EVIL, "blocker": EVIL, "smallestChange": {"kind": EVIL}}
    result = {"kind": EVIL, "namespace": EVIL, "name": EVIL, "result": EVIL, "state": EVIL}
    answer = {"results": [result], "warnings": [EVIL], "preview": {"complete": False}}
    for shown in (
        job(),
        Listed([job(), job()]),
        Listed([{EVIL: EVIL}]),
        Explanation(EVIL, evil),
        Applied(answer),
        Preview(answer),
    ):
        assert "<script" not in html_of(shown)
        assert "&lt;script&gt;" in html_of(shown)


def test_a_list_of_a_server_is_escaped_and_shown_without_taking_it(faulty: FaultyServer) -> None:
    faulty.replies_with(Reply(200, {"items": [job().record], "nextCursor": "c"}))
    with Client(faulty.url, token="t") as client:
        jobs = client.jobs.list()
        assert "<script" not in jobs._repr_html_()
        assert "and more" in jobs._repr_html_()
        assert next(jobs).id == EVIL
    assert len(faulty.seen) == 1


def test_a_job_in_its_states() -> None:
    assert job(state="RUNNING").done is False
    job(state="RUNNING").check()
    job(state="SUCCEEDED").check()
    with pytest.raises(JobFailed, match="is FAILED: code 3"):
        job(state="FAILED", reason="code 3").check()


def test_a_preview_is_sentences() -> None:
    preview = Preview(
        {
            "dryRun": True,
            "results": [
                {
                    "kind": "Job",
                    "namespace": "team",
                    "name": "train",
                    "result": "created",
                    "state": "PENDING",
                    "reason": "needs 4",
                }
            ],
            "preview": {
                "complete": True,
                "evictions": {
                    "count": 1,
                    "first": [{"namespace": "team", "name": "old", "reason": "preempted"}],
                },
            },
        }
    )
    assert str(preview) == (
        "job/team/train would be created, then PENDING: needs 4\n"
        "told to end: team/old: preempted\n"
        "Nothing was changed."
    )
    assert (preview.state, preview.reason, preview.complete) == ("PENDING", "needs 4", True)
