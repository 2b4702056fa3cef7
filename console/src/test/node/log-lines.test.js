// SPDX-License-Identifier: Apache-2.0
import test from "node:test";
import assert from "node:assert/strict";
import {
  LENGTH_MAX,
  LINES_MAX,
  LogLines,
} from "../../main/resources/io/sluice/console/pages/jobs/log-lines.js";

test("lines may come in any pieces", () => {
  const whole = new LogLines();
  whole.add("[workers-0] one\n\n[workers-1] two\nrest");
  whole.end();
  const pieces = new LogLines();
  for (const character of "[workers-0] one\n\n[workers-1] two\nrest") {
    pieces.add(character);
  }
  pieces.end();
  assert.deepEqual(pieces.lines, whole.lines);
  assert.deepEqual(
    whole.lines.map(({ worker, text }) => [worker, text]),
    [["workers-0", "one"], ["", ""], ["workers-1", "two"], ["", "rest"]],
  );
  assert.deepEqual([...whole.workers], ["workers-0", "workers-1"]);
});

test("a line of a megabyte is cut and says so", () => {
  const log = new LogLines();
  for (let i = 0; i < 16; i++) {
    log.add("x".repeat(65_536));
  }
  assert.ok(log.rest.length < LENGTH_MAX + 1000);
  log.add("\nnext\n");
  assert.equal(log.lines.length, 2);
  assert.match(log.lines[0].text, /… \(1044576 more characters\)$/);
  assert.equal(log.lines[1].text, "next");
});

test("old lines are dropped, and numbers stay", () => {
  const log = new LogLines();
  log.add("line\n".repeat(LINES_MAX + 10));
  assert.equal(log.lines.length, LINES_MAX);
  assert.equal(log.dropped, 10);
  log.add("last\n");
  assert.equal(log.lines.at(-1)?.number, LINES_MAX + 11);
});

test("a search ignores case and may be of one worker", () => {
  const log = new LogLines();
  log.add("[a] Loss 1\n[b] loss 2\n[b] other\n");
  assert.deepEqual(log.find("", "LOSS").map(({ text }) => text), ["Loss 1", "loss 2"]);
  assert.deepEqual(log.find("b", "").map(({ text }) => text), ["loss 2", "other"]);
});
