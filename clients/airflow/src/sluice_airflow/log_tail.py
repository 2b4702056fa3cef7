# SPDX-License-Identifier: Apache-2.0
"""New lines of a log that is read in pieces of bounded size."""

from __future__ import annotations

import re
from collections.abc import Sequence

__all__ = ["LogTail", "following"]

_POD = re.compile(r"\[[a-z0-9]([-a-z0-9]*[a-z0-9])?\] ")


class LogTail:
    """Finds the new lines in readings of the end of one attempt's log.

    The server reads a log from a number of bytes before its end, and not from a position. Two
    readings therefore overlap, or there is a gap between them. The overlap is the longest end of
    the former reading that begins the new one. If a log repeats one line without end, the new
    copies of it cannot be told from the old ones, and may be left out.
    """

    def __init__(self) -> None:
        self._pods: dict[str, list[str]] = {}

    def feed(self, lines: Sequence[str], *, last: bool = False) -> list[str]:
        """Return the lines of a reading that were not in the former ones.

        Args:
            lines: the reading. With several pods, each line begins with the name of its pod in
                brackets.
            last: whether the log is complete. Otherwise the last line of each pod may be
                incomplete, and is left for the next reading.
        """
        fresh: list[str] = []
        for pod, read in _by_pod(lines).items():
            complete = read if last else read[:-1]
            if not complete:
                continue
            gap, new = following(self._pods.get(pod, []), complete)
            if gap:
                fresh.append(f"{pod}... some lines are left out ...")
            fresh += new
            self._pods[pod] = complete
        return fresh


def _by_pod(lines: Sequence[str]) -> dict[str, list[str]]:
    pods: dict[str, list[str]] = {}
    for line in lines:
        found = _POD.match(line)
        pods.setdefault(found.group() if found else "", []).append(line)
    return pods


def following(old: Sequence[str], new: Sequence[str]) -> tuple[bool, list[str]]:
    """Compare two readings of the end of a log that grows.

    Takes time in proportion to the number of lines (Knuth, Morris and Pratt).

    Args:
        old: the former reading.
        new: the reading; its first line may lack its beginning.

    Returns:
        whether lines are missing between the two, and the lines of ``new`` that follow ``old``.
    """
    if not old or not new:
        return False, list(new)
    if list(new[: len(old)]) == list(old):
        return False, list(new[len(old) :])
    pattern = new[1:]
    borders = _borders(pattern)
    matched = 0
    for line in old:
        while matched and (matched == len(pattern) or pattern[matched] != line):
            matched = borders[matched - 1]
        if matched < len(pattern) and pattern[matched] == line:
            matched += 1
    while True:
        before = len(old) - 1 - matched
        if before < 0 or old[before].endswith(new[0]):
            return False, list(new[1 + matched :])
        if matched == 0:
            return True, list(new)
        matched = borders[matched - 1]


def _borders(pattern: Sequence[str]) -> list[int]:
    """Return for each prefix the length of its longest proper border."""
    borders = [0] * len(pattern)
    length = 0
    for place in range(1, len(pattern)):
        while length and pattern[place] != pattern[length]:
            length = borders[length - 1]
        if pattern[place] == pattern[length]:
            length += 1
        borders[place] = length
    return borders
