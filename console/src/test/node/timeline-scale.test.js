// SPDX-License-Identifier: Apache-2.0
import test from "node:test";
import assert from "node:assert/strict";

process.env.TZ = "Europe/Berlin";
const { DAY, HOUR, MINUTE, SPAN_DEFAULT, SPAN_MAX, around, pan, rangeOf, spanOf, spanText, ticks, zoom } =
  await import("../../main/resources/io/sluice/console/pages/timeline/scale.js");

/** @param {string} text */
const at = (text) => Date.parse(text);

test("zoom keeps the time under the pointer in its place", () => {
  const range = { from: 0, to: 10 * HOUR };
  const zoomed = zoom(range, 0.5, 4 * HOUR);
  assert.equal(zoomed.to - zoomed.from, 5 * HOUR);
  assert.equal((4 * HOUR - zoomed.from) / (5 * HOUR), 0.4);
});

test("zoom stays between an hour and a month", () => {
  const range = { from: 0, to: 10 * HOUR };
  const near = zoom(range, 0.0001, 0);
  assert.equal(near.to - near.from, HOUR);
  const far = zoom(range, 1e6, 0);
  assert.equal(far.to - far.from, SPAN_MAX);
});

test("pan moves both ends", () => {
  assert.deepEqual(pan({ from: 5, to: 9 }, -3), { from: 2, to: 6 });
});

test("a range around now contains now", () => {
  const range = around(1000 * HOUR, 10 * HOUR);
  assert.deepEqual(range, { from: 994 * HOUR, to: 1004 * HOUR });
});

test("spans are read and written", () => {
  assert.equal(spanOf("90m"), 90 * MINUTE);
  assert.equal(spanOf("2d"), 2 * DAY);
  for (const bad of ["", "2", "d", "-1h", "1.5h", "1000000h", null, undefined]) {
    assert.equal(spanOf(bad), undefined);
  }
  assert.equal(spanText(2 * DAY), "2d");
  assert.equal(spanText(36 * HOUR), "36h");
  assert.equal(spanText(90 * MINUTE), "90m");
});

test("an address gives a range, and faulty values count as absent", () => {
  /** @param {string} query */
  const read = (query) => rangeOf(new URLSearchParams(query));
  const from = at("2026-11-20T00:00:00Z");
  assert.deepEqual(read("from=2026-11-20T00:00:00Z&to=2026-11-20T06:00:00Z"), {
    range: { from, to: from + 6 * HOUR },
    span: 6 * HOUR,
  });
  assert.deepEqual(read("span=4h&at=2026-11-20T00:00:00Z").range, {
    from: from - 2 * HOUR,
    to: from + 2 * HOUR,
  });
  assert.deepEqual(read("span=6h"), { span: 6 * HOUR });
  assert.deepEqual(read(""), { span: SPAN_DEFAULT });
  assert.deepEqual(read("from=x&to=y&span=z&at=w"), { span: SPAN_DEFAULT });
  assert.deepEqual(read("from=2026-11-21T00:00:00Z&to=2026-11-20T00:00:00Z"), { span: SPAN_DEFAULT });
  assert.equal(read("from=2000-01-01T00:00:00Z&to=2030-01-01T00:00:00Z").span, SPAN_MAX);
});

test("ticks are at round local times", () => {
  const from = at("2026-11-20T10:07:00+01:00");
  const found = ticks({ from, to: from + 6 * HOUR }, 1200);
  assert.equal(found.length, 12);
  found.forEach(({ time, major }, i) => {
    assert.equal(time, at("2026-11-20T10:30:00+01:00") + i * 30 * MINUTE);
    assert.equal(major, false);
  });
});

test("ticks mark the beginning of days", () => {
  const from = at("2026-11-20T20:00:00+01:00");
  const majors = ticks({ from, to: from + 12 * HOUR }, 900).filter(({ major }) => major);
  assert.deepEqual(majors.map(({ time }) => time), [at("2026-11-21T00:00:00+01:00")]);
});

test("days begin at local midnight when the clock changes", () => {
  // In Berlin, 2026-10-25 has 25 hours, and 2026-03-29 has 23.
  for (const [first, hours] of /** @type {[string, number[]][]} */ ([
    ["2026-10-24T00:00:00+02:00", [24, 25, 24]],
    ["2026-03-28T00:00:00+01:00", [24, 23, 24]],
  ])) {
    const from = at(first);
    const found = ticks({ from, to: from + 4 * DAY }, 400);
    assert.ok(found.every(({ major }) => major));
    const lengths = found.slice(1).map(({ time }, i) => (time - found[i].time) / HOUR);
    assert.deepEqual(lengths.slice(0, 3), hours);
  }
});

test("hours of a day on which the clock changes are in order and without duplicates", () => {
  for (const day of ["2026-10-25T00:00:00+02:00", "2026-03-29T00:00:00+01:00"]) {
    const from = at(day);
    const times = ticks({ from, to: from + 8 * HOUR }, 1600).map(({ time }) => time);
    assert.ok(times.length > 5);
    assert.ok(times.every((time, i) => i === 0 || time > times[i - 1]));
  }
});

test("there are few ticks at any span", () => {
  for (let span = HOUR; span <= SPAN_MAX; span *= 1.3) {
    const count = ticks({ from: at("2026-11-20T10:07:00Z"), to: at("2026-11-20T10:07:00Z") + span }, 1000).length;
    assert.ok(count >= 3 && count <= 13, `${span / HOUR} h: ${count}`);
  }
});
