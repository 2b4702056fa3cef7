// SPDX-License-Identifier: Apache-2.0
// Paces the reads of a page that follow events.

/** The longest time between two reads while changes do not cease, in times of the shortest. */
const SLOWEST = 12;
const SLOWEST_MILLIS = 5000;
const GROWTH = 1.5;

/** The longest wait after a read that took long: it may have waited for a server that starts. */
const AFTER_SLOW_MAX_MILLIS = 15_000;

/** When a read is tried again that failed, but may succeed later. */
const RETRY_MILLIS = 5000;

/**
 * Whether the same request may succeed later: no answer, too many requests, a fault of the server.
 * @param {number | undefined} status
 */
function mayPass(status) {
  return status === 0 || status === 429 || (status !== undefined && status >= 500);
}

/**
 * Calls a function at once, and again after changes, never twice at a time. After a quiet time the
 * next change is read at once. While changes do not cease, the time between two reads grows from
 * `pause` to twelve times that, at most five seconds: many open pages must not cost the server more
 * than its work. It also waits as long as four reads take, 15 seconds at most, for a slow server. A
 * hidden tab waits until it is shown. A read that fails, but may succeed later, is tried again after
 * five seconds.
 */
export class Refresher {
  /**
   * @param {() => Promise<void>} run what shows its failures to the user itself
   * @param {number} pause in milliseconds
   * @param {boolean} [grows] false: the pause stays, as for a page that only few events concern
   * @param {() => number} [now] a clock in milliseconds
   */
  constructor(run, pause, grows = true, now = () => performance.now()) {
    this.run = run;
    this.shortest = pause;
    this.longest = grows ? Math.max(pause, Math.min(SLOWEST * pause, SLOWEST_MILLIS)) : pause;
    this.now = now;
    this.pause = pause;
    this.running = false;
    this.wanted = false;
    this.urgent = false;
    this.closed = false;
    this.notBefore = -Infinity;
    this.lastBegan = -Infinity;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.retry = undefined;
    this.onShown = () => this.wanted && this.request();
    document.addEventListener("visibilitychange", this.onShown);
  }

  request() {
    this.wanted = true;
    if (this.running || this.closed || document.hidden || this.timer !== undefined) {
      return;
    }
    const wait = this.notBefore - this.now();
    if (wait > 0) {
      this.timer = setTimeout(() => {
        this.timer = undefined;
        this.request();
      }, wait);
      return;
    }
    this.begin();
  }

  /** Reads without a pause: the user of this page has changed something, and awaits the sight. */
  hurry() {
    this.urgent = this.running;
    this.notBefore = -Infinity;
    clearTimeout(this.timer);
    this.timer = undefined;
    this.request();
  }

  async begin() {
    this.running = true;
    this.wanted = false;
    this.urgent = false;
    const began = this.now();
    const quiet = began - this.lastBegan > 2 * this.pause;
    this.pause = quiet ? this.shortest : Math.min(this.longest, GROWTH * this.pause);
    this.lastBegan = began;
    try {
      await this.run();
    } catch (failure) {
      if (mayPass(/** @type {any} */ (failure).status) && !this.closed) {
        clearTimeout(this.retry);
        this.retry = setTimeout(() => this.request(), RETRY_MILLIS);
      }
    } finally {
      this.running = false;
      this.notBefore = this.urgent
        ? -Infinity
        : began +
          Math.max(this.pause, Math.min(4 * (this.now() - began), AFTER_SLOW_MAX_MILLIS));
      if (this.wanted) {
        this.request();
      }
    }
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    clearTimeout(this.retry);
    document.removeEventListener("visibilitychange", this.onShown);
  }
}
