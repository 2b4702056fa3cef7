// SPDX-License-Identifier: Apache-2.0
import test from "node:test";
import assert from "node:assert/strict";
import { framesOf, pathsOf } from "../../main/resources/io/sluice/console/pages/overview/paths.js";

const place = (x, more) => ({ x, y: 0, slice: { name: "s" + x, condition: "READY", holders: [], ...more } });
const layout = {
  size: 11,
  step: 13,
  width: 100,
  height: 13,
  labels: [],
  places: [
    place(0, { holders: [{ state: "RUNNING", tint: 3 }] }),
    place(13, { holders: [{ state: "RUNNING", tint: 3 }] }),
    place(26, { holders: [{ state: "ADMITTED" }] }),
    place(39, { partly: true, holders: [{ state: "RUNNING", tint: 1 }] }),
    place(52, {}),
    place(65, { condition: "ABSENT" }),
    place(78, { failed: true, condition: "ABSENT" }),
  ],
};

test("cells with the same look are one path", () => {
  const { fills, marks } = pathsOf(layout, ({ holders: [holder] }) => holder.tint);
  assert.deepEqual([...fills.keys()], ["tint-3", "tint-none starting", "tint-1", "free", "gone"]);
  assert.equal(fills.get("tint-3"), "M0.5 0.5h10v10h-10zM13.5 0.5h10v10h-10z");
  assert.deepEqual([...marks.keys()], ["partly", "absent", "failed"]);
});

test("frames surround the chosen cells", () => {
  assert.equal(framesOf(layout, ({ name }) => name === "s13"), "M12.5 -0.5h12v12h-12z");
  assert.equal(framesOf(layout, () => false), "");
});
