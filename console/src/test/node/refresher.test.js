// SPDX-License-Identifier: Apache-2.0
import test, { mock } from "node:test";
import assert from "node:assert/strict";
import { Refresher } from "../../main/resources/io/sluice/console/shared/refresher.js";

/** @type {(() => void)[]} */
const listeners = [];
const page = {
  hidden: false,
  addEventListener: (/** @type {string} */ _name, /** @type {() => void} */ listener) =>
    listeners.push(listener),
  removeEventListener: () => {},
};
/** @type {any} */ (globalThis).document = page;

/** Lets promises settle. */
const settle = async () => {
  for (let i = 0; i < 10; i++) {
    await Promise.resolve();
  }
};

/** @param {number} pause */
function begin(pause) {
  mock.timers.enable({ apis: ["setTimeout"] });
  const world = {
    now: 0,
    reads: /** @type {number[]} */ ([]),
    takes: 0,
    failsWith: /** @type {number | undefined} */ (undefined),
  };
  const refresher = new Refresher(
    async () => {
      world.reads.push(world.now);
      world.now += world.takes;
      if (world.failsWith !== undefined) {
        throw Object.assign(new Error("refused"), { status: world.failsWith });
      }
    },
    pause,
    true,
    () => world.now,
  );
  /** @param {number} milliseconds */
  const pass = async (milliseconds) => {
    world.now += milliseconds;
    mock.timers.tick(milliseconds);
    await settle();
  };
  return { world, refresher, pass };
}

test("a change after a quiet time is read at once", async () => {
  const { world, refresher, pass } = begin(1000);
  refresher.request();
  await settle();
  await pass(60_000);
  refresher.request();
  await settle();
  assert.deepEqual(world.reads, [0, 60_000]);
  mock.timers.reset();
});

test("a change by the user of the page is read without a pause", async () => {
  const { world, refresher, pass } = begin(1000);
  refresher.request();
  await settle();
  refresher.request(); // waits
  await pass(100);
  refresher.hurry();
  await settle();
  assert.deepEqual(world.reads, [0, 100]);
  refresher.request();
  await pass(200);
  assert.equal(world.reads.length, 2); // later changes wait as before
  await pass(5000);
  assert.equal(world.reads.length, 3);
  mock.timers.reset();
});

test("a change by the user during a read is read after it, without a pause", async () => {
  const { world, refresher, pass } = begin(1000);
  world.takes = 300;
  refresher.request();
  refresher.hurry();
  assert.equal(world.reads.length, 1);
  await settle();
  assert.deepEqual(world.reads, [0, 300]);
  await pass(5000);
  assert.equal(world.reads.length, 2);
  mock.timers.reset();
});

test("changes that do not cease are read less and less often, down to a bound", async () => {
  const { world, refresher, pass } = begin(1000);
  for (let i = 0; i < 600; i++) {
    refresher.request();
    await pass(100);
  }
  const gaps = world.reads.slice(1).map((at, i) => at - world.reads[i]);
  assert.ok(gaps[0] >= 1000 && gaps[0] <= 1200, String(gaps));
  assert.ok(gaps.every((gap, i) => i === 0 || gap >= gaps[i - 1] - 100), String(gaps));
  assert.ok(Math.max(...gaps) <= 5200, String(gaps));
  assert.ok(gaps.at(-1) >= 4900, String(gaps));
  mock.timers.reset();
});

test("changes now and then are read at once, also after many at a time", async () => {
  const { world, refresher, pass } = begin(400);
  for (let i = 0; i < 300; i++) {
    refresher.request();
    await pass(100);
  }
  await pass(6_000); // the read that was still wanted
  await pass(20_000);
  const before = world.reads.length;
  refresher.request();
  await settle();
  await pass(300);
  refresher.request();
  await pass(200);
  assert.equal(world.reads.length, before + 2);
  mock.timers.reset();
});

test("a slow server gets a break of three times its answer", async () => {
  const { world, refresher, pass } = begin(250);
  world.takes = 2000;
  for (let i = 0; i < 200; i++) {
    refresher.request();
    await pass(100);
  }
  const gaps = world.reads.slice(1).map((at, i) => at - world.reads[i]);
  assert.ok(gaps.every((gap) => gap >= 8000), String(gaps));
  mock.timers.reset();
});

test("a read that had no answer is tried again until it has one", async () => {
  const { world, refresher, pass } = begin(250);
  world.failsWith = 0;
  refresher.request();
  await settle();
  await pass(5000);
  world.failsWith = undefined;
  await pass(5000);
  assert.deepEqual(world.reads, [0, 5000, 10_000]);
  await pass(60_000);
  assert.equal(world.reads.length, 3);
  mock.timers.reset();
});

test("a read that was refused is not tried again, nor one of a page that has closed", async () => {
  const { world, refresher, pass } = begin(250);
  world.failsWith = 403;
  refresher.request();
  await settle();
  await pass(60_000);
  assert.equal(world.reads.length, 1);
  world.failsWith = 503;
  refresher.request();
  await settle();
  refresher.close();
  await pass(60_000);
  assert.equal(world.reads.length, 2);
  mock.timers.reset();
});

test("a hidden tab reads when it is shown", async () => {
  const { world, refresher } = begin(250);
  page.hidden = true;
  refresher.request();
  await settle();
  assert.deepEqual(world.reads, []);
  page.hidden = false;
  listeners.at(-1)?.();
  await settle();
  assert.equal(world.reads.length, 1);
  mock.timers.reset();
});
