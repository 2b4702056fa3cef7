// SPDX-License-Identifier: Apache-2.0
// Follows the server's events: GET /v1/events, resumed at the last id received. No change goes
// unnoticed: where the server skips events, because there are many, or a stream begins at no known
// event, pages read everything again.

/** @typedef {"connecting" | "live" | "lost" | "refused"} Connection */
/**
 * `seen` is the last sequence that the server told of, if it is known.
 * @typedef {{type: "events", events: WatchEvent[], seen: number | undefined} |
 *     {type: "resync", seen: number | undefined} | {type: "state", state: Connection}} Message
 */

/** Events that are told together while they do not cease: a page redraws once for many. */
const BATCH_MILLIS = 80;
/** After a quiet time, only those that come together anyway: somebody waits for the first. */
const FIRST_MILLIS = 5;
/** More events at once than this are told as one request to read everything again. */
const BATCH_MAX = 500;
const RETRY_MILLIS = 1000;
const RETRY_MAX_MILLIS = 15_000;

export class EventFeed {
  /** @param {(message: Message) => void} tell */
  constructor(tell) {
    this.tell = tell;
    /** @type {Connection} */
    this.state = "connecting";
    /** @type {EventSource | undefined} */
    this.source = undefined;
    /** The last event received, after which the next stream begins. @type {string | undefined} */
    this.lastId = undefined;
    /** @type {WatchEvent[]} */
    this.waiting = [];
    this.overflowed = false;
    this.flushedAt = -Infinity;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.flushTimer = undefined;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.retryTimer = undefined;
    this.retryMillis = RETRY_MILLIS;
  }

  /** Connects, again if there is a connection: the caller's session may have changed. */
  open() {
    clearTimeout(this.retryTimer);
    this.retryTimer = undefined;
    this.source?.close();
    const after = this.lastId === undefined ? "" : "&after=" + encodeURIComponent(this.lastId);
    const source = new EventSource("/v1/events?skip=true" + after);
    this.source = source;
    source.onopen = () => {
      this.retryMillis = RETRY_MILLIS;
      this.become("live");
      if (this.lastId === undefined) {
        // The stream begins now. What changed since pages have read is not told any more.
        this.tell({ type: "resync", seen: undefined });
      }
    };
    source.onmessage = (message) => {
      this.lastId = message.lastEventId;
      this.add(JSON.parse(message.data));
    };
    source.addEventListener("skipped", (message) => {
      this.lastId = message.lastEventId;
      this.overflowed = true;
      this.flushSoon();
    });
    source.onerror = () => {
      if (source !== this.source) {
        return;
      }
      if (source.readyState === EventSource.CLOSED) {
        this.findReason().catch(() => this.fail());
      } else {
        this.become("lost");
      }
    };
  }

  /** A source does not tell why its request was refused: asks for a page of events. */
  async findReason() {
    const after = this.lastId === undefined ? "" : "&after=" + encodeURIComponent(this.lastId);
    const answer = await fetch("/v1/events?limit=1" + after);
    if (answer.status === 401 || answer.status === 403) {
      this.become("refused");
      this.retryMillis = RETRY_MAX_MILLIS; // rights may change
      this.retry();
    } else if (answer.status === 410) {
      this.lastId = undefined;
      this.open();
    } else {
      this.fail();
    }
  }

  fail() {
    this.become("lost");
    this.retry();
  }

  retry() {
    clearTimeout(this.retryTimer);
    this.retryTimer = setTimeout(() => this.open(), this.retryMillis);
    this.retryMillis = Math.min(2 * this.retryMillis, RETRY_MAX_MILLIS);
  }

  /** @param {Connection} state */
  become(state) {
    if (state !== this.state) {
      this.state = state;
      this.tell({ type: "state", state });
    }
  }

  /** @param {WatchEvent} event */
  add(event) {
    if (this.waiting.length < BATCH_MAX) {
      this.waiting.push(event);
    } else {
      this.overflowed = true;
    }
    this.flushSoon();
  }

  flushSoon() {
    const quiet = performance.now() - this.flushedAt > BATCH_MILLIS;
    this.flushTimer ??= setTimeout(() => this.flush(), quiet ? FIRST_MILLIS : BATCH_MILLIS);
  }

  flush() {
    const events = this.waiting;
    const overflowed = this.overflowed;
    this.flushedAt = performance.now();
    this.flushTimer = undefined;
    this.waiting = [];
    this.overflowed = false;
    const seen = this.lastId === undefined ? undefined : parseInt(this.lastId, 10);
    this.tell(overflowed ? { type: "resync", seen } : { type: "events", events, seen });
  }
}
