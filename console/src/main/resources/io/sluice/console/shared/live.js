// SPDX-License-Identifier: Apache-2.0
// Data of a page that is read again when the server tells of a change.

import { useEffect, useRef, useState } from "preact/hooks";
import { subscribe } from "./events.js";
import { Refresher } from "./refresher.js";
import { signedInAs } from "./session.js";

/** The shortest time between two reads: of a single object, and of lists. */
export const OFTEN = 250;
export const SELDOM = 400;

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
        }
        throw failure;
      }
    }, pause, pause !== OFTEN);
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
      mine.close();
      aborter.abort();
    };
  }, [who, ...depends]);
  return { data: state.data, failure: state.failure, reload: () => refresher.current?.hurry() };
}

/** Redraws a component at intervals, for texts such as `5m ago`. @param {number} milliseconds */
export function useTick(milliseconds) {
  const [, setTick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setTick((tick) => tick + 1), milliseconds);
    return () => clearInterval(timer);
  }, [milliseconds]);
}

/** Returns whether this tab is shown, and redraws the component when that changes. */
export function useShown() {
  const [shown, setShown] = useState(!document.hidden);
  useEffect(() => {
    const look = () => setShown(!document.hidden);
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, []);
  return shown;
}
