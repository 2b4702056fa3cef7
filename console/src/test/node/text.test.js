// SPDX-License-Identifier: Apache-2.0
import test from "node:test";
import assert from "node:assert/strict";
import {
  counted,
  distance,
  duration,
  learnTime,
  quantity,
  serverNow,
  visible,
  whenClocksDiffer,
  words,
} from "../../main/resources/io/sluice/console/shared/text.js";

test("marks of direction and control characters are written out", () => {
  assert.equal(visible("safe\u202egnp.exe"), "safe\\u202egnp.exe");
  assert.equal(visible("a\u0000b\u001b[31mc\u200bd\ufeff"), "a\\u0000b\\u001b[31mc\\u200bd\\ufeff");
  assert.equal(visible("line\n\ttab é 字"), "line\n\ttab é 字");
  assert.equal(visible(undefined), "");
  assert.equal(visible("<b>&amp;"), "<b>&amp;");
});

test("durations have two units", () => {
  assert.equal(duration(0), "0s");
  assert.equal(duration(59_400), "59s");
  assert.equal(duration(61_000), "1m 1s");
  assert.equal(duration(3_600_000), "1h");
  assert.equal(duration(90_061_000), "1d 1h");
  assert.equal(duration(86_400_000 + 60_000), "1d");
  assert.equal(duration(-5), "0s");
});

test("distances tell the past from the future", () => {
  const now = Date.parse("2026-11-25T12:00:00Z");
  assert.equal(distance("2026-11-25T11:58:00Z", now), "2m ago");
  assert.equal(distance("2026-11-25T14:05:00Z", now), "in 2h 5m");
  assert.equal(distance("2026-11-25T12:00:00.4Z", now), "now");
  assert.equal(distance(undefined, now), "");
});

test("the server's clock counts if it differs by two seconds", () => {
  /** @type {number[]} */
  const told = [];
  whenClocksDiffer((milliseconds) => told.push(Math.round(milliseconds / 60_000)));
  learnTime(new Date(Date.now() + 600).toUTCString());
  assert.deepEqual(told, []);
  learnTime(new Date(Date.now() + 3_600_000).toUTCString());
  assert.ok(Math.abs(serverNow() - Date.now() - 3_600_000) < 2000);
  learnTime("no date");
  learnTime(null);
  learnTime(new Date(Date.now() + 3_600_500).toUTCString());
  assert.deepEqual(told, [60]);
  learnTime(new Date().toUTCString());
  assert.deepEqual(told, [60, 0]);
  assert.ok(Math.abs(serverNow() - Date.now()) < 5);
});

test("quantities are those of Kubernetes", () => {
  assert.equal(quantity("500m"), 0.5);
  assert.equal(quantity("16Gi"), 16 * 2 ** 30);
  assert.equal(quantity("1e3"), 1000);
  assert.equal(quantity(64), 64);
  assert.ok(Number.isNaN(quantity("many")));
  assert.ok(Number.isNaN(quantity("5 x")));
  assert.ok(Number.isNaN(quantity(undefined)));
});

test("counts have their nouns, constants are words", () => {
  assert.equal(counted(1, "job"), "1 job");
  assert.equal(counted(12_345, "job"), "12,345 jobs");
  assert.equal(counted(1, "index", "indices"), "1 index");
  assert.equal(counted(2, "index", "indices"), "2 indices");
  assert.equal(words("QUOTA_IN_USE"), "quota in use");
  assert.equal(words(undefined), "");
});
