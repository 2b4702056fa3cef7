// SPDX-License-Identifier: Apache-2.0
// Patterns of paths, such as `/jobs/:id`.

/**
 * Returns the values of a pattern's names, such as `/jobs/:id`; undefined if a path is another one.
 * @param {string} pattern
 * @param {string} path
 * @returns {Record<string, string> | undefined}
 */
export function match(pattern, path) {
  const wanted = pattern.split("/");
  const given = path.replace(/(.)\/$/, "$1").split("/");
  if (wanted.length !== given.length) {
    return undefined;
  }
  /** @type {Record<string, string>} */
  const values = {};
  for (const [i, part] of wanted.entries()) {
    if (part.startsWith(":")) {
      try {
        values[part.slice(1)] = decodeURIComponent(given[i]);
      } catch {
        return undefined;
      }
      if (given[i] === "") {
        return undefined;
      }
    } else if (part !== given[i]) {
      return undefined;
    }
  }
  return values;
}
