// SPDX-License-Identifier: Apache-2.0
import test from "node:test";
import assert from "node:assert/strict";
import { match } from "../../main/resources/io/sluice/console/shared/pattern.js";

test("a pattern gives the values of its names", () => {
  assert.deepEqual(match("/jobs/:id", "/jobs/a%20b"), { id: "a b" });
  assert.deepEqual(match("/pipelines/:namespace/:name", "/pipelines/x/y/"), { namespace: "x", name: "y" });
  assert.deepEqual(match("/", "/"), {});
});

test("other paths do not match, malformed ones neither", () => {
  assert.equal(match("/jobs/:id", "/jobs"), undefined);
  assert.equal(match("/jobs/:id", "/jobs//"), undefined);
  assert.equal(match("/jobs/:id", "/jobs/%zz"), undefined);
  assert.equal(match("/jobs", "/jobsx"), undefined);
});
