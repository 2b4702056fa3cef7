// SPDX-License-Identifier: Apache-2.0
import test from "node:test";
import assert from "node:assert/strict";
import { Gesture } from "../../main/resources/io/sluice/console/pages/timeline/gesture.js";

function begin() {
  /** @type {any[]} */
  const done = [];
  const gesture = new Gesture({
    panBy: (pixels) => done.push(["pan", pixels]),
    zoomAt: (factor, x) => done.push(["zoom", factor, x]),
    click: (x, y) => done.push(["click", x, y]),
  });
  return { gesture, done };
}

test("a press that hardly moves is a click where it began", () => {
  const { gesture, done } = begin();
  gesture.press(1, 100, 40);
  gesture.move(1, 103);
  gesture.end(1);
  assert.deepEqual(done, [["click", 100, 40]]);
});

test("one pointer drags, and is no click", () => {
  const { gesture, done } = begin();
  gesture.press(1, 100, 40);
  gesture.move(1, 110);
  gesture.move(1, 105);
  gesture.end(1);
  assert.deepEqual(done, [["pan", -10], ["pan", 5]]);
});

test("two fingers zoom about the middle between them, whichever moves", () => {
  const { gesture, done } = begin();
  gesture.press(1, 100, 40);
  gesture.press(2, 200, 40);
  gesture.move(2, 300);
  assert.deepEqual(done, [["pan", -50], ["zoom", 0.5, 200]]);
  gesture.move(1, 0);
  assert.deepEqual(done.slice(2), [["pan", 50], ["zoom", 2 / 3, 150]]);
  gesture.end(1);
  gesture.end(2);
  assert.equal(done.length, 4);
});

test("a finger that is left goes on dragging, and a third one does nothing", () => {
  const { gesture, done } = begin();
  gesture.press(1, 100, 40);
  gesture.press(2, 200, 40);
  gesture.press(3, 900, 40);
  gesture.move(3, 500);
  gesture.end(2);
  gesture.move(1, 120);
  gesture.end(1);
  assert.deepEqual(done, [["pan", -20]]);
});

test("a pointer that the browser takes is no click, and fingers that meet do not divide by zero", () => {
  const { gesture, done } = begin();
  gesture.press(1, 100, 40);
  gesture.end(1, true);
  assert.deepEqual(done, []);
  gesture.press(1, 100, 40);
  gesture.press(2, 120, 40);
  gesture.move(2, 100);
  assert.deepEqual(done, [["pan", 10], ["zoom", 2, 100]]);
});

test("a pointer that was not pressed is only a hover", () => {
  const { gesture, done } = begin();
  gesture.move(1, 500);
  gesture.end(1);
  assert.deepEqual(done, []);
});
