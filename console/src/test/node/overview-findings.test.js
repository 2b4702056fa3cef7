// SPDX-License-Identifier: Apache-2.0
import test from "node:test";
import assert from "node:assert/strict";
import { findings } from "../../main/resources/io/sluice/console/pages/overview/findings.js";

const well = { hosts: 9, hostsFailed: 0, sliceCount: { all: 4, ready: 4, leaving: 0, absent: 0 } };

test("nothing is found where nothing is wrong", () => {
  assert.deepEqual(findings(well, [{ metadata: { name: "q" }, spec: { stopPolicy: "None" } }]), []);
});

test("failures of the fleet are bad, the worst first", () => {
  const fleet = {
    ...well,
    hostsFailed: 1,
    sliceCount: { all: 4, ready: 1, leaving: 1, absent: 2 },
    clusters: [{ name: "east", unreachableSince: new Date(Date.now() - 90_000).toISOString() }, { name: "west" }],
  };
  assert.deepEqual(
    findings(fleet, []).map(({ bad, text }) => [bad, text]),
    [
      [true, "Cluster east was last reached 1m 30s ago."],
      [true, "1 host failed and did not return."],
      [false, "2 slices are absent."],
      [false, "1 slice is leaving."],
    ],
  );
});

test("pools and stopped queues are named, a few of each kind", () => {
  const incomplete = Object.fromEntries(Array.from({ length: 7 }, (_, i) => ["pool-" + i, "3 of 4 nodes"]));
  const queues = [{ metadata: { name: "q" }, spec: { stopPolicy: "Hold" } }];
  const texts = findings({ ...well, clusters: [{ name: "east", incomplete }], refused: { s: "taken" } }, queues).map(
    ({ text }) => text,
  );
  assert.equal(texts.length, 5 + 1 + 1 + 1);
  assert.equal(texts[0], "Node pool pool-0 of cluster east misses nodes: 3 of 4 nodes");
  assert.equal(texts[5], "2 more of the same kind.");
  assert.equal(texts[6], "s is not part of the fleet: taken");
  assert.equal(texts[7], "1 ClusterQueue stopped: q.");
});
