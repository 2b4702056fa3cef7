// SPDX-License-Identifier: Apache-2.0
import test from "node:test";
import assert from "node:assert/strict";
import {
  byOf,
  chosenOf,
  countsQuery,
  groupLink,
  groupingOf,
} from "../../main/resources/io/sluice/console/pages/jobs/grouping.js";

test("the address says by what jobs are grouped", () => {
  assert.deepEqual(groupingOf("computeClass"), { field: "computeClass", key: "", by: "computeClass" });
  assert.deepEqual(groupingOf("label:a.b/c"), { field: "label", key: "a.b/c", by: "label:a.b/c" });
  for (const by of ["", "label", "mood"]) {
    assert.equal(groupingOf(by), undefined);
  }
});

test("a label without a key is chosen, and asks for nothing yet", () => {
  assert.equal(byOf("label"), "label:");
  assert.deepEqual(groupingOf(byOf("label")), { field: "label", key: "", by: "" });
  assert.deepEqual(groupingOf(byOf("label", "run")), { field: "label", key: "run", by: "label:run" });
  assert.equal(byOf("team"), "team");
});

test("numbers of one blocker are asked for by blocker, and chosen", () => {
  assert.deepEqual(countsQuery({ name: "x", blocker: "" }, "state"), { name: "x", by: "state" });
  assert.deepEqual(countsQuery({ blocker: "HELD" }, "state"), { by: "state,blocker" });
  assert.deepEqual(countsQuery({ blocker: "HELD" }, "blocker"), { by: "blocker" });
  const groups = [{ blocker: "HELD", count: 1 }, { blocker: "", count: 2 }];
  assert.deepEqual(chosenOf(groups, "held"), [groups[0]]);
  assert.deepEqual(chosenOf(groups, ""), groups);
});

test("a group links to its jobs", () => {
  /** @param {string} search @param {string} by @param {string} value */
  const link = (search, by, value) => groupLink(search, /** @type {any} */ (groupingOf(by)), value);
  assert.equal(link("?name=n&by=blocker", "blocker", "HELD"), "/jobs?name=n&blocker=HELD");
  assert.equal(link("?by=queue", "queue", "team/main"), "/jobs?namespace=team&queue=main");
  assert.equal(link("?by=label:run", "label:run", "7"), "/jobs?label=run%3D7");
  const query = new URLSearchParams(link("?label=model=tiny,run=6", "label:run", "7").slice("/jobs?".length));
  assert.equal(query.get("label"), "model=tiny,run=7");
});
