// SPDX-License-Identifier: Apache-2.0
import test from "node:test";
import assert from "node:assert/strict";
import { aroundChanges, diffLines, sortedJson } from "../../main/resources/io/sluice/console/pages/administration/diff.js";
import { manifestIn, pathText, quotaRows, valueAt, withValue } from "../../main/resources/io/sluice/console/pages/administration/fields.js";
import { CLASS_KINDS, KINDS, keyOf, manifestOf, objectPath, skeletonOf, summaryOf } from "../../main/resources/io/sluice/console/pages/administration/kinds.js";

const short = (lines) => lines.map(({ kind, text }) => ({ same: " ", added: "+", removed: "-", "left out": "…" })[kind] + text);

test("a difference of lines", () => {
  assert.deepEqual(short(diffLines("a\nb\nc", "a\nx\nc\nd")), [" a", "-b", "+x", " c", "+d"]);
  assert.deepEqual(short(diffLines("", "a")), ["+a"]);
  assert.deepEqual(short(diffLines("a", "")), ["-a"]);
  assert.deepEqual(short(diffLines("a", "a")), [" a"]);
  assert.deepEqual(diffLines("", ""), []);
});

test("a difference restores both texts, and has the fewest lines", () => {
  let seed = 1;
  const random = (bound) => (seed = (seed * 48271) % 2147483647) % bound;
  for (let round = 0; round < 300; round++) {
    const text = () => Array.from({ length: 1 + random(8) }, () => "abc"[random(3)]).join("\n");
    const [before, after] = [text(), text()];
    const lines = diffLines(before, after);
    const side = (kind) => lines.filter((line) => line.kind !== kind).map(({ text: one }) => one).join("\n");
    assert.equal(side("added"), before);
    assert.equal(side("removed"), after);
    assert.equal(lines.filter(({ kind }) => kind === "same").length, commonLength(before.split("\n"), after.split("\n")));
  }
});

/** The longest common subsequence, by trying everything. */
function commonLength(one, other) {
  if (one.length === 0 || other.length === 0) {
    return 0;
  }
  return one[0] === other[0]
    ? 1 + commonLength(one.slice(1), other.slice(1))
    : Math.max(commonLength(one.slice(1), other), commonLength(one, other.slice(1)));
}

test("a large difference is bounded", () => {
  const text = (prefix) => Array.from({ length: 5000 }, (_, i) => prefix + i).join("\n");
  const began = performance.now();
  const lines = diffLines("same\n" + text("a"), "same\n" + text("b"));
  assert.equal(lines.length, 10_001);
  assert.ok(performance.now() - began < 2000);
});

test("equal lines far from a difference are left out", () => {
  const before = Array.from({ length: 20 }, (_, i) => String(i));
  const after = before.with(10, "x");
  const shown = short(aroundChanges(diffLines(before.join("\n"), after.join("\n"))));
  assert.deepEqual(shown, ["…7 equal lines", " 7", " 8", " 9", "-10", "+x", " 11", " 12", " 13", "…6 equal lines"]);
  assert.deepEqual(short(aroundChanges(diffLines("a\nb", "a\nb"))), ["…2 equal lines"]);
});

test("the order of fields is no difference", () => {
  assert.equal(sortedJson({ b: [{ d: 1, c: 2 }], a: null }), sortedJson({ a: null, b: [{ c: 2, d: 1 }] }));
});

test("a field is set without a change of the manifest that was read", () => {
  const before = { spec: { groups: [{ name: "a", quota: "1" }] } };
  const after = withValue(before, ["spec", "groups", 0, "quota"], "2");
  assert.equal(valueAt(after, ["spec", "groups", 0, "quota"]), "2");
  assert.equal(before.spec.groups[0].quota, "1");
});

test("an empty value removes the field, and objects that are empty then, but no entry of a list", () => {
  assert.deepEqual(withValue({ kind: "Cohort", spec: { fairSharing: { weight: "2" } } }, ["spec", "fairSharing", "weight"], ""), { kind: "Cohort" });
  assert.deepEqual(withValue({ list: [{ a: "1", b: "2" }, { a: "3" }] }, ["list", 0, "b"], ""), { list: [{ a: "1" }, { a: "3" }] });
  assert.deepEqual(withValue({ a: "1" }, ["b", "c"], "2"), { a: "1", b: { c: "2" } });
});

test("rows of quota, of malformed manifests too", () => {
  const manifest = { spec: { resourceGroups: [{ flavors: [{ name: "v6e", resources: [{ name: "tpu", nominalQuota: "1" }] }] }] } };
  assert.deepEqual(quotaRows(manifest), [
    {
      flavor: "v6e",
      resource: "tpu",
      path: ["spec", "resourceGroups", 0, "flavors", 0, "resources", 0],
      flavorPath: ["spec", "resourceGroups", 0, "flavors", 0, "name"],
    },
  ]);
  assert.deepEqual(quotaRows({}), []);
  assert.deepEqual(quotaRows({ spec: { resourceGroups: { a: 1 } } }), []);
  assert.deepEqual(quotaRows({ spec: { resourceGroups: [null, { flavors: [null] }] } }), []);
});

test("a path is written as the server names it", () => {
  assert.equal(pathText(["spec", "resourceGroups", 0, "flavors", 1, "name"]), "spec.resourceGroups[0].flavors[1].name");
  assert.equal(pathText(["metadata", "name"]), "metadata.name");
});

test("only an object of JSON has a form", () => {
  assert.deepEqual(manifestIn('{"a": 1}'), { a: 1 });
  assert.equal(manifestIn("kind: Cohort"), undefined);
  assert.equal(manifestIn("[1]"), undefined);
  assert.equal(manifestIn("null"), undefined);
});

test("keys, paths and manifests of objects", () => {
  const queue = { apiVersion: "v", kind: "LocalQueue", metadata: { name: "a b", namespace: "n", generation: 3, creationTimestamp: "t" }, spec: { clusterQueue: "c" }, status: {} };
  assert.equal(keyOf(queue, KINDS.localqueues), "n/a b");
  assert.equal(objectPath(KINDS.localqueues, "n/a b"), "/v1/localqueues/n/a%20b");
  assert.deepEqual(manifestOf(queue), { apiVersion: "v", kind: "LocalQueue", metadata: { name: "a b", namespace: "n" }, spec: { clusterQueue: "c" } });
  assert.equal(summaryOf(queue), "to c");
  for (const plural of CLASS_KINDS) {
    const skeleton = skeletonOf(KINDS[plural]);
    assert.deepEqual(Object.keys(skeleton).slice(0, 3), ["apiVersion", "kind", "metadata"]);
    assert.equal(typeof summaryOf(skeleton), "string");
  }
});
