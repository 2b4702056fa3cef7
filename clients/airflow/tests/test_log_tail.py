# SPDX-License-Identifier: Apache-2.0
"""Overlapping readings of a log."""

from __future__ import annotations

import random
import time

from sluice_airflow.log_tail import LogTail, following


def test_a_log_that_grows_is_told_once() -> None:
    tail = LogTail()
    assert tail.feed(["a"]) == []
    assert tail.feed(["a", "b", "c"]) == ["a", "b"]
    assert tail.feed(["a", "b", "c"]) == []
    assert tail.feed(["a", "b", "c", "d"], last=True) == ["c", "d"]


def test_the_last_line_is_told_when_it_is_complete() -> None:
    tail = LogTail()
    assert tail.feed(["one", "tw"]) == ["one"]
    assert tail.feed(["one", "two", "th"]) == ["two"]
    assert tail.feed(["one", "two", "three"], last=True) == ["three"]


def test_a_reading_may_begin_within_a_line() -> None:
    assert following(["first", "second"], ["cond", "third"]) == (False, ["third"])
    assert following(["first", "second"], ["rst", "second", "third"]) == (False, ["third"])
    assert following(["first", "second"], ["", "third"]) == (False, ["third"])


def test_missing_lines_are_marked() -> None:
    tail = LogTail()
    assert tail.feed(["a", "b", "-"]) == ["a", "b"]
    assert tail.feed(["x", "y", "-"]) == ["... some lines are left out ...", "x", "y"]


def test_pods_are_told_apart() -> None:
    tail = LogTail()
    assert tail.feed(["[main-0] a", "[main-0] b", "[main-1] a"]) == ["[main-0] a"]
    lines = ["[main-0] a", "[main-0] b", "[main-1] a", "[main-1] b"]
    assert tail.feed(lines, last=True) == ["[main-0] b", "[main-1] a", "[main-1] b"]


def test_random_logs_are_told_completely() -> None:
    for seed in range(300):
        generator = random.Random(seed)
        log: list[str] = []
        told: list[str] = []
        old: list[str] = []
        for _ in range(20):
            number = generator.randrange(5)
            log += [f"{len(log) + n} {generator.choice('ab')}" for n in range(number)]
            text = "\n".join(log)[-60:]
            new = text.split("\n") if text else []
            gap, fresh = following(old, new)
            assert not gap, seed
            told += fresh
            old = new or old
        assert told == log, seed


def test_repetitive_logs_are_compared_in_linear_time() -> None:
    begun = time.monotonic()
    following(["a"] * 30_000 + ["b"], ["a"] * 30_000)
    following(["a"] * 30_000, ["a"] * 29_999 + ["b"])
    assert time.monotonic() - begun < 2
