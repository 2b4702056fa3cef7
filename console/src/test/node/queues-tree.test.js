// SPDX-License-Identifier: Apache-2.0
import test from "node:test";
import assert from "node:assert/strict";
import { findQueue, queuesBelow, treeOf } from "../../main/resources/io/sluice/console/pages/queues/tree.js";

const cohort = (name, parentName) => ({ metadata: { name }, spec: { parentName } });
const queue = (name, cohortName, pendingWorkloads = 0) => ({
  metadata: { name },
  spec: { cohortName },
  status: { pendingWorkloads, admittedWorkloads: 1 },
});
const local = (namespace, name, clusterQueue) => ({ metadata: { namespace, name }, spec: { clusterQueue } });
const shape = (node) => [node.name, node.cohorts.map(shape), node.queues.map(({ name }) => name)];

test("cohorts, ClusterQueues and LocalQueues make a tree", () => {
  const roots = treeOf(
    [cohort("lab", "company"), cohort("company")],
    [queue("vision", "lab", 2), queue("speech", "lab", 3), queue("language", "company", 5), queue("alone", undefined, 7)],
    [local("v", "main", "vision"), local("v", "side", "vision"), local("x", "lost", "none")],
  );
  assert.deepEqual(roots.map(shape), [
    ["company", [["lab", [], ["speech", "vision"]]], ["language"]],
    ["", [], ["alone"]],
  ]);
  assert.deepEqual([roots[0].pending, roots[0].admitted, roots[0].cohorts[0].pending], [10, 3, 5]);
  assert.deepEqual(findQueue(roots, "vision").localQueues.map(({ metadata }) => metadata.name), ["main", "side"]);
  assert.equal(findQueue(roots, "nothing"), undefined);
});

test("a parent without an object is part of the tree", () => {
  const roots = treeOf([cohort("a", "missing")], [queue("q", "also-missing")], []);
  assert.deepEqual(roots.map(shape), [
    ["also-missing", [], ["q"]],
    ["missing", [["a", [], []]], []],
  ]);
  assert.equal(roots[1].object, undefined);
});

test("a cycle is cut, and loses no cohort", () => {
  const roots = treeOf([cohort("a", "b"), cohort("b", "c"), cohort("c", "a"), cohort("self", "self")], [queue("q", "b")], []);
  assert.deepEqual(roots.map(shape), [
    ["a", [["c", [["b", [], ["q"]]], []]], []],
    ["self", [], []],
  ]);
  assert.equal(roots[0].cycle, "b");
  assert.equal(roots[1].cycle, "self");
});

test("totals are of the whole tree, and of none without a cohort", () => {
  const resourceGroups = [{ flavors: [{ name: "f", resources: [{ name: "cpu", nominalQuota: "4" }] }] }];
  const withQuota = (object) => ({ ...object, spec: { ...object.spec, resourceGroups } });
  const roots = treeOf(
    [cohort("lab", "company"), withQuota(cohort("company"))],
    [withQuota(queue("one", "lab")), withQuota(queue("two", "company")), withQuota(queue("alone"))],
    [],
  );
  assert.equal(findQueue(roots, "one").totals.get("f cpu").nominal, 12);
  assert.equal(findQueue(roots, "alone").totals.size, 0);
  assert.equal(roots.flatMap(queuesBelow).length, 3);
});
