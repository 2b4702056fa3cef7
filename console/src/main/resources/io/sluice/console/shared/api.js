// SPDX-License-Identifier: Apache-2.0
// Requests to the REST interface of the server that served this page.

import { learnTime } from "./text.js";

/** An answer that is a problem document, or no answer at all (status 0). */
export class Problem extends Error {
  /**
   * @param {number} status
   * @param {{code?: string, title?: string, detail?: string, type?: string,
   *     violations?: {path: string, value: string, message: string}[]}} document
   */
  constructor(status, document) {
    super(document.detail ?? document.title ?? "the server answered " + status);
    this.status = status;
    this.code = document.code ?? "";
    this.title = document.title ?? "";
    this.page = document.type ?? "";
    this.violations = document.violations ?? [];
  }
}

/**
 * @typedef {string | number | boolean | undefined | null} Value
 * @typedef {Record<string, Value | Value[]>} Query
 * @typedef {object} Options
 * @property {Query} [query] parameters; absent and empty ones are left out
 * @property {unknown} [body] sent as JSON; a text is sent as it is
 * @property {AbortSignal} [signal]
 * @property {Record<string, string>} [headers]
 */

/**
 * For this time after a change by this tab, in milliseconds, its reads get answers of their own: the
 * change may not have an event yet.
 */
const OWN_MILLIS = 3000;

/** @type {number | undefined} the last sequence that the server told of; undefined: unknown */
let seen;
let changedAt = -Infinity;

/** @param {number | undefined} sequence */
export function learnSequence(sequence) {
  seen = sequence;
}

/**
 * Permits answers that the server made for somebody else in the last second, if they have all that
 * this tab was told of: many tabs read the same after a change.
 * @returns {Record<string, string> | undefined}
 */
function sharing() {
  return seen !== undefined && performance.now() - changedAt > OWN_MILLIS
    ? { "Sluice-Seen": String(seen) }
    : undefined;
}

/** Told of each answer that refuses the caller's session. */
let onUnauthorized = () => {};

/** @param {() => void} listener */
export function whenUnauthorized(listener) {
  onUnauthorized = listener;
}

/**
 * Returns a path with parameters.
 * @param {string} path
 * @param {Query} [query]
 */
export function withQuery(path, query = {}) {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null && one !== "") {
        parameters.append(name, String(one));
      }
    }
  }
  const text = parameters.toString();
  return text === "" ? path : path + "?" + text;
}

/**
 * Returns a path whose parts are escaped: pathOf`/v1/jobs/${id}`.
 * @param {TemplateStringsArray} strings
 * @param {...(string | number)} values
 */
export function pathOf(strings, ...values) {
  return strings.reduce((path, text, i) => path + encodeURIComponent(values[i - 1]) + text);
}

/**
 * Sends a request and returns the answer, whose status is below 400.
 * @param {string} method
 * @param {string} path
 * @param {Options} [options]
 * @returns {Promise<Response>}
 * @throws {Problem}
 */
export async function send(method, path, options = {}) {
  /** @type {Response} */
  let answer;
  try {
    answer = await fetch(withQuery(path, options.query), {
      method,
      signal: options.signal,
      headers: options.headers,
      body:
        options.body === undefined || typeof options.body === "string"
          ? options.body
          : JSON.stringify(options.body),
    });
  } catch (failure) {
    if (options.signal?.aborted) {
      throw failure;
    }
    throw new Problem(0, { title: "No answer", detail: "the server does not answer" });
  }
  if (method !== "GET") {
    changedAt = performance.now();
  }
  learnTime(answer.headers.get("Date"));
  if (answer.status >= 400) {
    const problem = new Problem(answer.status, await answer.json().catch(() => ({})));
    if (answer.status === 401) {
      onUnauthorized();
    }
    throw problem;
  }
  return answer;
}

/**
 * @param {string} path
 * @param {Query} [query]
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>} the body
 */
export async function get(path, query, signal) {
  return (await send("GET", path, { query, signal, headers: sharing() })).json();
}

/**
 * @param {string} path
 * @param {Options} [options]
 * @returns {Promise<any>} the body; undefined if there is none
 */
export async function post(path, options) {
  const text = await (await send("POST", path, options)).text();
  return text === "" ? undefined : JSON.parse(text);
}

/**
 * Reads all pages of a list, up to a number of entries.
 * @param {string} path
 * @param {Query} query
 * @param {{max: number, field?: string, signal?: AbortSignal}} options
 * @returns {Promise<{items: any[], complete: boolean}>}
 */
export async function getAll(path, query, { max, field = "items", signal }) {
  /** @type {any[]} */
  const items = [];
  let cursor;
  do {
    const limit = Math.min(500, max - items.length);
    const page = await get(path, { ...query, limit, cursor }, signal);
    items.push(...page[field]);
    cursor = page.nextCursor;
  } while (cursor && items.length < max);
  return { items, complete: !cursor };
}

/**
 * Calls a function for each item, a few at a time, and returns the failures. Later items are tried
 * although earlier ones failed.
 * @template T
 * @param {T[]} items
 * @param {(item: T) => Promise<unknown>} action
 * @param {(done: number) => void} [progress]
 * @returns {Promise<{item: T, failure: Error}[]>}
 */
export async function forEach(items, action, progress = () => {}) {
  const AT_ONCE = 6;
  /** @type {{item: T, failure: Error}[]} */
  const failures = [];
  let next = 0;
  let done = 0;
  async function work() {
    while (next < items.length) {
      const item = items[next++];
      try {
        await action(item);
      } catch (failure) {
        failures.push({ item, failure: /** @type {Error} */ (failure) });
      }
      progress(++done);
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return failures;
}
