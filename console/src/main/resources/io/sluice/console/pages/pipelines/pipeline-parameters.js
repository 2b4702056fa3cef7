// SPDX-License-Identifier: Apache-2.0
// The parameters of a run as a form has them: texts, of which each is a JSON value.

/** @typedef {{name: string, default?: unknown, description?: string}} Parameter */

/**
 * Returns the text of a value in a form.
 * @param {unknown} value
 */
export function textOf(value) {
  return value === undefined ? "" : JSON.stringify(value);
}

/**
 * Returns the value of a text: JSON, or a text without quotes.
 * @param {string} text
 * @returns {unknown}
 * @throws {Error} the text begins like JSON but is none
 */
export function valueOf(text) {
  const trimmed = text.trim();
  try {
    return JSON.parse(trimmed);
  } catch (fault) {
    if (/^["[{]/.test(trimmed)) {
      throw new Error("is no JSON value: " + /** @type {Error} */ (fault).message);
    }
    return trimmed;
  }
}

/**
 * Returns the parameters of a run. One that is empty gets its default from the server.
 * @param {Parameter[]} parameters
 * @param {Record<string, string>} texts by name
 * @returns {{values: Record<string, unknown>, faults: Record<string, string>}}
 */
export function readParameters(parameters, texts) {
  /** @type {Record<string, unknown>} */
  const values = {};
  /** @type {Record<string, string>} */
  const faults = {};
  for (const { name, default: preset } of parameters) {
    const text = texts[name] ?? "";
    if (text.trim() === "") {
      if (preset === undefined) {
        faults[name] = "is required";
      }
      continue;
    }
    try {
      values[name] = valueOf(text);
    } catch (fault) {
      faults[name] = /** @type {Error} */ (fault).message;
    }
  }
  return { values, faults };
}

/**
 * Returns a time of a form as ISO 8601 in UTC; undefined if there is none.
 * @param {string} local as of an input of type `datetime-local`, in the place of the reader
 */
export function timeOf(local) {
  const date = new Date(local);
  return local === "" || Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
