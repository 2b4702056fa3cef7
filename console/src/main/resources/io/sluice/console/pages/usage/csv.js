// SPDX-License-Identifier: Apache-2.0
// Tables as CSV (RFC 4180) that a spreadsheet takes for data.

/** Cells that a spreadsheet would take for a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/**
 * Returns a cell. A text that looks like a formula gets an apostrophe in front; a number does not.
 * @param {string | number} value
 */
export function cell(value) {
  if (typeof value === "number") {
    return String(value);
  }
  const text = FORMULA.test(value) ? "'" + value : value;
  return /[",\r\n]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text;
}

/**
 * Returns a table as CSV.
 * @param {(string | number)[][]} rows
 */
export function csv(rows) {
  return rows.map((row) => row.map(cell).join(",") + "\r\n").join("");
}
