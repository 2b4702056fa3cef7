// SPDX-License-Identifier: Apache-2.0
// Data of a page that is read again when the server tells of a change.

import { useEffect, useRef, useState } from "preact/hooks";
import { subscribe } from "./events.js";
import { signedInAs } from "./session.js";

/** The least time between two reads: a page of lists, and one of a single object. */
export const OFTEN = 250;
export const SELDOM = 1000;

/** When a read is tried again that failed, but may succeed later. */
const RETRY_MILLIS = 5000;

/**
 * Calls a function at once, and again after changes, never twice at a time. It waits at least
 * `pause`, and as long as four calls take, so that a slow server is not asked without a break. A
 * hidden tab waits until it is shown.
 */
export class Refresher {
  /**
   * @param {() => Promise<void>} run
   * @param {number} pause in milliseconds
   */
  constructor(run, pause) {
    this.run = run;
    this.pause = pause;
    this.running = false;
    this.wanted = false;
    this.closed = false;
    this.notBefore = 0;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.onShown = () => this.wanted && this.request();
    document.addEventListener("visibilitychange", this.onShown);
  }

  request() {
    this.wanted = true;
    if (this.running || this.closed || document.hidden || this.timer !== undefined) {
      return;
    }
    const wait = this.notBefore - performance.now();
    if (wait > 0) {
      this.timer = setTimeout(() => {
        this.timer = undefined;
        this.request();
      }, wait);
      return;
    }
    this.begin();
  }

  async begin() {
    this.running = true;
    this.wanted = false;
    const began = performance.now();
    try {
      await this.run();
    } finally {
      this.running = false;
      this.notBefore = began + Math.max(this.pause, 4 * (performance.now() - began));
      if (this.wanted) {
        this.request();
      }
    }
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    document.removeEventListener("visibilitychange", this.onShown);
  }
}

/**
 * Whether the same request may succeed later: no answer, too many requests, a fault of the server.
 * @param {number | undefined} status
 */
function mayPass(status) {
  return status === 0 || status === 429 || (status !== undefined && status >= 500);
}

/**
 * @template T
 * @typedef {object} Live
 * @property {T | undefined} data the last answer; undefined until the first one
 * @property {Error | undefined} failure of the last request
 * @property {() => void} reload
 */

/**
 * Reads data when the page is shown, when a dependency changes, and after events.
 * @template T
 * @param {(signal: AbortSignal) => Promise<T>} load
 * @param {unknown[]} depends old data is dropped when one of them changes
 * @param {object} [options]
 * @param {(event: WatchEvent) => boolean} [options.when] the events after which to read; default: all
 * @param {number} [options.pause]
 * @param {number} [options.every] also reads after this time, in milliseconds
 * @returns {Live<T>}
 */
export function useLive(load, depends, { when = () => true, pause = SELDOM, every } = {}) {
  const [state, setState] = useState(
    /** @type {{data?: T, failure?: Error}} */ ({}),
  );
  const latest = useRef(load);
  latest.current = load;
  const refresher = useRef(/** @type {Refresher | undefined} */ (undefined));
  const who = signedInAs.value;
  useEffect(() => {
    const aborter = new AbortController();
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let retry;
    setState({});
    const mine = new Refresher(async () => {
      try {
        const data = await latest.current(aborter.signal);
        if (!aborter.signal.aborted) {
          setState({ data });
        }
      } catch (failure) {
        if (!aborter.signal.aborted) {
          setState((before) => ({ data: before.data, failure: /** @type {Error} */ (failure) }));
          if (mayPass(/** @type {any} */ (failure).status)) {
            clearTimeout(retry);
            retry = setTimeout(() => mine.request(), RETRY_MILLIS);
          }
        }
      }
    }, pause);
    refresher.current = mine;
    mine.request();
    const unsubscribe = subscribe((events) => {
      if (events === undefined || events.some(when)) {
        mine.request();
      }
    });
    const ticking = every === undefined ? undefined : setInterval(() => mine.request(), every);
    return () => {
      unsubscribe();
      clearInterval(ticking);
      clearTimeout(retry);
      mine.close();
      aborter.abort();
    };
  }, [who, ...depends]);
  return { data: state.data, failure: state.failure, reload: () => refresher.current?.request() };
}

/** Redraws a component at intervals, for texts such as `5m ago`. @param {number} milliseconds */
export function useTick(milliseconds) {
  const [, setTick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setTick((tick) => tick + 1), milliseconds);
    return () => clearInterval(timer);
  }, [milliseconds]);
}
