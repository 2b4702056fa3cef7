// SPDX-License-Identifier: Apache-2.0
import test from "node:test";
import assert from "node:assert/strict";
import { JobList, PART } from "../../main/resources/io/sluice/console/pages/jobs/job-list.js";

/** A server with jobs, newest first, whose cursor is the id after which a page begins. */
class Server {
  /** @param {number} count */
  constructor(count) {
    this.jobs = Array.from({ length: count }, (_, i) => job(count - i));
    this.reads = 0;
    this.failing = false;
  }

  /** @param {string | undefined} cursor */
  read = async (cursor) => {
    this.reads++;
    if (this.failing) {
      throw new Error("away");
    }
    const from = cursor === undefined ? 0 : this.jobs.findIndex(({ status }) => status.createdAt < cursor);
    const begin = from < 0 ? this.jobs.length : from;
    const items = this.jobs.slice(begin, begin + PART);
    const more = begin + PART < this.jobs.length;
    return { items, nextCursor: more ? items[items.length - 1].status.createdAt : undefined };
  };
}

/** @param {number} number */
function job(number) {
  const id = "id-" + number;
  return /** @type {any} */ ({
    id,
    metadata: { name: "job-" + number, namespace: "team" },
    spec: {},
    status: { state: "PENDING", createdAt: "2026-01-01T00:" + String(number).padStart(6, "0") },
  });
}

test("parts are read as far as rows are wanted, each once", async () => {
  const server = new Server(1000);
  const list = new JobList(server.read, () => {});
  await list.reach(10);
  assert.equal(list.rows.length, PART);
  await Promise.all([list.reach(PART + 1), list.reach(PART + 2), list.reach(PART)]);
  assert.equal(server.reads, 2);
  await list.reach(10_000);
  assert.equal(list.rows.length, 1000);
  assert.ok(list.complete);
  assert.equal(new Set(list.rows.map(({ id }) => id)).size, 1000);
});

test("rows keep their place while newer jobs come and others change", async () => {
  const server = new Server(600);
  const list = new JobList(server.read, () => {});
  await list.reach(599);
  const order = list.rows.map(({ id }) => id);
  server.jobs.unshift(job(601), job(602));
  server.jobs[5] = { ...server.jobs[5], status: { ...server.jobs[5].status, state: "RUNNING" } };
  await list.refresh(0, 20);
  assert.deepEqual(list.rows.map(({ id }) => id), order);
  assert.equal(list.rows[3].status.state, "RUNNING");
  assert.equal(list.gone.size, 0);
  assert.equal(list.newer, 2);
});

test("newer jobs are counted though the list was empty", async () => {
  const server = new Server(0);
  const list = new JobList(server.read, () => {});
  await list.reach(0);
  assert.ok(list.complete);
  server.jobs.unshift(job(1));
  await list.refresh(0, 0);
  assert.equal(list.newer, 1);
  assert.equal(list.rows.length, 0);
});

test("newer jobs are counted while rows further down are read again", async () => {
  const server = new Server(600);
  const list = new JobList(server.read, () => {});
  await list.reach(599);
  server.jobs.unshift(job(601));
  await list.refresh(450, 470);
  assert.equal(list.newer, 1);
});

test("a job that meets the filters again later is newer, one of a part not yet read is not", async () => {
  const server = new Server(600);
  const [returning] = server.jobs.splice(100, 1);
  const list = new JobList(server.read, () => {});
  await list.reach(0);
  server.jobs.splice(50, 2); // the answer is filled up with two jobs of the second part
  await list.refresh(0, 20);
  assert.equal(list.newer, 0);
  server.jobs.splice(98, 0, returning);
  await list.refresh(0, 20);
  assert.equal(list.newer, 1);
});

test("a row that no longer meets the filters is marked, and unmarked if it does again", async () => {
  const server = new Server(600);
  const list = new JobList(server.read, () => {});
  await list.reach(599);
  const [lost] = server.jobs.splice(3, 1);
  await list.refresh(0, 20);
  assert.deepEqual([...list.gone], [lost.id]);
  server.jobs.splice(3, 0, lost);
  await list.refresh(0, 20);
  assert.equal(list.gone.size, 0);
});

test("a failure stops the reading until a retry", async () => {
  const server = new Server(600);
  const list = new JobList(server.read, () => {});
  server.failing = true;
  await list.reach(5);
  assert.equal(list.failure?.message, "away");
  await list.reach(5);
  assert.equal(server.reads, 1);
  server.failing = false;
  list.retry();
  await list.reach(5);
  assert.equal(list.rows.length, PART);
  server.failing = true;
  await list.reach(PART);
  server.failing = false;
  await list.refresh(PART, PART);
  assert.equal(list.rows.length, 2 * PART);
});

test("a list that is no longer shown reads no further part", async () => {
  const server = new Server(2000);
  const list = new JobList(server.read, () => {
    if (list.rows.length >= 2 * PART) {
      list.close();
    }
  });
  await list.reach(1999);
  assert.equal(list.rows.length, 2 * PART);
});

test("parts may have fewer rows than were asked for, or none", async () => {
  const parts = [[job(9), job(8)], [], [job(5)], [job(2), job(1)]];
  /** @type {(string | undefined)[]} */
  const asked = [];
  const list = new JobList(
    async (cursor) => {
      asked.push(cursor);
      const part = Number(cursor ?? 0);
      return { items: parts[part], nextCursor: part + 1 < parts.length ? String(part + 1) : undefined };
    },
    () => {},
  );
  await list.reach(4);
  assert.deepEqual(list.rows.map(({ id }) => id), ["id-9", "id-8", "id-5", "id-2", "id-1"]);
  parts[3] = [job(2)];
  asked.length = 0;
  await list.refresh(2, 4);
  assert.deepEqual(asked, [undefined, "2", "3"]);
  assert.deepEqual([...list.gone], ["id-1"]);
});
