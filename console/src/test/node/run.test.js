// SPDX-License-Identifier: Apache-2.0
import test from "node:test";
import assert from "node:assert/strict";
import { placeInColumns } from "../../main/resources/io/sluice/console/pages/pipelines/run-layers.js";
import { countsByState, dependenciesOf, edgesOf, lineThrough, newestTries, shortened } from "../../main/resources/io/sluice/console/pages/pipelines/run-steps.js";

const step = (name, dependsOn = [], parts = [], more = {}) => ({ name, state: "WAITING", dependsOn, parts, ...more });

test("the newest try of a part counts", () => {
  const parts = [
    { part: 1, try: 1, state: "SUCCEEDED" },
    { part: 0, try: 2, state: "RUNNING" },
    { part: 0, try: 1, state: "FAILED" },
    { part: 2, try: 1, state: "SUCCEEDED" },
  ];
  assert.deepEqual(newestTries(step("a", [], parts)).map(({ state }) => state), ["RUNNING", "SUCCEEDED", "SUCCEEDED"]);
  assert.deepEqual(countsByState(step("a", [], parts)), [["SUCCEEDED", 2], ["RUNNING", 1]]);
});

test("a dependency is a name, or an object with the end that is waited for", () => {
  assert.deepEqual(dependenciesOf(step("c", ["a", { step: "b", when: "failed" }])), [
    { step: "a", when: "succeeded" },
    { step: "b", when: "failed" },
  ]);
});

test("an exit handler comes after the last steps", () => {
  const steps = [step("a"), step("b", ["a"]), step("c", ["a"]), step("tell", [], [], { exitHandler: true })];
  assert.deepEqual(edgesOf(steps), [
    { from: "a", to: "b", when: "succeeded" },
    { from: "a", to: "c", when: "succeeded" },
    { from: "b", to: "tell", when: "at the end" },
    { from: "c", to: "tell", when: "at the end" },
  ]);
});

test("an edge from a step that the run does not have is left out", () => {
  assert.deepEqual(edgesOf([step("b", ["gone"])]), []);
});

test("lines and names", () => {
  assert.equal(lineThrough([{ x: 0, y: 1 }, { x: 2.25, y: 3 }]), "M0.0 1.0 L2.3 3.0");
  assert.equal(shortened("abc", 3), "abc");
  assert.equal(shortened("abcd", 3), "ab…");
});

test("a large graph has a column for each length of the longest way, and no two nodes at one place", () => {
  const names = Array.from({ length: 1000 }, (_, i) => "s" + i);
  const edges = names.slice(1).flatMap((to, i) => [
    { from: names[Math.floor((i + 1) / 3)], to },
    ...(i > 20 ? [{ from: names[i - 17], to }] : []),
  ]);
  const began = performance.now();
  const { places, lines, width, height } = placeInColumns(names, edges, { width: 168, height: 46 });
  assert.ok(performance.now() - began < 1000);
  assert.equal(new Set([...places.values()].map(({ x, y }) => x + "/" + y)).size, 1000);
  for (const { x, y } of places.values()) {
    assert.ok(x > 0 && x < width && y > 0 && y < height);
  }
  for (const [i, { from, to }] of edges.entries()) {
    assert.ok(places.get(from).x < places.get(to).x);
    assert.equal(lines[i].at(-1).y, places.get(to).y);
  }
});
