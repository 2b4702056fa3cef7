// SPDX-License-Identifier: Apache-2.0
import test from "node:test";
import assert from "node:assert/strict";
import { EventFeed } from "../../main/resources/io/sluice/console/shared/event-feed.js";

/** The browser's class, driven by the test. */
class Source {
  static CLOSED = 2;
  /** @type {Source[]} */
  static all = [];

  /** @param {string} url */
  constructor(url) {
    this.url = url;
    this.readyState = 1;
    /** @type {any} */ (this).onopen = this.onmessage = this.onerror = () => {};
    /** @type {Map<string, (message: any) => void>} */
    this.listeners = new Map();
    Source.all.push(this);
  }

  /**
   * @param {string} type
   * @param {(message: any) => void} listener
   */
  addEventListener(type, listener) {
    this.listeners.set(type, listener);
  }

  close() {
    this.readyState = Source.CLOSED;
  }

  /** @param {string} id */
  tell(id) {
    this.onmessage({ lastEventId: id, data: JSON.stringify({ id }) });
  }

  /** @type {(message: any) => void} */ onmessage;
  /** @type {() => void} */ onopen;
  /** @type {() => void} */ onerror;
}

/** @param {number} status */
function begin(status = 200) {
  Source.all = [];
  /** @type {any} */ (globalThis).EventSource = Source;
  /** @type {any} */ (globalThis).fetch = async () => ({ status, ok: status < 400 });
  /** @type {any[]} */
  const messages = [];
  const feed = new EventFeed((message) => messages.push(message));
  feed.open();
  return { feed, messages, source: Source.all[0] };
}

const soon = () => new Promise((resolve) => setTimeout(resolve, 120));

test("events are told together, in their order", async () => {
  const { messages, source } = begin();
  source.tell("7.0");
  source.tell("7.1");
  await soon();
  assert.deepEqual(messages, [{ type: "events", events: [{ id: "7.0" }, { id: "7.1" }], seen: 7 }]);
});

test("too many events at once are told as a request to read again", async () => {
  const { messages, source } = begin();
  for (let i = 0; i < 600; i++) {
    source.tell("8." + i);
  }
  await soon();
  assert.deepEqual(messages, [{ type: "resync", seen: 8 }]);
});

test("events that the server skips are told as a request to read again, after which it goes on", async () => {
  const { feed, messages, source } = begin();
  source.tell("8.0");
  source.listeners.get("skipped")?.({ lastEventId: "11", data: "{}" });
  await soon();
  source.tell("12.0");
  await soon();
  assert.deepEqual(messages, [{ type: "resync", seen: 11 }, { type: "events", events: [{ id: "12.0" }], seen: 12 }]);
  feed.lastId = undefined;
  source.listeners.get("skipped")?.({ lastEventId: "13", data: "{}" });
  assert.equal(feed.lastId, "13");
  clearTimeout(feed.flushTimer);
});

test("a stream that was refused resumes at the last event", async () => {
  const { feed, messages, source } = begin(503);
  source.tell("9.3");
  await soon();
  source.readyState = Source.CLOSED;
  source.onerror();
  await soon();
  assert.equal(messages.at(-1).state, "lost");
  feed.open();
  assert.equal(Source.all.at(-1)?.url, "/v1/events?skip=true&after=9.3");
  clearTimeout(feed.retryTimer);
});

test("a journal without the last event means to read everything again", async () => {
  const { messages, source } = begin(410);
  source.tell("9.3");
  await soon();
  source.readyState = Source.CLOSED;
  source.onerror();
  await soon();
  assert.equal(Source.all.at(-1)?.url, "/v1/events?skip=true");
  Source.all.at(-1)?.onopen();
  assert.deepEqual(messages.at(-1), { type: "resync", seen: undefined });
});

test("a stream that begins anew means to read again what pages have read before", async () => {
  const { messages, source } = begin();
  const anew = [{ type: "state", state: "live" }, { type: "resync", seen: undefined }];
  source.onopen();
  assert.deepEqual(messages, anew);
  source.readyState = 0; // the browser connects again by itself
  source.onerror();
  source.onopen();
  assert.deepEqual(messages.slice(-2), anew);
  source.tell("9.3");
  await soon();
  source.onerror();
  source.onopen();
  assert.deepEqual(messages.at(-1), { type: "state", state: "live" }); // it goes on after the last event
});

test("a caller who may not watch is told so, and is tried again seldom", async () => {
  const { feed, messages, source } = begin(401);
  source.readyState = Source.CLOSED;
  source.onerror();
  await soon();
  assert.equal(messages.at(-1).state, "refused");
  assert.equal(Source.all.length, 1);
  assert.notEqual(feed.retryTimer, undefined);
  clearTimeout(feed.retryTimer);
});
